import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type Schedules, sweptSchedules } from "../functions/schedules/schedules.ts";
import type { SecretStore } from "../functions/secrets/secret.ts";
import { openTable, type Table } from "../functions/store/table.ts";
import { openLocalTable, tableOf } from "./backend.ts";
import { DataFolder, UsageError } from "./data-folder.ts";
import { SecretsFolder } from "./secrets-folder.ts";

/** The service that the command line uses. */
export interface Where {
  /** The data folder of a local service. */
  data: string;
  /** The stack of a service on AWS, instead of a local one. */
  stack?: string | undefined;
}

type Work<T> = (table: Table, schedules: Schedules, secrets: SecretStore) => Promise<T>;

/**
 * Runs `work` on the table, the schedules and the secrets of a service.
 * @throws UsageError if there is no such service
 */
export function withService<T>({ data, stack }: Where, work: Work<T>): Promise<T> {
  return stack === undefined ? onLocal(data, work) : onAws(stack, work);
}

async function onLocal<T>(data: string, work: Work<T>): Promise<T> {
  const folder = new DataFolder(data);
  if (!folder.isInUse()) {
    throw new UsageError(
      `No service is running on the data folder ${folder.path}. Start it with \`npm start\`, or name another folder with --data.`,
    );
  }
  // The service and this process use the same file, each by itself.
  const dynamoDb = openLocalTable(folder.tablePath);
  try {
    return await work(tableOf(dynamoDb), sweptSchedules, new SecretsFolder(folder.secretsPath));
  } finally {
    dynamoDb.close();
  }
}

/** Uses the resources that the outputs of the stack name, with the AWS credentials of the caller. */
async function onAws<T>(stack: string, work: Work<T>): Promise<T> {
  const [{ stackOutputs }, { SchedulerClient }, { eventBridgeSchedules }, { SSMClient }, { ssmSecrets }] =
    await Promise.all([
      import("./stack-outputs.ts"),
      import("@aws-sdk/client-scheduler"),
      import("../functions/schedules/eventbridge-schedules.ts"),
      import("@aws-sdk/client-ssm"),
      import("./ssm-secrets.ts"),
    ]);
  const read = await stackOutputs(stack);
  const target = {
    group: read("ScheduleGroup"),
    targetArn: read("ScheduleTargetArn"),
    roleArn: read("ScheduleRoleArn"),
    deadLetterArn: read("ScheduleDeadLettersArn"),
  };
  const dynamoDb = new DynamoDBClient();
  const scheduler = new SchedulerClient();
  const ssm = new SSMClient();
  try {
    const schedules = eventBridgeSchedules(scheduler, target, () => new Date());
    return await work(
      openTable(dynamoDb, read("TableName")),
      schedules,
      ssmSecrets(ssm, read("SecretsPath")),
    );
  } finally {
    dynamoDb.destroy();
    scheduler.destroy();
    ssm.destroy();
  }
}
