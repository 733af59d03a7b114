import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { LOG_FIRST, LOG_LAST, type LogEvent } from "../contract/run-log.ts";
import type { RunRef, StoredRun } from "../runs/run.ts";
import { numberKey } from "./numbering.ts";
import { accountPartition, queryAll, type Table } from "./table.ts";

/*
 * The log of a run is stored in chunks: one each time its lease is renewed, if there is something new. The last chunk is
 * stored with the rows where these are few, so that the log of a short run is no item of its own.
 */

export const logPartition = ({ account, id }: RunRef) => `${accountPartition(account)}#RUN#${id}#LOG`;

// Of so short a text, Brotli leaves a fifth less than gzip.
export const encodeLog = (events: readonly LogEvent[]): Uint8Array =>
  brotliCompressSync(JSON.stringify(events));
const decodeLog = (data: Uint8Array): LogEvent[] => JSON.parse(brotliDecompressSync(data).toString());

/** Stores events of an attempt. A repetition with more events replaces the first chunk. */
export async function putLog(
  { db, name: TableName }: Table,
  run: Pick<StoredRun, "account" | "id" | "attempt" | "expires_at">,
  events: readonly LogEvent[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const { attempt, expires_at } = run;
  const Item = {
    pk: logPartition(run),
    sk: `${numberKey(attempt)}#${numberKey(first.seq)}`,
    data: encodeLog(events),
    ...(expires_at !== undefined && { expires_at }),
  };
  await db.send(new PutCommand({ TableName, Item }));
}

/** The events of a run that its log keeps, oldest first. */
export async function readLog(table: Table, run: StoredRun): Promise<LogEvent[]> {
  const chunks = queryAll<{ data: Uint8Array }>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": logPartition(run) },
    ConsistentRead: true,
  });
  // An attempt whose progress was not stored has used numbers that a later one uses again.
  const events = new Map<number, LogEvent>();
  for await (const { data } of chunks) for (const event of decodeLog(data)) events.set(event.seq, event);
  if (run.log !== undefined) for (const event of decodeLog(run.log)) events.set(event.seq, event);
  return keptOf([...events.values()].sort((one, other) => one.seq - other.seq));
}

/** The first events of a log and the last of these. */
export const keptOf = (events: readonly LogEvent[]): LogEvent[] => {
  const first = events.filter(({ seq }) => seq < LOG_FIRST);
  const later = events.filter(({ seq }) => seq >= LOG_FIRST);
  return [...first, ...later.slice(-LOG_LAST)];
};
