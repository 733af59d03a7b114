import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { GetParametersByPathCommand, SSMClient } from "@aws-sdk/client-ssm";
import { DynamoDBDocumentClient, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeEach, expect, test } from "@jest/globals";
import type { Context } from "aws-lambda";
import { mockClient } from "aws-sdk-client-mock";
import { issuingQueues, passingQueues } from "../../../../functions/lambda/bindings/queues.ts";
import { ticketedSecrets } from "../../../../functions/lambda/bindings/ticketed-secrets.ts";
import { handler } from "../../../../functions/lambda/read-secrets.ts";
import { toStored } from "../../../../functions/secrets/secret.ts";
import { NO_FILES } from "../../../../functions/store/files.ts";
import type { Table } from "../../../../functions/store/table.ts";
import { accountOfTicket, issueTicket } from "../../../../functions/store/tickets.ts";

const lambda = mockClient(LambdaClient);
const sqs = mockClient(SQSClient);
const ssm = mockClient(SSMClient);
const db = mockClient(DynamoDBDocumentClient);
const table: Table = { name: "table", db: db as unknown as DynamoDBDocumentClient, files: NO_FILES };
const items = new Map<string, Record<string, unknown>>();
Object.assign(process.env, {
  TABLE_NAME: table.name,
  SECRETS_PATH: "/gleaner/prod/secrets",
  SECRETS_FUNCTION: "read-secrets",
  RUNS_QUEUE_URL: "https://sqs.example/runs",
});

beforeEach(() => {
  for (const client of [lambda, sqs, ssm, db]) client.reset();
  db.on(PutCommand).callsFake(({ Item }) => items.set(Item.pk, Item) && {});
  db.on(GetCommand).callsFake(({ Key }) => ({ Item: items.get(Key.pk) }));
  ssm.on(GetParametersByPathCommand).callsFake(({ Path }) => ({
    Parameters: [
      { Name: `${Path}/password`, Value: toStored({ value: `of ${Path}`, hosts: ["shop.example"] }) },
      { Name: `${Path}/other`, Value: toStored({ value: "not asked for", hosts: [] }) },
    ],
  }));
  // What the function answers, as Lambda passes it on.
  lambda.on(InvokeCommand).callsFake(async ({ Payload }) => {
    const answer = (text: object) => ({ transformToString: () => JSON.stringify(text) });
    try {
      return { Payload: answer(await handler(JSON.parse(Payload), {} as Context)) };
    } catch (error) {
      return { FunctionError: "Unhandled", Payload: answer({ errorMessage: (error as Error).message }) };
    }
  });
});

afterAll(() => {
  for (const client of [lambda, sqs, ssm, db]) client.restore();
});

test("an executor gets the secrets of the account that its ticket is for, whichever it asks for", async () => {
  const ticket = await issueTicket(table, "acme", new Date());
  const expected = { password: { value: "of /gleaner/prod/secrets/acme", hosts: ["shop.example"] } };
  for (const account of ["acme", "other"]) {
    const found = await ticketedSecrets(ticket)(account, ["password", "none"]);
    expect(Object.fromEntries(found)).toEqual(expected);
  }
  const asked = await handler({ ticket, names: ["password"], account: "other" }, {} as Context);
  expect(asked).toEqual(expected);
  const paths = ssm.commandCalls(GetParametersByPathCommand).map(({ args }) => args[0].input.Path);
  expect(paths).toEqual(["/gleaner/prod/secrets/acme"]);
});

test.each([
  ["none", undefined],
  ["one that nobody issued", "ticket_0000000000000000000000000000000000000000000"],
])("an executor gets no secrets with %s", async (_, ticket) => {
  await expect(ticketedSecrets(ticket)("acme", ["password"])).rejects.toThrow(/secrets could not be read/);
  expect(ssm.calls()).toEqual([]);
});

test("whoever starts a run or moves it on sends a ticket along, which an executor can only pass on", async () => {
  const ref = { account: "acme", id: "run" };
  const sent = () =>
    sqs.commandCalls(SendMessageCommand).map(({ args }) => JSON.parse(args[0].input.MessageBody ?? ""));
  await issuingQueues().sendRun(ref);
  const [{ ticket, ...named }] = sent();
  expect(named).toEqual(ref);
  expect(await accountOfTicket(table, ticket, new Date())).toBe("acme");

  await passingQueues(ticket).sendRun(ref);
  expect(sent()[1]).toEqual({ ...ref, ticket });

  // The sweeper sends it later, with a new ticket.
  await expect(passingQueues(undefined).sendRun(ref)).rejects.toThrow(/no ticket/);
  expect(sent()).toHaveLength(2);
});
