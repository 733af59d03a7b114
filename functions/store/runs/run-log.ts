import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { LOG_FIRST, LOG_LAST, LogEvent } from "../../contract/runs/run-log.ts";
import type { RunRef, StoredRun } from "../../runs/run.ts";
import { logEventOf, type RunEvent } from "../../runs/run-event.ts";
import { accountPartition, queryAll, type Table } from "../table.ts";
import { numberKey } from "./numbering.ts";

/*
 * The newest events of a run are in its state, where they cost nothing: a write is charged by the whole kilobyte, and the
 * state is written anyway. When they are too many for that, they become a chunk, an item of its own.
 */

/** The most bytes of events in a run's state, which has other 600 or 700 bytes. */
const TAIL_BYTES = 256;

export const logPartition = ({ account, id }: RunRef) => `${accountPartition(account)}#RUN#${id}#LOG`;

type LogWriter = Pick<StoredRun, "account" | "id" | "attempt" | "expires_at">;

/**
 * Stores events of a run that are in no chunk. Returns what the run's state has to contain (`log`), or the size of the
 * chunk that was stored instead.
 */
export async function storeLog(
  table: Table,
  run: LogWriter,
  events: readonly RunEvent[],
): Promise<{ log?: Uint8Array; chunkBytes: number }> {
  if (events.length === 0) return { chunkBytes: 0 };
  const data = encodeLog(events);
  if (data.length <= TAIL_BYTES) return { log: data, chunkBytes: 0 };
  await putLog(table, run, events);
  return { chunkBytes: data.length };
}

/** Stores events as a chunk. A repetition with more events replaces it. */
export async function putLog(
  { db, name: TableName }: Table,
  run: LogWriter,
  events: readonly RunEvent[],
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
  const { log_count: count = 0 } = run;
  const tail = decodeLog(run.log);
  // A later attempt uses the numbers of events again whose progress an earlier one could not store.
  const events = new Map<number, RunEvent>();
  if (count > 0 && tail[0]?.seq !== 0)
    for await (const event of chunkedEvents(table, run)) events.set(event.seq, event);
  for (const event of tail) events.set(event.seq, event);
  const stored = [...events.values()].filter(({ seq }) => seq < count);
  return keptOf(stored.sort((one, other) => one.seq - other.seq)).map((event) => logEventOf(event, run));
}

async function* chunkedEvents(table: Table, run: RunRef): AsyncGenerator<RunEvent> {
  const chunks = queryAll<{ data: Uint8Array }>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": logPartition(run) },
    ConsistentRead: true,
  });
  for await (const { data } of chunks) yield* decodeLog(data);
}

/** The first events of a log and the last of these. */
export const keptOf = <T extends { seq: number }>(events: readonly T[]): T[] => {
  const first = events.filter(({ seq }) => seq < LOG_FIRST);
  const later = events.filter(({ seq }) => seq >= LOG_FIRST);
  return [...first, ...later.slice(-LOG_LAST)];
};

/** Codes are stored as their index in this list, so add new ones at the end. */
const CODES = LogEvent.entries.code.options;

/** How many numbers are left out before the event, how many ms after the one before it came, and what it says. */
type Packed = [
  left: number,
  later: number,
  code: number,
  step: number | null,
  rows?: number | null,
  ms?: number | null,
  url?: string | null,
  message?: string | null,
];

// For texts this short, Brotli's result is a tenth smaller than gzip's.
export const encodeLog = (events: readonly RunEvent[]): Uint8Array =>
  brotliCompressSync(JSON.stringify(packed(events)));
export const decodeLog = (data: Uint8Array | undefined): RunEvent[] =>
  data === undefined ? [] : unpacked(JSON.parse(brotliDecompressSync(data).toString()));

function packed(events: readonly RunEvent[]): Packed[] {
  let next = 0;
  let last = 0;
  return events.map(({ seq, at, code, step, rows, ms, url, message }) => {
    const time = Date.parse(at);
    const values = [seq - next, time - last, CODES.indexOf(code), step, rows, ms, url, message];
    next = seq + 1;
    last = time;
    return values.slice(0, values.findLastIndex((value) => value !== undefined) + 1) as Packed;
  });
}

function unpacked(events: readonly Packed[]): RunEvent[] {
  let next = 0;
  let time = 0;
  return events.map(([left, later, code, step, rows, ms, url, message]) => {
    const seq = next + left;
    next = seq + 1;
    time += later;
    return {
      seq,
      at: new Date(time).toISOString(),
      code: CODES[code] as LogEvent["code"],
      step,
      ...(typeof url === "string" && { url }),
      ...(typeof rows === "number" && { rows }),
      ...(typeof ms === "number" && { ms }),
      ...(typeof message === "string" && { message }),
    };
  });
}
