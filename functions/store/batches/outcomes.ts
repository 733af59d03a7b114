import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { BatchHead, StoredBatch } from "../../batches/batch.ts";
import type { RunRef, RunState, StoredRun } from "../../runs/run.ts";
import { derivedId, numberKey, timeOf } from "../runs/numbering.ts";
import { runsPartition } from "../runs/run-keys.ts";
import { readStates } from "../runs/run-state.ts";
import { readRuns } from "../runs/runs.ts";
import { queryAll, type Table } from "../table.ts";
import { headKey, indexIn, noteKey } from "./batch-keys.ts";

/*
 * Which run an input has follows from the batch and the index of the input, so it is stored nowhere, and no input can get
 * two runs. How the inputs have ended is noted for each block of inputs, once all of its runs have finished, because nothing
 * in it can change then. So the notes of a batch with 100,000 inputs are one request.
 */

/** Inputs in a block: their states are one request. */
const BLOCK = 100;

/** The run of an input, whether it exists or not. */
export const runOfInput = (batch: StoredBatch, index: number): RunRef => ({
  account: batch.account,
  id: derivedId(batch.first_number + index, timeOf(batch.id), `${batch.id} ${index}`),
});

/** How an input has ended, or that it has not. */
export interface Outcome {
  status: "running" | "successful" | "failed";
  /** How many rows its run has; 0 until it has finished. */
  rows: number;
  /** Whether it is successful, and its run has warnings. */
  isWarned: boolean;
}

/** The outcomes of a block of inputs that have runs, from the index `first` on. */
export interface Block {
  first: number;
  outcomes: Outcome[];
}

interface Note {
  sk: string;
  /** For each input, the number of rows `n` of a successful run, or `-n - 1` for a failed run, as a JSON array. */
  rows: string;
  /** The places in the block of those with warnings, as a JSON array; absent if there are none. */
  warned?: string;
}

const encode = ({ status, rows }: Outcome): number => (status === "successful" ? rows : -rows - 1);

function decode({ rows, warned = "[]" }: Note): Outcome[] {
  const places = new Set<number>(JSON.parse(warned));
  return (JSON.parse(rows) as number[]).map((number, at) => ({
    status: number >= 0 ? "successful" : "failed",
    rows: number >= 0 ? number : -number - 1,
    isWarned: places.has(at),
  }));
}

const firstOf = (index: number): number => index - (index % BLOCK);

/** The state of an input's run, by the index of the input. One that is not stored yet is left out. */
export async function statesOf(
  table: Table,
  batch: StoredBatch,
  indexes: readonly number[],
): Promise<Map<number, RunState>> {
  const refs = new Map(indexes.map((index) => [runOfInput(batch, index).id, index]));
  const states = await readStates(
    table,
    [...refs.keys()].map((id) => ({ account: batch.account, id })),
  );
  return new Map(states.map((state) => [refs.get(state.id) ?? 0, state]));
}

/** The outcome of a state; that of a run which is not stored yet, if there is none. */
export const outcomeOf = (state: RunState | undefined): Outcome =>
  state === undefined || state.status === "running"
    ? { status: "running", rows: 0, isWarned: false }
    : {
        status: state.status,
        rows: state.row_count,
        isWarned: state.status === "successful" && state.warnings.length > 0,
      };

/** How many inputs of a block have runs. */
const sizeOf = ({ next }: StoredBatch, first: number): number => Math.min(BLOCK, next - first);

/** Reads the outcomes of a block from the states of its runs. */
async function readBlock(table: Table, batch: StoredBatch, first: number): Promise<Outcome[]> {
  const indexes = Array.from({ length: sizeOf(batch, first) }, (_, at) => first + at);
  const states = await statesOf(table, batch, indexes);
  return indexes.map((index) => outcomeOf(states.get(index)));
}

/** Whether no input of a block can change any more: all its inputs had runs, and these are known to have finished. */
function isOver({ next, total, flying, rest }: StoredBatch, first: number): boolean {
  const end = Math.min(first + BLOCK, total);
  const isMade = next >= end || (rest !== undefined && next > first);
  return isMade && !flying.some((index) => index >= first && index < end);
}

/** Notes the outcomes of the blocks with these inputs, which have finished, as far as nothing in the blocks can change. */
export async function noteOutcomes(
  table: Table,
  batch: StoredBatch,
  ended: readonly number[],
): Promise<void> {
  const blocks = [...new Set(ended.map(firstOf))].filter((first) => isOver(batch, first));
  for (const first of blocks) {
    const outcomes = await readBlock(table, batch, first);
    const warned = outcomes.flatMap(({ isWarned }, at) => (isWarned ? [at] : []));
    const { expires_at } = batch;
    const Item = {
      ...noteKey(batch, first),
      rows: JSON.stringify(outcomes.map(encode)),
      ...(warned.length > 0 && { warned: JSON.stringify(warned) }),
      ...(expires_at !== undefined && { expires_at }),
    };
    await table.db.send(new PutCommand({ TableName: table.name, Item }));
  }
}

/** A batch's head, and the outcomes of all inputs that have runs, in the order of the inputs. */
export interface Results {
  head: BatchHead;
  blocks: AsyncGenerator<Block>;
}

/** Reads the head and the notes in one request, or in one for each MB. @throws Error if the batch has no head */
export async function readResults(table: Table, batch: StoredBatch): Promise<Results> {
  const { pk, sk } = headKey(batch);
  const items = queryAll<Note | BatchHead>(table, {
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :head)",
    ExpressionAttributeValues: { ":pk": pk, ":head": sk },
    ConsistentRead: true,
  });
  const head = await items.next();
  if (head.done) throw new Error(`The batch ${batch.id} has no head.`);
  const notes = items as AsyncGenerator<Note>;
  return { head: head.value as BatchHead, blocks: readBlocks(table, batch, notes) };
}

async function* readBlocks(
  table: Table,
  batch: StoredBatch,
  notes: AsyncGenerator<Note>,
): AsyncGenerator<Block> {
  let note = await notes.next();
  for (let first = 0; first < batch.next; first += BLOCK) {
    let noted: Outcome[] = [];
    if (!note.done && indexIn(note.value.sk) === first) {
      noted = decode(note.value);
      note = await notes.next();
    }
    // Shorter, if its writer wanted to make no more runs, but another process has made some first.
    const isWhole = noted.length >= sizeOf(batch, first);
    const outcomes = isWhole ? noted : await readBlock(table, batch, first);
    yield { first, outcomes: outcomes.slice(0, sizeOf(batch, first)) };
  }
}

/** The runs of these inputs, by the index of the input. One that is not stored yet, or was removed, is left out. */
export async function runsOfInputs(
  table: Table,
  batch: StoredBatch,
  indexes: readonly number[],
): Promise<Map<number, StoredRun>> {
  const pk = runsPartition(batch.account);
  const keys = indexes.map((index) => ({ pk, sk: numberKey(batch.first_number + index) }));
  const found = new Map((await readRuns(table, keys)).map((run) => [run.id, run]));
  return new Map(
    indexes.flatMap((index): [number, StoredRun][] => {
      const run = found.get(runOfInput(batch, index).id);
      return run === undefined ? [] : [[index, run]];
    }),
  );
}
