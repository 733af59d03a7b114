import { createHash, timingSafeEqual } from "node:crypto";
import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { getAccount } from "./accounts.ts";
import { type Table, unlessConditionFails } from "./table.ts";

/** A stored API key: of the key itself only its SHA-256. */
export interface ApiKey {
  id: string;
  account: string;
  sha256: string;
  created_at: string;
  revoked_at?: string;
}

interface ApiKeyItem extends ApiKey {
  /** The rate-limit window that is open: when it ends (ms since the epoch), its limit, the requests so far. */
  window_ends?: number;
  window_limit?: number;
  window_count?: number;
}

/** Who asks, and how much of the rate-limit window this request has left. */
export interface Admission {
  account: string;
  limit: number;
  /** Requests in this window, this one included. */
  count: number;
  /** When the window ends, in ms since the epoch. */
  windowEnds: number;
}

/** Requests in a window, and its length, where an account has no limit of its own. */
export const RATE_LIMIT = 50;
export const RATE_WINDOW_MS = 10_000;

const itemKey = (id: string) => ({ pk: `KEY#${id}`, sk: "KEY" });

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export async function putApiKey({ db, name: TableName }: Table, apiKey: ApiKey): Promise<void> {
  const Item = { ...itemKey(apiKey.id), ...apiKey };
  await db.send(new PutCommand({ TableName, Item, ConditionExpression: "attribute_not_exists(pk)" }));
}

/** Revokes a key; undefined when there is none of this id. Revoking twice keeps the first time. */
export async function revokeApiKey(
  { db, name: TableName }: Table,
  id: string,
  now: Date,
): Promise<ApiKey | undefined> {
  const update = new UpdateCommand({
    TableName,
    Key: itemKey(id),
    UpdateExpression: "SET revoked_at = if_not_exists(revoked_at, :now)",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeValues: { ":now": now.toISOString() },
    ReturnValues: "ALL_NEW",
  });
  return (await unlessConditionFails(db.send(update)))?.Attributes as ApiKey | undefined;
}

/**
 * Authenticates a key and counts the request against its rate limit, in one write: a window opens with its first
 * request and all later ones only add to it. Undefined for a key that is unknown, wrong or revoked.
 */
export async function admit(
  table: Table,
  id: string,
  key: string,
  now: Date,
): Promise<Admission | undefined> {
  const hash = sha256(key);
  const counted = await countRequest(table, id, hash, now);
  if (counted !== undefined) return counted;

  const item = await readApiKey(table, id);
  if (item === undefined || item.revoked_at !== undefined || !sameHash(item.sha256, hash)) return undefined;
  const account = await getAccount(table, item.account);
  if (account === undefined) return undefined;
  const opened = await openWindow(table, item, account.rate_limit ?? RATE_LIMIT, now);
  // Nobody opens a window twice: whoever comes second finds it open.
  return opened ?? countRequest(table, id, hash, now);
}

async function countRequest({ db, name: TableName }: Table, id: string, hash: string, now: Date) {
  const result = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key: itemKey(id),
        UpdateExpression: "ADD window_count :one",
        ConditionExpression: "sha256 = :hash AND attribute_not_exists(revoked_at) AND window_ends > :now",
        ExpressionAttributeValues: { ":one": 1, ":hash": hash, ":now": now.getTime() },
        ReturnValues: "ALL_NEW",
      }),
    ),
  );
  return result && admissionOf(result.Attributes as ApiKeyItem);
}

async function openWindow(
  { db, name: TableName }: Table,
  { id, sha256 }: ApiKeyItem,
  limit: number,
  now: Date,
) {
  const result = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key: itemKey(id),
        UpdateExpression: "SET window_ends = :ends, window_limit = :limit, window_count = :one",
        ConditionExpression:
          "sha256 = :hash AND attribute_not_exists(revoked_at) AND (attribute_not_exists(window_ends) OR window_ends <= :now)",
        ExpressionAttributeValues: {
          ":one": 1,
          ":hash": sha256,
          ":now": now.getTime(),
          ":ends": now.getTime() + RATE_WINDOW_MS,
          ":limit": limit,
        },
        ReturnValues: "ALL_NEW",
      }),
    ),
  );
  return result && admissionOf(result.Attributes as ApiKeyItem);
}

async function readApiKey({ db, name: TableName }: Table, id: string): Promise<ApiKeyItem | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName, Key: itemKey(id), ConsistentRead: true }));
  return Item as ApiKeyItem | undefined;
}

const sameHash = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other));

function admissionOf(item: ApiKeyItem): Admission {
  const {
    account,
    window_limit: limit = RATE_LIMIT,
    window_count: count = 0,
    window_ends: windowEnds = 0,
  } = item;
  return { account, limit, count, windowEnds };
}
