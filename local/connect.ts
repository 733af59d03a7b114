import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SecretStore } from "../functions/secrets/secret.ts";
import { openTable, type Table } from "../functions/store/table.ts";
import { openLocalTable, tableOf } from "./backend.ts";
import { noService } from "./client/target.ts";
import { DataFolder } from "./data/data-folder.ts";
import { FilesFolder } from "./data/files-folder.ts";
import { SecretsFolder } from "./secrets/secrets-folder.ts";

/** Which service an operator command uses. */
export interface Where {
  /** The data folder of a local service. */
  data: string;
  /** The CloudFormation stack of a service on AWS. If it is set, `data` is ignored. */
  stack?: string | undefined;
}

/** Uses the table and the secrets of a service. */
export type Work<T> = (table: Table, secrets: SecretStore) => Promise<T>;

/**
 * Runs `work` on the table and the secrets of a service.
 * @throws CommandError if there is no such service
 */
export function withService<T>({ data, stack }: Where, work: Work<T>): Promise<T> {
  return stack === undefined ? onLocal(data, work) : onAws(stack, work);
}

async function onLocal<T>(data: string, work: Work<T>): Promise<T> {
  const folder = new DataFolder(data);
  if (!folder.isInUse()) throw noService(folder, "--data or --stack");
  // The running service has the same SQLite file open; SQLite allows that.
  const dynamoDb = openLocalTable(folder.tablePath);
  try {
    return await work(
      tableOf(dynamoDb, new FilesFolder(folder.filesPath)),
      new SecretsFolder(folder.secretsPath),
    );
  } finally {
    dynamoDb.close();
  }
}

/** Uses the resources that the outputs of the stack name, with the AWS credentials of the caller. */
async function onAws<T>(stack: string, work: Work<T>): Promise<T> {
  const [{ stackOutputs }, { SSMClient }, { ssmSecrets }, { S3Client }, { filesBucket }] = await Promise.all([
    import("./stack-outputs.ts"),
    import("@aws-sdk/client-ssm"),
    import("./secrets/ssm-secrets.ts"),
    import("@aws-sdk/client-s3"),
    import("../functions/store/files-bucket.ts"),
  ]);
  const read = await stackOutputs(stack);
  const dynamoDb = new DynamoDBClient();
  const ssm = new SSMClient();
  const s3 = new S3Client();
  const files = filesBucket(() => ({ s3, name: () => read("FilesBucketName") }));
  try {
    return await work(openTable(dynamoDb, read("TableName"), files), ssmSecrets(ssm, read("SecretsPath")));
  } finally {
    dynamoDb.destroy();
    ssm.destroy();
    s3.destroy();
  }
}
