import { GetQueueUrlCommand, SQSClient } from "@aws-sdk/client-sqs";
import { createQueues } from "../../../functions/queues.ts";
import { openTable } from "../../../functions/store/table.ts";
import { DataFolder } from "../../../local/data-folder.ts";
import { dynamoDbClient, emulatorOptions, TABLE_NAME } from "../../../local/dynamodb-client.ts";
import { startExecutor } from "../../../local/executor.ts";
import { jsonLog } from "../../../local/json-log.ts";
import { addFaults, timing } from "./faults.ts";

/* An executor as a process of its own, beside the one in the service: as on AWS, it may die alone. */
const [data = "", seed = "", ...allowHosts] = process.argv.slice(2);

const service = await new DataFolder(data).readService();
if (service === undefined) throw new Error("no service");
const dynamoDb = dynamoDbClient(service.dynamoDbEndpoint);
const sqs = new SQSClient(emulatorOptions(service.sqsEndpoint));
const urlOf = async (QueueName: string) =>
  (await sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl ?? "";
const [runs, webhooks] = await Promise.all([urlOf("runs"), urlOf("webhooks")]);
addFaults(dynamoDb, sqs, Number(seed));
const executor = startExecutor({
  readSecrets: async () => new Map(),
  table: openTable(dynamoDb, TABLE_NAME),
  queues: createQueues(sqs, { runs, webhooks }),
  sqs,
  queueUrl: runs,
  egress: { allowHosts },
  timing,
  now: () => new Date(),
  log: jsonLog,
});
process.once("SIGTERM", () => executor.stop().then(() => process.exit(0)));
console.log("ready");
