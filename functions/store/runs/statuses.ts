import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { PAGE_SIZE } from "../../contract/route.ts";
import type { RunStatus } from "../../contract/runs/run-status.ts";
import type { RunState, StoredRun } from "../../runs/run.ts";
import { NEVER_AFTER_MS, type Page } from "../pages.ts";
import { queryAll, type Table } from "../table.ts";
import { type Extent, readExtent } from "./gaps.ts";
import { numberKey, timeOf } from "./numbering.ts";
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
  const found: StoredRun[] = [];
  let skipped = 0;
  let wanted: number[] = [];
  /** Returns whether there may be more. */
  const read = async (): Promise<boolean> => {
    const [oldest = 1] = wanted.slice(-1);
    const runs = await list.runs(wanted);
    found.push(...runs.filter((run) => run.status === status && !isExpired(run, now)));
    wanted = [];
    // The notes keep the statuses of runs that have expired, which may be very many.
    return runs.length > 0 || (await list.edge("highest", 1, oldest)) !== undefined;
  };
  for await (const number of withStatus({ table, list, now, mostRead: MOST_READ }, status)) {
    if (skipped < (page - 1) * PAGE_SIZE) {
      skipped += 1;
      continue;
    }
    wanted.push(number);
    // One more than a page shows whether there is a following page.
    if (found.length + wanted.length > PAGE_SIZE && !(await read())) break;
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
  try {
    return await countAllRuns(table, account, status, MOST_READ);
  } catch (error) {
    if (error instanceof StatusesUnread) return undefined;
    throw error;
  }
}

/**
 * How many runs have a status. Reads all statuses that are not noted yet, or those of `mostRead` blocks.
 * @throws StatusesUnread
 */
export async function countAllRuns(
  table: Table,
  account: string,
  status: RunStatus,
  mostRead = Number.POSITIVE_INFINITY,
): Promise<number> {
  const list = runNumbers(table, account, undefined);
  let count = 0;
  for await (const _ of withStatus({ table, list, now: new Date(), mostRead }, status)) count += 1;
  return count;
}

interface Reading {
  table: Table;
  list: RunNumbers;
  now: Date;
  /** How many blocks without a note are read at most. */
  mostRead: number;
}

/** The numbers of the runs with a status, newest first. @throws StatusesUnread */
async function* withStatus(reading: Reading, status: RunStatus): AsyncGenerator<number> {
  const { table, list, mostRead } = reading;
  const extent = await readExtent(table, list.keys);
  const notes = notesOf(table, list.notes);
  let note = await notes.next();
  let unread = 0;
  for (let block = blockOf(extent.count); block >= 0; block -= 1) {
    while (!note.done && Number(note.value.sk) > block) note = await notes.next();
    const noted = !note.done && Number(note.value.sk) === block ? note.value : undefined;
    const from = block * BLOCK + 1;
    let numbers: number[];
    if (noted !== undefined) numbers = status === "running" ? [] : numbersIn(noted[status], from);
    else {
      if (unread === mostRead) throw new StatusesUnread();
      unread += 1;
      const statuses = await readBlock(reading, extent, from);
      numbers = numbersWith(statuses, status);
      // So many runs may have expired that the blocks without any can't be read one by one.
      if (statuses.size === 0) block = await blockWithRuns(list, from);
    }
    yield* numbers.filter((number) => !isGap(extent, number)).toReversed();
  }
}

const blockOf = (number: number): number => Math.floor((number - 1) / BLOCK);

/** The block after the next lower one that has runs; 0: there is none. */
async function blockWithRuns(list: RunNumbers, from: number): Promise<number> {
  const lower = from === 1 ? undefined : await list.edge("highest", 1, from - 1);
  return lower === undefined ? 0 : blockOf(lower) + 1;
}

const isGap = ({ gaps }: Extent, number: number): boolean =>
  gaps.some(([from, to]) => from <= number && number <= to);

const notesOf = (table: Table, pk: string): AsyncGenerator<Note> =>
  queryAll<Note>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": pk },
    ScanIndexForward: false,
  });

/** The statuses in the block that begins with a number, by number. Notes the block if nothing in it can change. */
async function readBlock(
  { table, list, now }: Reading,
  extent: Extent,
  from: number,
): Promise<Map<number, RunState["status"]>> {
  const to = Math.min(extent.count, from + BLOCK - 1);
  const statuses = new Map<number, RunState["status"]>();
  for (const { number, state } of await list.states(from, to)) statuses.set(number, state.status);
  const [successful, failed] = [numbersWith(statuses, "successful"), numbersWith(statuses, "failed")];
  const all = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const finished = new Set([...successful, ...failed]);
  const others = all.filter((number) => !finished.has(number) && !isGap(extent, number));
  if (all.length < BLOCK || others.some((number) => statuses.has(number))) return statuses;
  if (others.length > 0 && !(await isOver(list, to, extent, now))) return statuses;
  const update = new UpdateCommand({
    TableName: table.name,
    Key: { pk: list.notes, sk: numberKey(blockOf(from)) },
    UpdateExpression: "SET successful = :successful, failed = :failed",
    ExpressionAttributeValues: { ":successful": bitsOf(successful, from), ":failed": bitsOf(failed, from) },
  });
  await table.db.send(update);
  return statuses;
}

/** The numbers with a status, in ascending order. */
const numbersWith = (statuses: ReadonlyMap<number, RunState["status"]>, wanted: RunStatus): number[] =>
  [...statuses].flatMap(([number, status]) => (status === wanted ? [number] : [])).toSorted((a, b) => a - b);

/** Whether numbers up to this one that have no run will never get one: a run with a higher number is old. */
async function isOver(list: RunNumbers, number: number, { count }: Extent, now: Date): Promise<boolean> {
  const higher = number < count ? await list.edge("lowest", number + 1, count) : undefined;
  if (higher === undefined) return false;
  const [found] = await list.states(higher, higher);
  return found !== undefined && now.getTime() - timeOf(found.state.id).getTime() > NEVER_AFTER_MS;
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
