import { join } from "node:path";
import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import {
  GetCommand,
  NumberValue,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { afterAll, describe, expect, test } from "@jest/globals";
import { indexes } from "../../../functions/store/table.ts";
import { openLocalTable, TABLE_NAME, tableOf } from "../../../local/backend.ts";
import { newFolder } from "../../new-folder.ts";

const folder = await newFolder();
const dynamoDb = openLocalTable(join(folder, "table.sqlite"));
const { db } = tableOf(dynamoDb);
afterAll(async () => {
  dynamoDb.close();
});

const TableName = TABLE_NAME;
const key = (sk: string) => ({ pk: "RULES", sk });
const put = (sk: string, item: object = {}, options: Partial<PutCommandInput> = {}) =>
  db.send(new PutCommand({ TableName, Item: { ...key(sk), ...item }, ...options }));
const get = async (sk: string) => (await db.send(new GetCommand({ TableName, Key: key(sk) }))).Item;
const update = (sk: string, UpdateExpression: string, options: Partial<UpdateCommandInput> = {}) =>
  db.send(new UpdateCommand({ TableName, Key: key(sk), UpdateExpression, ...options }));
const query = (options: Partial<QueryCommandInput> = {}) =>
  db.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": "RULES", ...options.ExpressionAttributeValues },
      ...options,
    } as QueryCommandInput),
  );
const transact = (
  TransactItems: TransactWriteCommandInput["TransactItems"],
  options: Partial<TransactWriteCommandInput> = {},
) => db.send(new TransactWriteCommand({ TransactItems, ...options }));

describe("what DynamoDB refuses is refused", () => {
  const values = (value: unknown) => ({ ExpressionAttributeValues: { ":v": value } });

  test.each<[string, () => Promise<unknown>]>([
    ["an order of booleans", () => put("x", {}, { ConditionExpression: "a < :v", ...values(true) })],
    [
      "a prefix that is a number",
      () => put("x", {}, { ConditionExpression: "begins_with(a, :v)", ...values(1) }),
    ],
    [
      "bounds of two types",
      () =>
        put(
          "x",
          {},
          {
            ConditionExpression: "a BETWEEN :v AND :w",
            ExpressionAttributeValues: { ":v": 1, ":w": "2" },
          },
        ),
    ],
    [
      "bounds in the wrong order",
      () =>
        put(
          "x",
          {},
          {
            ConditionExpression: "a BETWEEN :v AND :w",
            ExpressionAttributeValues: { ":v": 2, ":w": 1 },
          },
        ),
    ],
    ["a reserved word", () => put("x", {}, { ConditionExpression: "attribute_exists(status)" })],
    [
      "a value that no expression uses",
      () => put("x", {}, { ConditionExpression: "attribute_exists(a)", ...values(1) }),
    ],
    ["a value that is not given", () => put("x", {}, { ConditionExpression: "a = :v" })],
    ["an unknown function", () => put("x", {}, { ConditionExpression: "exists(a)" })],
    ["a syntax error", () => put("x", {}, { ConditionExpression: "attribute_exists(a) AND" })],
    [
      "an expression above 4 KB",
      () => put("x", {}, { ConditionExpression: `attribute_exists(${"a".repeat(4100)})` }),
    ],
    ["a legacy parameter", () => put("x", {}, { Expected: {} })],
    ["a change of the key", () => update("x", "SET sk = :v", values("y"))],
    ["paths that overlap", () => update("x", "SET a.b = :v REMOVE a", values(1))],
    ["paths that conflict", () => update("x", "SET a.b = :v, a[0] = :v", values(1))],
    ["a section twice", () => update("x", "SET a = :v SET b = :v", values(1))],
    ["a path into nothing", () => update("x", "SET nothing.b = :v", values(1))],
    ["a path that isn't there", () => update("x", "SET a = nothing")],
    ["a sum of texts", () => update("x", "SET a = :v + :v", values("1"))],
    ["an ADD of a text", () => update("x", "ADD a :v", values("1"))],
    [
      "a number of 39 digits",
      () =>
        update("x", "SET a = :v", { ExpressionAttributeValues: { ":v": NumberValue.from("1".repeat(39)) } }),
    ],
    ["an empty key", () => put("")],
    ["a key above 1 KB", () => put("x".repeat(1025))],
    ["an item without a key", () => db.send(new PutCommand({ TableName, Item: { pk: "RULES" } }))],
    ["a key with more than a key", () => db.send(new GetCommand({ TableName, Key: { ...key("x"), a: 1 } }))],
    ["an index key of another type", () => put("x", { due_at: 1 })],
    ["an empty index key", () => put("x", { due: "" })],
    ["an item above 400 KB", () => put("x", { a: "x".repeat(400 * 1024) })],
    ["a consistent read of an index", () => query({ IndexName: indexes.due, ConsistentRead: true })],
    ["an index that isn't there", () => query({ IndexName: "nothing" })],
    ["a query without its partition", () => query({ KeyConditionExpression: "sk = :pk" })],
    ["a query for two partitions", () => query({ KeyConditionExpression: "pk = :pk OR sk = :pk" })],
    ["a start in another partition", () => query({ ExclusiveStartKey: { pk: "OTHER", sk: "x" } })],
    ["no items at all", () => query({ Limit: 0 })],
    [
      "two writes of one item in a transaction",
      () => transact([{ Put: { TableName, Item: key("x") } }, { Delete: { TableName, Key: key("x") } }]),
    ],
    ["an empty transaction", () => transact([])],
  ])("%s", async (_, request) => {
    await expect(request()).rejects.toMatchObject({ name: "ValidationException", $fault: "client" });
  });

  test("another table, and a request that is not about items", async () => {
    const other = new GetCommand({ TableName: "other", Key: key("x") });
    await expect(db.send(other)).rejects.toMatchObject({ name: "ResourceNotFoundException" });
    await expect(dynamoDb.client.send(new DescribeTableCommand({ TableName }))).rejects.toMatchObject({
      name: "UnknownOperationException",
    });
  });
});

