import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { sha256 } from "./api-keys.ts";
import { accountPartition, type Table, TTL_ATTRIBUTE, unlessConditionFails } from "./table.ts";

const LIFETIME_MS = 24 * 60 * 60 * 1000;
/** The clocks of two processes differ by less than this. */
const SKEW_MS = 5 * 60 * 1000;
/** A record that expires later than this, in seconds, was made by a clock that was ahead, and does not count. */
const latestExpiry = (now: Date) => Math.ceil((now.getTime() + LIFETIME_MS + SKEW_MS) / 1000);

/** The request's fingerprint, and what is created for it. */
export type IdempotencyRecord<Created> = { fingerprint: string } & Created;

const keyOf = (account: string, idempotencyKey: string) => ({
  pk: `${accountPartition(account)}#IDEMPOTENCY#${sha256(idempotencyKey)}`,
  sk: "IDEMPOTENCY",
});

export async function findRecord<Created>(
  { db, name: TableName }: Table,
  account: string,
  idempotencyKey: string,
  now: Date,
): Promise<IdempotencyRecord<Created> | undefined> {
  const Key = keyOf(account, idempotencyKey);
  const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  if (Item === undefined) return undefined;
  const expiry: number = Item[TTL_ATTRIBUTE];
  // DynamoDB removes expired items within days, not at once.
  const isValid = expiry * 1000 > now.getTime() && expiry <= latestExpiry(now);
  return isValid ? (Item as IdempotencyRecord<Created>) : undefined;
}

/** False if an earlier request has used this key. */
export async function putRecord<Created>(
  { db, name: TableName }: Table,
  account: string,
  idempotencyKey: string,
  record: IdempotencyRecord<Created>,
  now: Date,
): Promise<boolean> {
  const put = new PutCommand({
    TableName,
    Item: {
      ...keyOf(account, idempotencyKey),
      ...record,
      [TTL_ATTRIBUTE]: Math.ceil((now.getTime() + LIFETIME_MS) / 1000),
    },
    ConditionExpression: "attribute_not_exists(pk) OR expires_at <= :now OR expires_at > :latest",
    ExpressionAttributeValues: { ":now": Math.floor(now.getTime() / 1000), ":latest": latestExpiry(now) },
  });
  return (await unlessConditionFails(db.send(put))) !== undefined;
}
