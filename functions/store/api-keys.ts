import { createHash, timingSafeEqual } from "node:crypto";
import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Scope } from "../contract/scope.ts";
import { getAccount } from "./accounts.ts";
import { deleteAll } from "./delete-items.ts";
import { accountPartition, queryAll, type Table, unlessConditionFails } from "./table.ts";

/** The public data of an API key, from which the key can't be guessed. Times are ISO 8601. */
export interface ApiKey {
  id: string;
  account: string;
  /** The name that its owner has given it. */
  label?: string | undefined;
  /** What the key permits. */
  scope: Scope;
  created_at: string;
  /** When the key stops to be valid; absent: never. */
  expires_at?: string | undefined;
  /** When a request last used the key. */
  last_used_at?: string;
  revoked_at?: string;
}

interface ApiKeyItem extends Omit<ApiKey, "scope" | "expires_at"> {
  /** Absent in keys from before there were scopes, which permit everything. */
  scope?: Scope;
  /** Not named `expires_at`, which is the attribute by which DynamoDB deletes items. */
  key_expires_at?: string | undefined;
  /** The hash of the key. The key itself is not stored. */
  sha256: string;
  /** The open rate-limit window: its end (ms since the epoch), its limit, and the requests so far. */
  window_ends?: number;
  window_limit?: number;
  window_count?: number;
}

/** The key of a request and the state of its rate-limit window. */
export interface Admission {
  account: string;
  key: ApiKey;
  limit: number;
  /** Requests in this window, including this one. */
  count: number;
  /** When the window ends, in ms since the epoch. */
  windowEnds: number;
}

/** A key that was valid until this time. */
export interface ExpiredKey {
  expired_at: string;
}

/** The default limit of requests in a window, and the length of a window. */
export const RATE_LIMIT = 50;
export const RATE_WINDOW_MS = 10_000;

/** What the partition keys of API keys begin with. */
export const KEYS = "KEY#";
const itemKey = (id: string) => ({ pk: `${KEYS}${id}`, sk: "KEY" });

/** Keys are stored by id alone, so that a request can find its key. These items list the keys of an account. */
const LISTED = "KEY#";
const listingKey = ({ account, id }: Pick<ApiKey, "account" | "id">) => ({
  pk: accountPartition(account),
  sk: `${LISTED}${id}`,
});

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Stores a key with its hash. The list item comes first, so that every valid key is listed. */
export async function putApiKey(
  table: Table,
  { expires_at: key_expires_at, ...apiKey }: ApiKey,
  sha256: string,
): Promise<void> {
  const { db, name: TableName } = table;
  await db.send(new PutCommand({ TableName, Item: { ...listingKey(apiKey), id: apiKey.id } }));
  const Item: ApiKeyItem = { ...itemKey(apiKey.id), ...apiKey, key_expires_at, sha256 };
  const put = new PutCommand({ TableName, Item, ConditionExpression: "attribute_not_exists(pk)" });
  if ((await unlessConditionFails(db.send(put))) !== undefined) return;
  // If the answer to a successful write is lost, its repetition by the SDK fails.
  const stored = await readApiKey(table, apiKey.id);
  if (stored?.sha256 !== sha256) throw new Error(`There is another key with the id ${apiKey.id}. Try again.`);
}

/** All keys of an account, newest first, including revoked ones. */
export async function listApiKeys(table: Table, account: string): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  const listed = queryAll<{ id: string }>(table, {
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :listed)",
    ExpressionAttributeValues: { ":pk": accountPartition(account), ":listed": LISTED },
    ConsistentRead: true,
  });
  for await (const { id } of listed) {
    const item = await readApiKey(table, id);
    if (item !== undefined) keys.push(apiKeyOf(item));
  }
  return keys.sort((one, other) => other.created_at.localeCompare(one.created_at));
}

/** Deletes all keys of an account. Each loses its access before it leaves the list. */
export async function deleteApiKeys(table: Table, account: string): Promise<void> {
  for (const { id } of await listApiKeys(table, account)) {
    await deleteAll(table, [itemKey(id)]);
    await deleteAll(table, [listingKey({ account, id })]);
  }
}

/** Revokes a key; undefined if there is no such key. A second revocation keeps the first time. */
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
  const result = await unlessConditionFails(db.send(update));
  return result && apiKeyOf(result.Attributes as ApiKeyItem);
}

/**
 * Authenticates a key and counts the request against its rate limit in one write. The first request opens a window, and
 * later requests only add to it. A window that was opened by a clock that was ahead is opened again. Nothing is kept in
 * memory, so a revoked key fails from the next request on. Returns undefined for an unknown, wrong or revoked key, after
 * the same two requests in each case, and an ExpiredKey for a right key that has expired. The table compares hashes, so timing reveals at most a part of a random key's hash.
 *
 * If the table can't store anything, such as on a full disk, a request that only reads (`isRead`) is admitted uncounted.
 */