describe("updates", () => {
  test("an index behind the end of a list adds one element; numbers keep all their digits", async () => {
    await put("list", { l: ["a"], n: 0.1 });
    await update("list", "SET l[7] = :v, n = n + :n", {
      ExpressionAttributeValues: { ":v": "b", ":n": 0.2 },
    });
    expect(await get("list")).toEqual({ ...key("list"), l: ["a", "b"], n: 0.3 });
  });

  test("ALL_OLD of a new item is nothing", async () => {
    const { Attributes } = await update("new", "SET a = :v", {
      ExpressionAttributeValues: { ":v": 1 },
      ReturnValues: "ALL_OLD",
    });
    expect(Attributes).toBeUndefined();
  });

  test("names that objects inherit are names like others", async () => {
    await put("names", { m: { toString: "a", valueOf: "b" } });
    await update("names", "SET m.#p = :v REMOVE m.#c", {
      ExpressionAttributeNames: { "#p": "toString", "#c": "valueOf" },
      ExpressionAttributeValues: { ":v": "c" },
    });
    const item = await get("names");
    expect(item?.m).toEqual({ toString: "c" });
    await expect(
      put("names", {}, { ConditionExpression: "attribute_exists(toString)" }),
    ).rejects.toMatchObject({ name: "ConditionalCheckFailedException" });
  });
});

