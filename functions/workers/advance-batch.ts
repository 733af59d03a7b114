import { type BatchHead, type Rest, STORING_MS, type StoredBatch } from "../batches/batch.ts";
import { stepsFor } from "../batches/check-inputs.ts";
import { failedRests } from "../batches/rests.ts";
import { doubtOf } from "../changes/verdict.ts";
import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import { type Queues, queueRun, sendOrLog } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import type { RunRef, RunState } from "../runs/run.ts";
import { isOutOfCredits, newRun } from "../runs/start-run.ts";
import {
  type BatchProgress,
  finishBatch,
  isExpired,
  nextDue,
  readBatch,
  readHead,
  saveBatch,
} from "../store/batches/batches.ts";
import { deleteBatch, discardBatch } from "../store/batches/delete-batch.ts";
import { InputReader } from "../store/batches/inputs.ts";
import { noteOutcomes, outcomeOf, runOfInput, statesOf } from "../store/batches/outcomes.ts";
import { createRun } from "../store/runs/runs.ts";
import type { Table } from "../store/table.ts";
import { openEnd, queueWebhook } from "./follow-up.ts";
import { stopRun } from "./stop-run.ts";

export interface AdvanceBatchDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
  log: Log;
  meter?: Meter;
  timing?: RunTiming;
}

type Deps = AdvanceBatchDeps & { timing: RunTiming };

/**
 * Counts the runs of a batch that have finished, makes the next ones, and ends the batch after the last one. Several
 * processes may do this at the same time, or die at any point: each change of the batch is one conditional write that
 * precedes the runs it plans, and a planned run that is missing is made by whoever looks at the batch next. Also completes
 * the deletion of a batch.
 */
export async function advanceBatch(
  { timing = RUN_TIMING, ...rest }: AdvanceBatchDeps,
  ref: RunRef,
  deadline = Number.POSITIVE_INFINITY,
): Promise<void> {
  const deps = { ...rest, timing };
  for (;;) {
    const batch = await readBatch(deps.table, ref);
    if (batch === undefined || isExpired(batch, deps.now())) return;
    if (isAbandoned(batch, deps.now())) await discardBatch(deps.table, batch, deps.now());
    else if (batch.status === "deleting") return remove(deps, batch, deadline);
    else if (batch.status !== "running" || (await advance(deps, batch))) return;
    // Another process has changed the batch in the meantime.
  }
}

/** Whether the request that was storing a batch has died. */
const isAbandoned = ({ status, created_at }: StoredBatch, now: Date): boolean =>
  status === "storing" && now.getTime() - Date.parse(created_at) >= STORING_MS;

/** Deletes a batch, or as much of it as is possible until the deadline. */
async function remove({ table, queues, log, now }: Deps, batch: StoredBatch, deadline: number) {
  const isDone = await deleteBatch(table, batch, now(), () => Date.now() > deadline);
  if (!isDone) await sendOrLog(log, batch, queues.sendBatch({ account: batch.account, id: batch.id }));
}

/** Makes one change, if there is something to change. False if another process was faster. */
async function advance(deps: Deps, batch: StoredBatch): Promise<boolean> {
  const { table, now } = deps;
  const states = await statesOf(table, batch, batch.flying);
  const ended = batch.flying.filter((index) => outcomeOf(states.get(index)).status !== "running");
  const flying = batch.flying.filter((index) => !ended.includes(index));
  // Another process has planned these. If it lives, it is making them.
  const missing = flying.filter((index) => !states.has(index));
  const rest = batch.rest ?? (await reasonToEnd(deps, batch, flying.length));
  const free = rest === undefined ? batch.concurrency - flying.length : 0;
  const next = Math.min(batch.total, batch.next + Math.max(0, free));
  const fresh = Array.from({ length: next - batch.next }, (_, at) => batch.next + at);
  const isChanged = ended.length > 0 || fresh.length > 0 || rest !== batch.rest;
  if (isChanged) {
    const progress = {
      ...countsWith(batch, ended, states),
      next,
      flying: [...flying, ...fresh],
      ...(rest && { rest }),
    };
    await noteOutcomes(table, { ...batch, ...progress }, ended);
    if (!(await save(deps, batch, progress, now()))) return false;
  }
  const toMake = [...missing, ...fresh];
  if (toMake.length > 0) await makeRuns(deps, batch, toMake);
  if (batch.stop_requested_at !== undefined)
    await Promise.all(flying.map((index) => stopRun(deps, runOfInput(batch, index))));
  return true;
}

