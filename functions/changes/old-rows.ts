import { RowSplitter } from "../rows/split-rows.ts";
import { PiecesMissing, readLines } from "../store/pieces.ts";
import { RowsDamaged, readRows } from "../store/runs/read-rows.ts";
import { getRun } from "../store/runs/runs.ts";
import { type Baseline, type MemoryRef, memoryPartition } from "../store/scraper-memory.ts";
import type { Table } from "../store/table.ts";
import type { OldRows } from "./compare.ts";
import type { RowText } from "./match-rows.ts";

/** The rows of a text in batches. */
export async function* splitRows(text: AsyncIterable<Buffer>): AsyncGenerator<RowText[]> {
  const splitter = new RowSplitter();
  for await (const chunk of text) yield splitter.split(chunk);
}

/**
 * The rows of a baseline: those of its run, as far as they are still stored, and then those that were missing in it. A client
 * may have deleted the run.
 */
export const oldRowsOf = (table: Table, ref: MemoryRef, baseline: Baseline | undefined): OldRows =>
  async function* () {
    if (baseline === undefined) return;
    let row = 0;
    try {
      const run = await getRun(table, { account: ref.account, id: baseline.run });
      if (run !== undefined)
        for await (const batch of splitRows(readRows(table, run)))
          for (const text of batch) {
            yield { row, text };
            row += 1;
          }
    } catch (error) {
      if (!(error instanceof RowsDamaged)) throw error;
    }
    row = baseline.rows;
    try {
      for await (const text of readLines(table, memoryPartition(ref), baseline.missingRows)) {
        if (text.toString() !== "null") yield { row, text };
        row += 1;
      }
    } catch (error) {
      if (!(error instanceof PiecesMissing)) throw error;
    }
  };