describe("reads", () => {
  test("a page has 1 MB at most, and the next one begins where it ended, in both directions", async () => {
    for (let at = 0; at < 7; at += 1) await put(`page ${at}`, { a: "x".repeat(300_000) });
    for (const ScanIndexForward of [true, false]) {
      const pages: string[][] = [];
      let start: Record<string, unknown> | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await query({
          KeyConditionExpression: "pk = :pk AND begins_with(sk, :page)",
          ExpressionAttributeValues: { ":pk": "RULES", ":page": "page" },
          ScanIndexForward,
          ExclusiveStartKey: start,
        });
        pages.push(Items.map(({ sk }) => sk));
        start = LastEvaluatedKey;
      } while (start !== undefined);
      expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
      const order = [0, 1, 2, 3, 4, 5, 6].map((at) => `page ${at}`);
      expect(pages.flat()).toEqual(ScanIndexForward ? order : order.reverse());
    }
  });

  test("of an index with many items of one key, pages lose and repeat none", async () => {
    const ids = Array.from({ length: 25 }, (_, at) => `due ${String(at).padStart(2, "0")}`);
    for (const id of ids) await put(id, { due: "PAGES", due_at: "same", id });
    const found: string[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await query({
        IndexName: indexes.due,
        KeyConditionExpression: "due = :pk",
        ExpressionAttributeValues: { ":pk": "PAGES" },
        Limit: 10,
        ExclusiveStartKey: start,
      });
      found.push(...Items.map(({ id }) => id));
      start = LastEvaluatedKey;
    } while (start !== undefined);
    expect(found.toSorted()).toEqual(ids);
  });
});

describe("transactions", () => {
  const condition = { ConditionExpression: "attribute_not_exists(pk)" };
  const one = (sk: string, a: number) => ({ Put: { TableName, Item: { ...key(sk), a }, ...condition } });

  test("write all or nothing, and say which condition failed on what", async () => {
    await put("taken", { a: 1 });
    const failed = transact([
      one("free", 1),
      { Put: { ...one("taken", 2).Put, ReturnValuesOnConditionCheckFailure: "ALL_OLD" } },
    ]);
    await expect(failed).rejects.toMatchObject({
      name: "TransactionCanceledException",
      CancellationReasons: [
        { Code: "None" },
        { Code: "ConditionalCheckFailed", Item: { a: { N: "1" }, pk: { S: "RULES" }, sk: { S: "taken" } } },
      ],
    });
    expect(await get("free")).toBeUndefined();
    await transact([
      one("free", 1),
      {
        ConditionCheck: {
          TableName,
          Key: key("taken"),
          ConditionExpression: "a = :a",
          ExpressionAttributeValues: { ":a": 1 },
        },
      },
    ]);
    expect(await get("free")).toMatchObject({ a: 1 });
  });

  test("are done once for each token; the token of other writes is refused", async () => {
    const ClientRequestToken = "token";
    const add = (n: number) => [
      {
        Update: {
          TableName,
          Key: key("counted"),
          UpdateExpression: "ADD n :n",
          ExpressionAttributeValues: { ":n": n },
        },
      },
    ];
    for (let time = 0; time < 3; time += 1) await transact(add(1), { ClientRequestToken });
    expect(await get("counted")).toMatchObject({ n: 1 });
    await expect(transact(add(2), { ClientRequestToken })).rejects.toMatchObject({
      name: "IdempotentParameterMismatchException",
    });
  });
});

describe("the file", () => {
  test("loses items whose time is over, and their index entries, and no others", async () => {
    const now = new Date("2030-01-01T00:00:00.500Z");
    const seconds = Math.floor(now.getTime() / 1000);
    for (const [sk, expires_at] of [
      ["expired", seconds],
      ["later", seconds + 1],
      ["never", undefined],
      ["text", String(seconds)],
    ] as const) {
      await put(sk, { expires_at, due: "EXPIRY", due_at: "1", id: sk });
    }
    expect(dynamoDb.removeExpired(now, 100)).toBe(1);
    const { Items } = await query({
      IndexName: indexes.due,
      KeyConditionExpression: "due = :pk",
      ExpressionAttributeValues: { ":pk": "EXPIRY" },
    });
    expect(Items?.map(({ id }) => id).toSorted()).toEqual(["later", "never", "text"]);
  });
});