/** The numbers of a batch, with those of the runs that have ended. */
function countsWith(batch: StoredBatch, ended: readonly number[], states: ReadonlyMap<number, RunState>) {
  const counts = {
    successful: batch.successful,
    failed: batch.failed,
    row_count: batch.row_count,
    credits_used: batch.credits_used,
    warned: batch.warned ?? 0,
    doubtful: batch.doubtful ?? 0,
  };
  for (const index of ended) {
    const state = states.get(index);
    const { status, rows, isWarned } = outcomeOf(state);
    counts[status === "successful" ? "successful" : "failed"] += 1;
    counts.row_count += rows;
    counts.credits_used += state?.credits_used ?? 0;
    if (isWarned) counts.warned += 1;
    if (status === "successful" && state && isDoubtful(batch, state)) counts.doubtful += 1;
  }
  return counts;
}

const isDoubtful = ({ is_limited, rows_limit }: StoredBatch, { row_count, warnings }: RunState): boolean =>
  doubtOf({
    run: { rows_limit: is_limited && rows_limit },
    rowCount: row_count,
    warnings,
    failure: undefined,
  }) !== undefined;

/** Why no more runs can be made; undefined if they can, or if none are to be made now. */
async function reasonToEnd(
  { table, now }: Deps,
  { account, next, total, concurrency, stop_requested_at }: StoredBatch,
  running: number,
): Promise<Rest | undefined> {
  if (next === total) return undefined;
  if (stop_requested_at !== undefined) return failedRests.stopped;
  if (running >= concurrency) return undefined;
  return (await isOutOfCredits(table, account, now())) ? failedRests.credits_exhausted : undefined;
}

/** Stores a change. Ends the batch if nothing is left to do. False if another process has changed the batch. */
async function save(deps: Deps, batch: StoredBatch, progress: BatchProgress, now: Date): Promise<boolean> {
  const { table, log, timing } = deps;
  const isOver =
    progress.flying.length === 0 && (progress.next === batch.total || progress.rest !== undefined);
  if (!isOver)
    return (await saveBatch(table, batch, progress, nextDue(batch, now, timing.overdueMs))) !== undefined;
  const open = await openEnd(table, batch);
  const due = open && new Date(now.getTime() + timing.overdueMs);
  const finished = await finishBatch(table, batch, progress, now, due, open);
  if (finished === undefined) return false;
  const { id, account, total, successful, row_count: rows, credits_used: credits } = finished;
  log.info("Batch finished", { batchId: id, account, total, successful, rows, credits });
  await queueWebhook(deps, finished, open);
  return true;
}

/** Makes the runs of these inputs and queues them. A run that exists already stays as it is. */
async function makeRuns(deps: Deps, batch: StoredBatch, indexes: readonly number[]): Promise<void> {
  const { table, queues, log, now, meter, timing } = deps;
  const head = await readHead(table, batch);
  const reader = new InputReader(table, batch);
  for (const index of indexes) {
    const created = now();
    const run = await runFor(batch, head, index, reader, created);
    await createRun(table, run, new Date(created.getTime() + timing.overdueMs));
    meter?.runStarted(run.source);
    await queueRun(queues, log, run);
  }
}

async function runFor(
  batch: StoredBatch,
  { scraper }: BatchHead,
  index: number,
  reader: InputReader,
  created: Date,
) {
  const input = await reader.read(index);
  const { account, source, rows_limit, expires_at } = batch;
  const isFirst = index === 0 && batch.is_first === true;
  const run = newRun({
    ...runOfInput(batch, index),
    source,
    request: { scraper_id: scraper.id, rows_limit },
    scraper,
    steps: stepsFor(scraper.steps, input),
    created,
  });
  return {
    ...run,
    account,
    batch_id: batch.id,
    input,
    ...(isFirst && { is_first: true }),
    ...(expires_at !== undefined && { expires_at }),
  };
}
