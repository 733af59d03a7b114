import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import dynalite from "dynalite";
import { buildApp } from "fauxqs";
import type { QueueUrls } from "../functions/queues.ts";
import { tableSchema } from "../functions/store/table.ts";
import { makeWritesAtomic } from "./atomic-writes.ts";
import { closeIteratorsOnReturn } from "./close-iterators.ts";
import { dynamoDbClient, emulatorOptions, TABLE_NAME } from "./dynamodb-client.ts";

const HOST = "127.0.0.1";

/** How long a received message is hidden from other consumers: longer than any worker takes. */
const VISIBILITY_SECONDS = { runs: 900, webhooks: 60 };

/** DynamoDB and SQS inside this process, on free loopback ports. */
export interface Emulators {
  dynamoDb: DynamoDBClient;
  dynamoDbEndpoint: string;
  sqs: SQSClient;
  sqsEndpoint: string;
  queueUrls: QueueUrls;
  close(): Promise<void>;
}

/**
 * Starts both. The table is on disk in `folder` and the queues are in memory: the table records all work in progress,
 * so a restart fills the queues from it.
 */
export async function startEmulators(folder: string): Promise<Emulators> {
  makeWritesAtomic();
  closeIteratorsOnReturn();
  const table = dynalite({ path: folder, createTableMs: 0 });
  const dynamoDbEndpoint = await listen(table);
  const dynamoDb = dynamoDbClient(dynamoDbEndpoint);
  await createTable(dynamoDb);

  // The start function of fauxqs would listen on every interface.
  const queues = buildApp({ logger: false });
  const sqsEndpoint = await queues.listen({ port: 0, host: HOST });
  const sqs = new SQSClient(emulatorOptions(sqsEndpoint));
  const [runs, webhooks] = await Promise.all([
    createQueue(sqs, "runs", VISIBILITY_SECONDS.runs),
    createQueue(sqs, "webhooks", VISIBILITY_SECONDS.webhooks),
  ]);
  return {
    dynamoDb,
    dynamoDbEndpoint,
    sqs,
    sqsEndpoint,
    queueUrls: { runs, webhooks },
    async close() {
      sqs.destroy();
      dynamoDb.destroy();
      await queues.close();
      table.closeAllConnections();
      await new Promise((resolve) => table.close(resolve));
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, HOST);
  await once(server, "listening");
  return `http://${HOST}:${(server.address() as AddressInfo).port}`;
}

export async function createTable(client: DynamoDBClient): Promise<void> {
  try {
    await client.send(
      new CreateTableCommand({ TableName: TABLE_NAME, BillingMode: "PAY_PER_REQUEST", ...tableSchema }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists(
    { client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.1 },
    { TableName: TABLE_NAME },
  );
}

async function createQueue(sqs: SQSClient, QueueName: string, visibilitySeconds: number): Promise<string> {
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({ QueueName, Attributes: { VisibilityTimeout: String(visibilitySeconds) } }),
  );
  if (QueueUrl === undefined) throw new Error(`The queue ${QueueName} could not be created.`);
  return QueueUrl;
}