export async function admit(
  table: Table,
  id: string,
  key: string,
  now: Date,
  { isRead = false } = {},
): Promise<Admission | ExpiredKey | undefined> {
  const hash = sha256(key);
  try {
    return await admitCounted(table, id, hash, now);
  } catch (error) {
    const item = isRead ? await validApiKey(table, id, hash) : undefined;
    const account = item && (await getAccount(table, item.account));
    if (item === undefined || account === undefined) throw error;
    const limit = account.rate_limit ?? RATE_LIMIT;
    const windowEnds = now.getTime() + RATE_WINDOW_MS;
    return expiryOf(item, now) ?? { account: item.account, key: apiKeyOf(item), limit, count: 0, windowEnds };
  }
}

async function admitCounted(
  table: Table,
  id: string,
  hash: string,
  now: Date,
): Promise<Admission | ExpiredKey | undefined> {
  const counted = await countRequest(table, id, hash, now);
  if (counted !== undefined) return counted;

  const item = await validApiKey(table, id, hash);
  if (item === undefined) return undefined;
  const account = await getAccount(table, item.account);
  if (account === undefined) return undefined;
  const expired = expiryOf(item, now);
  if (expired !== undefined) return expired;
  const opened = await openWindow(table, item, account.rate_limit ?? RATE_LIMIT, now);
  // A window is opened once: a concurrent request finds it open.
  return opened ?? countRequest(table, id, hash, now);
}

function expiryOf({ key_expires_at: expired_at }: ApiKeyItem, now: Date): ExpiredKey | undefined {
  return expired_at !== undefined && expired_at <= now.toISOString() ? { expired_at } : undefined;
}

/** Whether a key is valid. Unlike `admit`, it does not count a request. */
export async function isValidApiKey(table: Table, id: string, key: string, now: Date): Promise<boolean> {
  const item = await validApiKey(table, id, sha256(key));
  return item !== undefined && expiryOf(item, now) === undefined;
}

/** The stored key with this id, if it has this hash and was not revoked. */
async function validApiKey(table: Table, id: string, hash: string): Promise<ApiKeyItem | undefined> {
  const item = await readApiKey(table, id);
  const isRight = sameHash(item?.sha256 ?? NO_HASH, hash);
  return isRight && item?.revoked_at === undefined ? item : undefined;
}

/** A window that ends later than this was opened by a clock that was ahead. Allows for requests that arrive out of order. */
const latestEnd = (now: Date) => now.getTime() + 2 * RATE_WINDOW_MS;

const IS_VALID =
  "sha256 = :hash AND attribute_not_exists(revoked_at) AND (attribute_not_exists(key_expires_at) OR key_expires_at > :used)";

async function countRequest({ db, name: TableName }: Table, id: string, hash: string, now: Date) {
  const result = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key: itemKey(id),
        UpdateExpression: "SET last_used_at = :used ADD window_count :one",
        ConditionExpression: `${IS_VALID} AND window_ends > :now AND window_ends <= :latest`,
        ExpressionAttributeValues: {
          ":one": 1,
          ":hash": hash,
          ":now": now.getTime(),
          ":latest": latestEnd(now),
          ":used": now.toISOString(),
        },
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
        UpdateExpression:
          "SET window_ends = :ends, window_limit = :limit, window_count = :one, last_used_at = :used",
        ConditionExpression: `${IS_VALID} AND (attribute_not_exists(window_ends) OR window_ends <= :now OR window_ends > :latest)`,
        ExpressionAttributeValues: {
          ":one": 1,
          ":hash": sha256,
          ":now": now.getTime(),
          ":ends": now.getTime() + RATE_WINDOW_MS,
          ":latest": latestEnd(now),
          ":limit": limit,
          ":used": now.toISOString(),
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

/** Compared with the hash of a key with an unknown id, so that it takes as long as a wrong key. */
const NO_HASH = sha256("");

const sameHash = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other));

const apiKeyOf = ({
  id,
  account,
  label,
  scope = "write",
  created_at,
  key_expires_at: expires_at,
  last_used_at,
  revoked_at,
}: ApiKeyItem): ApiKey => ({
  id,
  account,
  ...(label !== undefined && { label }),
  scope,
  created_at,
  ...(expires_at !== undefined && { expires_at }),
  ...(last_used_at !== undefined && { last_used_at }),
  ...(revoked_at !== undefined && { revoked_at }),
});

function admissionOf(item: ApiKeyItem): Admission {
  const {
    account,
    window_limit: limit = RATE_LIMIT,
    window_count: count = 0,
    window_ends: windowEnds = 0,
  } = item;
  return { account, key: apiKeyOf(item), limit, count, windowEnds };
}
