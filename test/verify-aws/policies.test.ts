import { expect, test } from "@jest/globals";
import { synth } from "../lib/synth.ts";
import { callsOf } from "./aws-calls.ts";
import { policiesOf, type StackTemplate } from "./policies.ts";

/* Whether the proxy of verify:aws would refuse what a role must not do. */

const place = { account: "000000000000", region: "us-east-1" };
const template = synth().template.toJSON() as StackTemplate;
const idOf = (type: string, part: string) =>
  Object.keys(template.Resources).find((id) => template.Resources[id]?.Type === type && id.includes(part)) ??
  "";
const names = new Map(Object.keys(template.Resources).map((id) => [id, id]));
const allows = policiesOf(template, names, place);
const table = idOf("AWS::DynamoDB::Table", "Store");
const [executor, health, sweep] = ["ExecutorExecuteRun", "GetHealth", "SweeperSweep"].map((part) =>
  idOf("AWS::Lambda::Function", part),
) as [string, string, string];

const may = (caller: string, service: string, target: string, input: object) =>
  callsOf(
    { method: "POST", url: "/", service, target: `Service.${target}`, body: JSON.stringify(input) },
    place,
  ).every((call) => allows(caller, call));
const getItem = (pk: string) => ({ TableName: table, Key: { pk: { S: pk } } });

test("a call passes only for the keys that the role's conditions name", () => {
  expect(may(health, "dynamodb", "GetItem", getItem("ACCOUNT#"))).toBe(true);
  expect(may(health, "dynamodb", "GetItem", getItem("ACCOUNT#acme"))).toBe(false);
  expect(may(executor, "dynamodb", "GetItem", getItem("ACCOUNT#acme"))).toBe(true);
  expect(may(executor, "dynamodb", "GetItem", getItem("KEY#abc"))).toBe(false);
  expect(may(executor, "dynamodb", "UpdateItem", getItem("ACCOUNT#acme#RUN#1"))).toBe(true);
  expect(may(executor, "dynamodb", "UpdateItem", getItem("ACCOUNT#acme"))).toBe(false);
});

test("each part of a batch, a transaction or a query is judged by its own key", () => {
  const keys = (...all: string[]) => ({
    RequestItems: { [table]: { Keys: all.map((pk) => ({ pk: { S: pk } })) } },
  });
  expect(may(executor, "dynamodb", "BatchGetItem", keys("ACCOUNT#a#RUN#1", "ACCOUNT#a#RUNS"))).toBe(true);
  expect(may(executor, "dynamodb", "BatchGetItem", keys("ACCOUNT#a#RUN#1", "KEY#abc"))).toBe(false);
  const transaction = (pk: string) => ({
    TransactItems: [{ Update: getItem("ACCOUNT#a#RUN#1") }, { Update: getItem(pk) }],
  });
  expect(may(executor, "dynamodb", "TransactWriteItems", transaction("ACCOUNT#a#CREDITS#2026-11"))).toBe(
    true,
  );
  expect(may(executor, "dynamodb", "TransactWriteItems", transaction("TICKET#1"))).toBe(false);
  const query = (pk: string) => ({
    TableName: table,
    KeyConditionExpression: "#pk = :pk AND sk > :sk",
    ExpressionAttributeNames: { "#pk": "pk" },
    ExpressionAttributeValues: { ":pk": { S: pk }, ":sk": { S: "" } },
  });
  expect(may(executor, "dynamodb", "Query", query("ACCOUNT#a#RUN#1"))).toBe(true);
  expect(may(executor, "dynamodb", "Query", query("KEY#abc"))).toBe(false);
  expect(may(sweep, "dynamodb", "Query", { TableName: table, IndexName: "due" })).toBe(true);
  expect(may(executor, "dynamodb", "Query", { TableName: table, IndexName: "due" })).toBe(false);
});

test("queues, functions and actions that a role does not name are refused, and so is what nobody knows", () => {
  const queue = (part: string) => ({ QueueUrl: `http://sqs/1/${idOf("AWS::SQS::Queue", part)}` });
  expect(may(executor, "sqs", "SendMessage", queue("ExecutorRunsQueue"))).toBe(true);
  // Lambda itself receives messages, not the code of the function.
  expect(may(executor, "sqs", "ReceiveMessage", queue("ExecutorRunsQueue"))).toBe(false);
  expect(may(health, "sqs", "SendMessage", queue("ExecutorRunsQueue"))).toBe(false);
  expect(() => may(sweep, "dynamodb", "ExportTableToPointInTime", {})).toThrow(/unknown here/);
  expect(() => may(sweep, "kms", "Decrypt", {})).toThrow(/unknown here/);
});
