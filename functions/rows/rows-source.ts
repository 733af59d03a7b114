import { inputColumn, type StoredBatch } from "../batches/batch.ts";
import { batchJson } from "../batches/batch-json.ts";
import { readBatchRows } from "../batches/batch-rows.ts";
import { upsertKeyOf } from "../contract/scrapers/upsert-key.ts";
import type { StoredRun } from "../runs/run.ts";
import { type Results, readResults } from "../store/batches/outcomes.ts";
import type { Table } from "../store/table.ts";
import { columnsOf } from "./columns.ts";
import { type RowRange, readRowBatches } from "./read-row-batches.ts";

/** What has rows: a run or a batch. */
export interface RowsSource {
  what: "run" | "batch";
  id: string;
  /** The fields that the rows can have. */
  columns: readonly string[];
  /** The fields that identify each row; undefined if there are none. */
  key: readonly string[] | undefined;
  row_count: number;
  /** Rows from `offset` on, each as JSON. May be called again. */
  read(range: RowRange): AsyncGenerator<Buffer[]>;
}

export const rowsOfRun = (table: Table, run: StoredRun): RowsSource => ({
  what: "run",
  id: run.id,
  columns: columnsOf(run.steps),
  key: upsertKeyOf(run.steps),
  row_count: run.row_count,
  read: (range) => readRowBatches(table, run, range),
});

export async function rowsOfBatch(table: Table, batch: StoredBatch): Promise<RowsSource> {
  const results = await readResults(table, batch);
  return {
    what: "batch",
    id: batch.id,
    columns: [...results.head.columns.map(inputColumn), ...columnsOf(results.head.scraper.steps)],
    key: upsertKeyOf(results.head.scraper.steps),
    row_count: batchJson(batch).row_count,
    read: reader(table, batch, results),
  };
}

/** Reads rows. The first time, it uses the results that are there. */
function reader(table: Table, batch: StoredBatch, results: Results) {
  let unused: Results | undefined = results;
  return async function* (range: RowRange) {
    const { blocks } = unused ?? (await readResults(table, batch));
    unused = undefined;
    yield* readBatchRows(table, batch, blocks, range);
  };
}
