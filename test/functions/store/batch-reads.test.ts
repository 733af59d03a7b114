import { expect, test } from "@jest/globals";
import { readBatchRows } from "../../../functions/batches/batch-rows.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { getBatch } from "../../../functions/store/batches/batches.ts";
import { readResults } from "../../../functions/store/batches/outcomes.ts";
import { storeBatch } from "../../stored-batch.ts";
import { startTable } from "./local-table.ts";
import { record } from "./recorder.ts";
import { definition, storeScraper } from "./samples.ts";

const table = await startTable();
const account = "reads";

test("rows of a batch of 10,000 runs at offset 900,000 take five reads of the table", async () => {
  await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
  const scraper = await storeScraper(table, account, definition, new Date());
  // Of the runs, only one is stored. Its rows are too many for the item of the run.
  const given = Array.from({ length: 100 }, (_, row) => ({ title: `row ${row}`, text: "x".repeat(5_000) }));
  const { id } = await storeBatch(table, { account, scraper, runs: 10_000, rows: given, stored: [9_000] });
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
