import {
  ConditionalCheckFailedException,
  type CreateTableCommandInput,
  type DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";

/** The one table and the client that speaks to it. */
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
  /** What has to be looked at by a time: items leave it by losing `due`, so it stays as small as the work in hand. */
  due: "due",
} as const;

/**
 * Keys and indexes of the table, by attribute name. Each entity's own file spells its keys:
 * accounts, api-keys, scrapers, runs, rows, credits, idempotency.
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

/** The items of a query, read as they are taken: a page of at most 1 MB, or of `Limit` items, at a time. */
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

/** Runs a conditional write; undefined when its condition did not hold. */
export async function unlessConditionFails<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** The partition of one account: everything an account owns is keyed below it. */
export const accountPartition = (account: string) => `ACCOUNT#${account}`;
