import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { accountPartition, type Table, unlessConditionFails } from "./table.ts";

/** Secrets that sign an account's webhooks, newest first. */
interface SecretsItem {
  secrets: string[];
  version: number;
}

/** During a rotation, the previous secret signs too. */
const VALID_SECRETS = 2;

const secretsKey = (account: string) => ({ pk: accountPartition(account), sk: "WEBHOOK_SECRETS" });

/** The account's secrets, newest first. The first call creates a secret. */
export async function webhookSecrets(
  table: Table,
  account: string,
  newSecret: () => string,
): Promise<string[]> {
  const { secrets } =
    (await readSecrets(table, account)) ?? (await addSecret(table, account, newSecret(), undefined));
  return secrets;
}

/** Adds a new secret. The previous one stays valid until the next rotation. */
export async function rotateWebhookSecret(
  table: Table,
  account: string,
  newSecret: () => string,
): Promise<string[]> {
  const { secrets } = await addSecret(table, account, newSecret(), await readSecrets(table, account));
  return secrets;
}

async function readSecrets(
  { db, name: TableName }: Table,
  account: string,
): Promise<SecretsItem | undefined> {
  const { Item } = await db.send(
    new GetCommand({ TableName, Key: secretsKey(account), ConsistentRead: true }),
  );
  return Item as SecretsItem | undefined;
}

/** Adds a secret to the ones in `before`. If another process has added one first, returns the result of that process. */
async function addSecret(
  table: Table,
  account: string,
  secret: string,
  before: SecretsItem | undefined,
): Promise<SecretsItem> {
  const after = {
    secrets: [secret, ...(before?.secrets ?? [])].slice(0, VALID_SECRETS),
    version: (before?.version ?? 0) + 1,
  };
  const put = new PutCommand({
    TableName: table.name,
    Item: { ...secretsKey(account), ...after },
    ConditionExpression: "attribute_not_exists(pk) OR version = :version",
    ExpressionAttributeValues: { ":version": before?.version ?? 0 },
  });
  const written = await unlessConditionFails(table.db.send(put));
  return written ? after : ((await readSecrets(table, account)) ?? after);
}
