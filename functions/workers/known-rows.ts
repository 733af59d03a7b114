import { keyDigest } from "../changes/keys.ts";
import { RowIndex } from "../changes/row-index.ts";
import type { ScrapeContext } from "../scraping/job.ts";
import { PiecesMissing } from "../store/pieces.ts";
import { type MemoryRef, readKeys, readMemory } from "../store/scraper-memory.ts";
import type { Table } from "../store/table.ts";

/** How often the keys are read, because another run has replaced them meanwhile. */
const READ_MAX = 3;

/** Tells whether an earlier good run of a scraper had a row. @throws PiecesMissing if its keys are not stored as a whole */
export async function knownRows(
  table: Table,
  ref: MemoryRef,
  now: Date,
): Promise<NonNullable<ScrapeContext["isKnown"]>> {
  const index = await readIndex(table, ref, now);
  return (row, key) => {
    const digest = keyDigest(row, key);
    return digest !== undefined && index.find(digest) !== undefined;
  };
}

async function readIndex(table: Table, ref: MemoryRef, now: Date): Promise<RowIndex> {
  for (let read = 1; ; read += 1) {
    const index = new RowIndex();
    const memory = await readMemory(table, ref, now);
    try {
      if (memory) for await (const entries of readKeys(table, ref, memory)) index.add(entries);
      return index;
    } catch (error) {
      if (!(error instanceof PiecesMissing) || read === READ_MAX) throw error;
    }
  }
}
