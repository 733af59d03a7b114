import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "@jest/globals";
import type { StoredBatch } from "../../../functions/batches/batch.ts";
import { readBatchRows } from "../../../functions/batches/batch-rows.ts";
import { newRun } from "../../../functions/runs/start-run.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { noteKey } from "../../../functions/store/batches/batch-keys.ts";
import { beginBatch, getBatch, openBatch, putHead } from "../../../functions/store/batches/batches.ts";
import { putInputs } from "../../../functions/store/batches/inputs.ts";
import { readResults, runOfInput } from "../../../functions/store/batches/outcomes.ts";
import { FIRST_BATCH, FIRST_OF_BATCHES, newId } from "../../../functions/store/runs/numbering.ts";
import { RowWriter } from "../../../functions/store/runs/rows.ts";
import { claimRun, finishRun } from "../../../functions/store/runs/run-state.ts";
import { createRun } from "../../../functions/store/runs/runs.ts";
import { startTable } from "./engines.ts";
import { record } from "./recorder.ts";
import { definition, storeScraper } from "./samples.ts";

const table = await startTable();
const RUNS = 10_000;
const ROWS_A_RUN = 100;
const now = new Date();

/** A batch of so many finished runs, of which only one is stored. Its rows are too many for the run's head. */
async function storeBatch(stored: number): Promise<StoredBatch> {
  const account = "reads";
  await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
  const scraper = await storeScraper(table, account, definition, now);
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
    total: RUNS,
    next: RUNS,
    flying: [],
    successful: RUNS,
    failed: 0,
    row_count: RUNS * ROWS_A_RUN,
    credits_used: RUNS,
    first_number: FIRST_OF_BATCHES + 1,
    writer: "writer",
    version: 1,
    due_at: now.toISOString(),
  } satisfies StoredBatch;
  await beginBatch(table, batch);
  await putHead(table, batch, { scraper, columns: ["open"] });
  const inputs = Array.from({ length: RUNS }, (_, index) => ({ open: `https://example.org/${index}` }));
  await putInputs(table, batch, inputs);
  for (let first = 0; first < RUNS; first += 100) {
    const rows = JSON.stringify(Array.from({ length: 100 }, () => ROWS_A_RUN));
    await table.db.send(new PutCommand({ TableName: table.name, Item: { ...noteKey(batch, first), rows } }));
  }
  const ref = runOfInput(batch, stored);
  await createRun(
    table,
    newRun({
      ...ref,
      source: "api",
      request: { scraper_id: scraper.id },
      scraper,
      steps: scraper.steps,
      created: now,
    }),
    now,
  );
  const claimed = await claimRun(table, ref, now, 60_000);
  if (claimed === undefined) throw new Error("not claimed");
  const writer = new RowWriter(table, claimed, claimed);
  writer.append(
    Array.from({ length: ROWS_A_RUN }, (_, row) => ({ title: `row ${row}`, text: "x".repeat(5_000) })),
  );
  const progress = { ...(await writer.finish()), credits_used: 1, warnings: [], elapsed_ms: 1 };
  const ending = { status: "successful", error: null, finished_at: now.toISOString() } as const;
  await finishRun(table, claimed, progress, ending, undefined);
  const opened = await openBatch(table, batch, now);
  if (opened === undefined) throw new Error("not opened");
  return opened;
}

test("rows of a batch of 10,000 runs at offset 900,000 take five reads of the table", async () => {
  const { account, id } = await storeBatch(9_000);
  let rows: Buffer[] = [];
  const requests = await record(table, async () => {
    const batch = await getBatch(table, { account, id });
    if (batch === undefined) throw new Error("no batch");
    const { blocks } = await readResults(table, batch);
    rows = (
      await Array.fromAsync(readBatchRows(table, batch, blocks, { offset: 900_000, limit: 50 }))
    ).flat();
  });
  expect(rows.map((row) => JSON.parse(row.toString()).title)).toEqual(
    Array.from({ length: 50 }, (_, row) => `row ${row}`),
  );
  expect(JSON.parse(String(rows[0]))["input.open"]).toBe("https://example.org/9000");
  expect(requests.length).toBeLessThanOrEqual(5);
});
