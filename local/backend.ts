import type { Queues } from "../functions/queues.ts";
import type { FileStore } from "../functions/store/files.ts";
import { openTable, type Table, TTL_ATTRIBUTE, tableSchema } from "../functions/store/table.ts";
import { type LocalDynamoDb, openLocalDynamoDb } from "./dynamodb/client.ts";
import { WorkQueue } from "./queues/work-queue.ts";

export const TABLE_NAME = "gleaner";

/** How many runs are executed at the same time: two of one account, and one of another. Each has its own browser. */
export const RUNS_AT_ONCE = 3;
const WEBHOOKS_AT_ONCE = 64;
/** How many batches are looked at at the same time, which takes a moment. */
const BATCHES_AT_ONCE = 8;

/** The replacements for DynamoDB and SQS in this process. */
export interface Backend {
  dynamoDb: LocalDynamoDb;
  runs: WorkQueue;
  webhooks: WorkQueue;
  batches: WorkQueue;
}

/** Opens the table in a file. The queues are in memory: a restart fills them from the table. */
export const openBackend = (tablePath: string): Backend => ({
  dynamoDb: openLocalTable(tablePath),
  runs: new WorkQueue(RUNS_AT_ONCE),
  webhooks: new WorkQueue(WEBHOOKS_AT_ONCE),
  batches: new WorkQueue(BATCHES_AT_ONCE),
});

export const openLocalTable = (tablePath: string): LocalDynamoDb =>
  openLocalDynamoDb(tablePath, TABLE_NAME, tableSchema, TTL_ATTRIBUTE);

/** @param files the place for the files of runs; absent: there is none */
export const tableOf = ({ client }: LocalDynamoDb, files?: FileStore): Table =>
  openTable(client, TABLE_NAME, files);

export const queuesOf = ({ runs, webhooks, batches }: Backend): Queues => ({
  sendRun: async (ref, delaySeconds) => runs.send(ref, delaySeconds),
  sendWebhook: async (ref, delaySeconds) => webhooks.send(ref, delaySeconds),
  sendBatch: async (ref, delaySeconds) => batches.send(ref, delaySeconds),
});
