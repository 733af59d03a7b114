import {
  ConditionalCheckFailedException,
  type CreateTableCommandInput,
  type DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";

/** The table and its client. */
export interface Table {
  readonly name: string;
  readonly db: DynamoDBDocumentClient;
}

export const openTable = (client: DynamoDBClient, name: string): Table => ({
  name,
  db: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
});

export const indexes = {
  /** Runs of one scraper in the order of their numbers. */
  runsByScraper: "runs-by-scraper",
  /** Items that need attention by a time. Items without `due` are not in this index, so it contains only open work. */
  due: "due",
} as const;

/**
 * Keys and indexes of the table, by attribute name. The file of each entity defines the values of its keys: accounts,
 * api-keys, scrapers, runs, rows, credits, idempotency.
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
      Projection: { ProjectionType: "ALL" },
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

/** Runs a conditional write; undefined if its condition failed. */
export async function unlessConditionFails<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** The partition of an account. The keys of everything that it owns start with this. */
export const accountPartition = (account: string) => `ACCOUNT#${account}`;
