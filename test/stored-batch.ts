import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { StoredBatch } from "../functions/batches/batch.ts";
import type { Row } from "../functions/contract/runs/run.ts";
import { newRun } from "../functions/runs/start-run.ts";
import { noteKey } from "../functions/store/batches/batch-keys.ts";
import { beginBatch, openBatch, putHead } from "../functions/store/batches/batches.ts";
import { putInputs } from "../functions/store/batches/inputs.ts";
import { runOfInput } from "../functions/store/batches/outcomes.ts";
import { FIRST_BATCH, FIRST_OF_BATCHES, newId } from "../functions/store/runs/numbering.ts";
import { RowWriter } from "../functions/store/runs/rows.ts";
import { claimRun, finishRun } from "../functions/store/runs/run-state.ts";
import { createRun } from "../functions/store/runs/runs.ts";
import type { StoredScraper } from "../functions/store/scrapers.ts";
import type { Table } from "../functions/store/table.ts";

const NOTE = 100;

interface Options {
  account: string;
  scraper: StoredScraper;
  runs: number;
  /** The rows of each run. */
  rows: readonly Row[];
  /** The inputs whose runs are stored. */
  stored: Iterable<number>;
}

/** A batch of so many successful runs with inputs such as `{"open": "https://example.org/7"}`, of which some are stored. */
export async function storeBatch(
  table: Table,
  { account, scraper, runs, rows, stored }: Options,
): Promise<StoredBatch> {
  const now = new Date();
  const batch = {
    account,
    id: newId(FIRST_BATCH + 1, now),
    status: "storing",
    scraper_id: scraper.id,
    scraper_version: 1,
    source: "api",
    rows_limit: 1_000,
    concurrency: 10,
    webhook_url: null,
    created_at: now.toISOString(),
    finished_at: null,
    total: runs,
    next: runs,
    flying: [],
    successful: runs,
    failed: 0,
    row_count: runs * rows.length,
    credits_used: runs,
    first_number: FIRST_OF_BATCHES + 1,
    writer: "writer",
    version: 1,
    due_at: now.toISOString(),
  } satisfies StoredBatch;
  await beginBatch(table, batch);
  await putHead(table, batch, { scraper, columns: ["open"] });
  const inputs = Array.from({ length: runs }, (_, index) => ({ open: `https://example.org/${index}` }));
  await putInputs(table, batch, inputs);
  for (let first = 0; first < runs; first += NOTE) {
    const counts = JSON.stringify(Array.from({ length: NOTE }, () => rows.length));
    const Item = { ...noteKey(batch, first), rows: counts };
    await table.db.send(new PutCommand({ TableName: table.name, Item }));
  }
  for (const index of stored) await storeRun(table, batch, scraper, index, rows);
  const opened = await openBatch(table, batch, now);
  if (opened === undefined) throw new Error("not opened");
  return opened;
}

async function storeRun(
  table: Table,
  batch: StoredBatch,
  scraper: StoredScraper,
  index: number,
  rows: readonly Row[],
): Promise<void> {
  const created = new Date(batch.created_at);
  const ref = runOfInput(batch, index);
  const request = { scraper_id: scraper.id };
  const run = newRun({ ...ref, source: "api", request, scraper, steps: scraper.steps, created });
  await createRun(table, run, created);
  const claimed = await claimRun(table, ref, created, 60_000);
  if (claimed === undefined) throw new Error("not claimed");
  const writer = new RowWriter(table, claimed, claimed);
  writer.append(rows);
  const progress = { ...(await writer.finish()), credits_used: 1, warnings: [], elapsed_ms: 1 };
  const ending = { status: "successful", error: null, finished_at: batch.created_at } as const;
  await finishRun(table, claimed, progress, ending, undefined);
}
