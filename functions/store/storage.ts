import type { Progress, StoredRun } from "../runs/run.ts";
import { numberKey, numberOf } from "./runs/numbering.ts";
import { accountPartition, queryAll, type Table, TTL_ATTRIBUTE } from "./table.ts";

/*
 * How many bytes an account's runs store: their rows as JSON before compression, and all else that each run has. A run is
 * added in the transaction that ends it, a large one also while it is in progress, and subtracted in the transaction that
 * deletes it. Its state says how much of it is counted, so nothing counts twice. Runs that expire count in items that
 * expire, too: at the end of the month in which the runs do. A run's number selects one of several items, because
 * transactions on the same item exclude each other.
 */
const PARTS = 16;
/** In place of the month, for runs that do not expire. */
const KEPT = "KEPT";

/** What an account may store if its own limit is not set: 10 GB. */
export const STORAGE_LIMIT = 10_000_000_000;

export const storagePartition = (account: string) => `${accountPartition(account)}#STORAGE`;

/** The run whose bytes are stored or deleted. */
export type Storing = Pick<StoredRun, "account" | "id" | "expires_at">;

/** What each run takes besides the following: its settings, its state, and the attempts at its webhook. */
const RUN_BYTES = 1_000;

/** The bytes that a run stores: its steps, its input if it is a part of a batch, and what it has produced. */
export const bytesOf = (
  { steps, input }: Pick<StoredRun, "steps" | "input">,
  { row_bytes: rows, other_bytes: other = 0 }: Pick<Progress, "row_bytes" | "other_bytes">,
): number => RUN_BYTES + Buffer.byteLength(JSON.stringify([steps, input])) + rows + other;

/** Adds bytes of a run to those of its account, or subtracts them. For a transaction that changes the run, too. */
export function storageUpdate({ name: TableName }: Table, run: Storing, bytes: number) {
  const expiry = run.expires_at === undefined ? undefined : endOfMonth(new Date(run.expires_at * 1000));
  const part = (numberOf(run.id) ?? 0) % PARTS;
  return {
    TableName,
    Key: {
      pk: storagePartition(run.account),
      sk: `${expiry === undefined ? KEPT : expiry.toISOString()}#${numberKey(part)}`,
    },
    UpdateExpression: expiry === undefined ? "ADD #bytes :bytes" : "SET #ttl = :ttl ADD #bytes :bytes",
    ExpressionAttributeNames: { "#bytes": "bytes", ...(expiry && { "#ttl": TTL_ATTRIBUTE }) },
    ExpressionAttributeValues: { ":bytes": bytes, ...(expiry && { ":ttl": expiry.getTime() / 1000 }) },
  };
}

const endOfMonth = (time: Date) => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1));

/** The bytes that are counted of the account's runs. */
export async function storedBytes(table: Table, account: string): Promise<number> {
  let sum = 0;
  const parts = queryAll<{ bytes: number }>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": storagePartition(account) },
    ConsistentRead: true,
  });
  for await (const { bytes } of parts) sum += bytes;
  return sum;
}
