import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { PAGE_SIZE } from "../../contract/route.ts";
import type { RunStatus } from "../../contract/run-status.ts";
import type { RunState, StoredRun } from "../../runs/run.ts";
import type { Page } from "../pages.ts";
import { queryAll, type Table } from "../table.ts";
import { type Extent, readExtent } from "./gaps.ts";
import { numberKey } from "./numbering.ts";
import { type RunNumbers, runNumbers } from "./run-numbers.ts";
import { isExpired } from "./runs.ts";

/*
 * Lists of the runs with one status. A finished run keeps its status. So when all runs of a block of numbers have finished,
 * the first reader stores their statuses in a note, and later readers read only the note. Runs themselves write nothing
 * for this.
 */

/** Numbers in a block: their states are one request. */
const BLOCK = 100;
/** Blocks without a note that one request reads at most. */
const MOST_READ = 100;

/** Too many statuses have no note yet. Those that were read have one now, so the same request gets further next time. */
export class StatusesUnread extends Error {
  override readonly name = "StatusesUnread";
}

/** The finished runs of a block, by bits: the first bit is its lowest number. */
interface Note {
  sk: string;
  successful: Uint8Array;
  failed: Uint8Array;
}

export interface StatusQuery {
  page: number;
  scraperId?: string | undefined;
  status: RunStatus;
}

/**
 * Page `page` of the runs with a status, newest first. Every page but the last is full.
 * @throws StatusesUnread
 */
export async function listRunsByStatus(
  table: Table,
  account: string,
  { page, scraperId, status }: StatusQuery,
  now = new Date(),
): Promise<Page<StoredRun>> {
  const list = runNumbers(table, account, scraperId);
  const extent = await readExtent(table, list.keys);
  const found: StoredRun[] = [];
  let skipped = 0;
  let wanted: number[] = [];
  const read = async () => {
    const runs = await list.runs(wanted);
    found.push(...runs.filter((run) => run.status === status && !isExpired(run, now)));
    wanted = [];
  };
  for await (const number of withStatus(table, list, extent, status)) {
    if (skipped < (page - 1) * PAGE_SIZE) {
      skipped += 1;
      continue;
    }
    wanted.push(number);
    // One more than a page shows whether there is a following page.
    if (found.length + wanted.length > PAGE_SIZE) await read();
    if (found.length > PAGE_SIZE) break;
  }
  if (wanted.length > 0) await read();
  return { items: found.slice(0, PAGE_SIZE), nextPage: found.length > PAGE_SIZE ? page + 1 : null };
}

/** How many runs have a status; undefined while too many statuses are not noted yet. */
export async function countRuns(
  table: Table,
  account: string,
  status: RunStatus,
): Promise<number | undefined> {
  const list = runNumbers(table, account, undefined);
  try {
    const numbers = await Array.fromAsync(
      withStatus(table, list, await readExtent(table, list.keys), status),
    );
    return numbers.length;
  } catch (error) {
    if (error instanceof StatusesUnread) return undefined;
    throw error;
  }
}

/** The numbers of the runs with a status, newest first. */
async function* withStatus(
  table: Table,
  list: RunNumbers,
  extent: Extent,
  status: RunStatus,
): AsyncGenerator<number> {
  const dead = (number: number) => extent.gaps.some(([from, to]) => from <= number && number <= to);
  const notes = notesOf(table, list.notes);
  let note = await notes.next();
  let unread = 0;
  for (let block = Math.floor((extent.count - 1) / BLOCK); block >= 0; block -= 1) {
    while (!note.done && Number(note.value.sk) > block) note = await notes.next();
    const noted = !note.done && Number(note.value.sk) === block ? note.value : undefined;
    const from = block * BLOCK + 1;
    let numbers: number[];
    if (noted !== undefined) numbers = status === "running" ? [] : numbersIn(noted[status], from);
    else {
      if (unread === MOST_READ) throw new StatusesUnread();
      unread += 1;
      numbers = await readBlock(
        table,
        list,
        { from, to: Math.min(extent.count, from + BLOCK - 1) },
        status,
        dead,
      );
    }
    yield* numbers.filter((number) => !dead(number)).toReversed();
  }
}

const notesOf = (table: Table, pk: string): AsyncGenerator<Note> =>
  queryAll<Note>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": pk },
    ScanIndexForward: false,
  });

/** The numbers in a block whose runs have a status, in ascending order. Notes the block if nothing in it can change. */
async function readBlock(
  table: Table,
  list: RunNumbers,
  { from, to }: { from: number; to: number },
  status: RunStatus,
  isDead: (number: number) => boolean,
): Promise<number[]> {
  const states = new Map<number, RunState>();
  for (const { number, state } of await list.states(from, to)) states.set(number, state);
  const all = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const of = (wanted: RunStatus) => all.filter((number) => states.get(number)?.status === wanted);
  const [successful, failed] = [of("successful"), of("failed")];
  const isSettled = all.every(
    (number) => isDead(number) || successful.includes(number) || failed.includes(number),
  );
  if (isSettled && all.length === BLOCK) {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: { pk: list.notes, sk: numberKey(Math.floor((from - 1) / BLOCK)) },
      UpdateExpression: "SET successful = :successful, failed = :failed",
      ExpressionAttributeValues: { ":successful": bitsOf(successful, from), ":failed": bitsOf(failed, from) },
    });
    await table.db.send(update);
  }
  return of(status);
}

function bitsOf(numbers: readonly number[], from: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(BLOCK / 8));
  for (const number of numbers) {
    const at = number - from;
    bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  }
  return bits;
}

const numbersIn = (bits: Uint8Array, from: number): number[] =>
  Array.from({ length: BLOCK }, (_, at) => at).flatMap((at) =>
    ((bits[at >> 3] ?? 0) >> (at & 7)) & 1 ? [from + at] : [],
  );
