import { setTimeout as sleep } from "node:timers/promises";
import {
  ConditionalCheckFailedException,
  type CreateTableCommandInput,
  type DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { type FileStore, NO_FILES } from "./files.ts";

/** The table and its client, and what is too large for it. */
export interface Table {
  readonly name: string;
  readonly db: DynamoDBDocumentClient;
  /** Where the files of runs are. */
  readonly files: FileStore;
}

export const openTable = (client: DynamoDBClient, name: string, files: FileStore = NO_FILES): Table => ({
  name,
  files,
  db: DynamoDBDocumentClient.from(client, {
    // An object with a field named constructor counts as an instance of a class.
    marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
  }),
});

export const indexes = {
  /** Runs of one scraper in the order of their numbers. */
  runsByScraper: "runs-by-scraper",
  /** Items that need attention by a time. Items without `due` are not in this index, so it contains only open work. */
  due: "due",
} as const;

/**
 * Keys and indexes of the table, by attribute name. The file of each entity defines the values of its keys;
 * docs/architecture.md lists all items.
 */
export const tableSchema: Pick<
  CreateTableCommandInput,
  "AttributeDefinitions" | "KeySchema" | "GlobalSecondaryIndexes"
> = {
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
    { AttributeName: "scraper_runs", AttributeType: "S" },
    { AttributeName: "scraper_number", AttributeType: "S" },
    { AttributeName: "due", AttributeType: "S" },
    { AttributeName: "due_at", AttributeType: "S" },
  ],
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: indexes.runsByScraper,
      KeySchema: [
        { AttributeName: "scraper_runs", KeyType: "HASH" },
        { AttributeName: "scraper_number", KeyType: "RANGE" },
      ],
      // Only the keys, so that a change of a run costs nothing here.
      Projection: { ProjectionType: "KEYS_ONLY" },
    },
    {
      IndexName: indexes.due,
      KeySchema: [
        { AttributeName: "due", KeyType: "HASH" },
        { AttributeName: "due_at", KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["id", "account"] },
    },
  ],
};

/** The attribute by which DynamoDB expires items: seconds since the epoch. */
export const TTL_ATTRIBUTE = "expires_at";

/** The items of a query. Reads a page of at most 1 MB or `Limit` items at a time, as the caller consumes them. */
export async function* queryAll<T>(
  { db, name: TableName }: Table,
  query: Omit<QueryCommandInput, "TableName">,
): AsyncGenerator<T> {
  let next: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await db.send(
      new QueryCommand({ TableName, ...query, ExclusiveStartKey: next }),
    );
    yield* Items as T[];
    next = LastEvaluatedKey;
  } while (next !== undefined);
}

export type Key = Record<string, unknown>;

/** The table has failed to serve a request, after all retries. `$fault`: as in the errors of the SDK. */
export class TableOverloaded extends Error {
  override readonly name = "TableOverloaded";
  readonly $fault = "server";
}

/** DynamoDB's limit for one BatchGetItem. */
const MOST_KEYS = 100;
/**
 * DynamoDB returns only the items that it has capacity for. After this many incomplete responses, the table counts as
 * overloaded.
 */
const MOST_ANSWERS = 10;

/** The items with these keys, in no particular order; a key without an item is left out. */
export async function getAll<T>(
  { db, name }: Table,
  keys: readonly Key[],
  { consistent = true } = {},
): Promise<T[]> {
  const items: T[] = [];
  let left = keys;
  for (let answers = 0; left.length > 0; answers += 1) {
    if (answers >= MOST_ANSWERS + keys.length / MOST_KEYS)
      throw new TableOverloaded("The table did not return all items.");
    const Keys = left.slice(0, MOST_KEYS);
    const { Responses, UnprocessedKeys } = await db.send(
      new BatchGetCommand({ RequestItems: { [name]: { Keys, ConsistentRead: consistent } } }),
    );
    items.push(...((Responses?.[name] ?? []) as T[]));
    const unprocessed = (UnprocessedKeys?.[name]?.Keys ?? []) as Key[];
    if (unprocessed.length > 0) await sleep(backoff(answers));
    left = [...unprocessed, ...left.slice(MOST_KEYS)];
  }
  return items;
}

/** Why a transaction can succeed later: the SDK does not repeat it. */
const TEMPORARY = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);
/** Waits before the writes of other transactions are tried again. With these, a transaction takes at most 3 s. */
const CONFLICT_RETRIES = 8;
const backoff = (retries: number) => Math.random() * 20 * 2 ** Math.min(retries, 6);

/** One write of a transaction. */
export type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/**
 * Writes all or nothing; false if the condition of one of the writes failed. Retries conflicts with other transactions, and
 * throttled writes. @throws TableOverloaded
 */
export async function transact({ db }: Table, token: string, TransactItems: Write[]): Promise<boolean> {
  // With the token, repeating a transaction that succeeded has no effect.
  const command = () => new TransactWriteCommand({ ClientRequestToken: token, TransactItems });
  for (let retries = 0; ; retries += 1) {
    try {
      await db.send(command());
      return true;
    } catch (error) {
      const codes =
        error instanceof TransactionCanceledException
          ? (error.CancellationReasons ?? []).map(({ Code }) => Code)
          : [];
      if (codes.includes("ConditionalCheckFailed")) return false;
      if (!codes.some((code) => TEMPORARY.has(code ?? ""))) throw error;
      if (retries === CONFLICT_RETRIES)
        throw new TableOverloaded(`The table refused a transaction: ${codes.join(", ")}`, { cause: error });
    }
    await sleep(backoff(retries));
  }
}

/** Runs a write, again while it conflicts with transactions on the same item. */
export async function unlessConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || retries === CONFLICT_RETRIES) throw error;
    }
    await sleep(backoff(retries));
  }
}

/** Runs a conditional write; undefined if its condition failed. */
export async function unlessConditionFails<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** The partitions of all accounts start with this. */
export const ACCOUNTS = "ACCOUNT#";

/** The partition of an account. The keys of everything that it owns start with this. */
export const accountPartition = (account: string) => `${ACCOUNTS}${account}`;
