import { isFinished, type StoredBatch } from "../../batches/batch.ts";
import { failedRest } from "../../batches/rests.ts";
import type { BatchInput, InputFilter } from "../../contract/batches/batch.ts";
import { PAGE_SIZE } from "../../contract/route.ts";
import type { RunStatus } from "../../contract/runs/run-status.ts";
import type { RunRef, RunState, StoredRun } from "../../runs/run.ts";
import type { Page } from "../pages.ts";
import type { Table } from "../table.ts";
import { getBatch } from "./batches.ts";
import { InputReader } from "./inputs.ts";
import { outcomeOf, readResults, runOfInput, runsOfInputs, statesOf } from "./outcomes.ts";

interface PageQuery<Status> {
  page: number;
  status?: Status | undefined;
}

/** Page `page` of the inputs of a batch, in their order. */
export async function listInputs(
  table: Table,
  batch: StoredBatch,
  { page, status }: PageQuery<InputFilter>,
): Promise<Page<BatchInput>> {
  const { indexes, nextPage } =
    status === undefined
      ? pageOf(batch.total, page)
      : await pageWith(indexesWith(table, batch, status), page);
  const made = indexes.filter((index) => index < batch.next);
  const states = await statesOf(table, batch, made);
  const reader = new InputReader(table, batch);
  const items: BatchInput[] = [];
  for (const index of indexes)
    items.push({
      index,
      values: await reader.read(index),
      ...(index < batch.next ? withRun(batch, index, states.get(index)) : withoutRun(batch)),
    });
  return { items, nextPage };
}

function withRun(batch: StoredBatch, index: number, state: RunState | undefined) {
  const { status } = outcomeOf(state);
  return {
    run_id: runOfInput(batch, index).id,
    status,
    row_count: state?.row_count ?? 0,
    error: state?.error ?? null,
    warnings: state?.warnings ?? [],
  };
}

function withoutRun(batch: StoredBatch) {
  const none = { run_id: null, row_count: 0, warnings: [] };
  if (!isFinished(batch)) return { ...none, status: "waiting" as const, error: null };
  return { ...none, status: "failed" as const, error: { ...failedRest(batch), step: null } };
}

const pageOf = (count: number, page: number) => {
  const first = (page - 1) * PAGE_SIZE;
  const size = Math.max(0, Math.min(PAGE_SIZE, count - first));
  return {
    indexes: Array.from({ length: size }, (_, at) => first + at),
    nextPage: first + PAGE_SIZE < count ? page + 1 : null,
  };
};

/** The indexes on a page of those that are found. */
async function pageWith(found: AsyncIterable<number>, page: number) {
  const indexes: number[] = [];
  let skip = (page - 1) * PAGE_SIZE;
  for await (const index of found) {
    if (skip > 0) skip -= 1;
    else if (indexes.push(index) > PAGE_SIZE) break;
  }
  return {
    indexes: indexes.slice(0, PAGE_SIZE),
    nextPage: indexes.length > PAGE_SIZE ? page + 1 : null,
  };
}

/** The indexes of the inputs that a list with this filter has, in their order. */
export async function* indexesWith(
  table: Table,
  batch: StoredBatch,
  status: InputFilter,
): AsyncGenerator<number> {
  if (status !== "waiting") {
    const { blocks } = await readResults(table, batch);
    for await (const { first, outcomes } of blocks)
      for (const [at, outcome] of outcomes.entries())
        if (status === "warned" ? outcome.isWarned : outcome.status === status) yield first + at;
  }
  if (status === (isFinished(batch) ? "failed" : "waiting"))
    for (let index = batch.next; index < batch.total; index += 1) yield index;
}

/** Page `page` of the runs of a batch, newest first; no runs if the account has no such batch. */
export async function listRunsOfBatch(
  table: Table,
  ref: RunRef,
  { page, status, scraper_id }: PageQuery<RunStatus> & { scraper_id?: string | undefined },
): Promise<Page<StoredRun>> {
  const batch = await getBatch(table, ref);
  if (batch === undefined || (scraper_id !== undefined && scraper_id !== batch.scraper_id))
    return { items: [], nextPage: null };
  const { indexes, nextPage } = await pageWith(newestFirst(table, batch, status), page);
  const runs = await runsOfInputs(table, batch, indexes);
  return { items: indexes.flatMap((index) => runs.get(index) ?? []), nextPage };
}

/** The indexes of the inputs that have runs, the last one first. */
async function* newestFirst(table: Table, batch: StoredBatch, status: RunStatus | undefined) {
  if (status === undefined) {
    for (let index = batch.next - 1; index >= 0; index -= 1) yield index;
    return;
  }
  const indexes = await Array.fromAsync(indexesWith(table, batch, status));
  yield* indexes.filter((index) => index < batch.next).toReversed();
}
