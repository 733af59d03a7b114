import { damaged, type RunRows, readRowsFrom } from "../store/runs/read-rows.ts";
import type { Table } from "../store/table.ts";
import { RowSplitter } from "./split-rows.ts";

/** Which rows: `limit` of them from the one with the index `offset` on. */
export interface RowRange {
  offset: number;
  limit: number;
}

/** The most rows in a batch, so that little garbage collects between two batches. */
const BATCH = 200;

/**
 * Rows of a run, each as JSON, in batches.
 * @throws RowsDamaged if not exactly these rows are stored
 */
export async function* readRowBatches(
  table: Table,
  run: RunRows,
  { offset, limit }: RowRange,
): AsyncGenerator<Buffer[]> {
  const wanted = Math.max(0, Math.min(limit, run.row_count - offset));
  if (wanted === 0) return;
  const splitter = new RowSplitter();
  /** The index of the next row; undefined until the first part tells. */
  let next: number | undefined;
  let taken = 0;
  for await (const { row, text } of readRowsFrom(table, run, offset)) {
    next ??= row;
    const rows = splitter.split(text);
    const batch = rows.slice(Math.max(0, offset - next)).slice(0, wanted - taken);
    next += rows.length;
    if (next > run.row_count) throw damaged(run, `they are more than ${run.row_count} rows`);
    taken += batch.length;
    for (let at = 0; at < batch.length; at += BATCH) yield batch.slice(at, at + BATCH);
    if (taken === wanted) return;
  }
  throw damaged(run, `they have ${taken} of ${wanted} rows from row ${offset} on`);
}
