import { expect, test } from "@jest/globals";
import type { RunRef } from "../../../functions/runs/run.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { setLimits } from "../../../functions/store/accounts.ts";
import { deleteRun } from "../../../functions/store/runs/delete-run.ts";
import { storagePartition, storedBytes } from "../../../functions/store/storage.ts";
import { queryAll } from "../../../functions/store/table.ts";
import { startTable } from "../store/engines.ts";
import { startLife } from "./life.ts";

/* How many bytes of rows the runs of one account may store. */

const table = await startTable();

const ROW_BYTES = 100;
/** The first character is no comma, and the row is as long with it as the others. */
const row = (length: number) => ({ text: "x".repeat(length - '{"text":""}'.length) });

/** Reads pages of one row, as many as the limit of rows, and notes when it begins. */
async function scene() {
  const begun: number[] = [];
  const scrape: Scrape = async function* ({ rowsLimit, from }) {
    const first = from?.rowCount ?? 0;
    begun.push(first);
    for (let page = first; page < rowsLimit; page += 1) {
      yield { rows: [row(page === 0 ? ROW_BYTES : ROW_BYTES - 1)], checkpoint: { page: page + 1 } };
    }
    return "done";
  };
  const life = await startLife(table, { scrape });
  await setLimits(table, life.account, { storage_limit: 10 * ROW_BYTES });
  const run = async (rows: number): Promise<RunRef> => {
    const request = { scraper_id: life.scraper.id, rows_limit: rows };
    const ref = await life.start({ request });
    await life.execute(ref);
    return ref;
  };
  const read = async (ref: RunRef) => {
    const { status, error, row_count } = await life.read(ref);
    return { status, code: error?.code, row_count };
  };
  return { life, begun, run, read, stored: () => storedBytes(table, life.account) };
}

test("a run ends when the account's runs store all that they may, and keeps its rows", async () => {
  const { begun, run, read, stored } = await scene();
  expect(await read(await run(6))).toEqual({ status: "successful", code: undefined, row_count: 6 });
  expect(await stored()).toBe(6 * ROW_BYTES);
  const second = await run(6);
  expect(await read(second)).toEqual({ status: "failed", code: "storage_exhausted", row_count: 4 });
  expect(await stored()).toBe(10 * ROW_BYTES);
  // The next one opens no page.
  begun.splice(0);
  expect(await read(await run(6))).toEqual({ status: "failed", code: "storage_exhausted", row_count: 0 });
  expect(begun).toEqual([]);
});

test("deleted runs make room, each once", async () => {
  const { life, run, read, stored } = await scene();
  const [first, second] = [await run(6), await run(6)];
  const now = new Date(life.clock.time);
  for (let time = 0; time < 2; time += 1) await deleteRun(table, first, now);
  expect(await stored()).toBe(4 * ROW_BYTES);
  expect(await read(await run(5))).toMatchObject({ status: "successful" });
  await deleteRun(table, second, now);
  expect(await stored()).toBe(5 * ROW_BYTES);
});

test("the rows of earlier executions of a run count", async () => {
  const { life, read } = await scene();
  const ref = await life.start({ request: { scraper_id: life.scraper.id, rows_limit: 100 } });
  const half: Scrape = async function* () {
    for (let page = 0; page < 6; page += 1) yield { rows: [row(ROW_BYTES - 1)], checkpoint: { page } };
    return "handover";
  };
  await life.execute(ref, { scrape: half });
  await life.execute(ref);
  expect(await read(ref)).toMatchObject({ code: "storage_exhausted", row_count: 11 });
});

test("the bytes of runs that expire do, too, and not before them", async () => {
  const { life, read } = await scene();
  Object.assign(life.deps, { runDays: () => 30 });
  const ref = await life.start({ request: { scraper_id: life.scraper.id, rows_limit: 2 } });
  await life.execute(ref);
  const { expires_at = 0 } = await life.read(ref);
  expect(await read(ref)).toMatchObject({ row_count: 2 });
  const items = queryAll<{ bytes: number; expires_at: number }>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": storagePartition(life.account) },
  });
  // The run expires on 21 December.
  expect(new Date(expires_at * 1000).toISOString()).toBe("2026-12-21T00:00:00.000Z");
  expect(await Array.fromAsync(items)).toMatchObject([
    { bytes: 2 * ROW_BYTES, expires_at: Date.parse("2027-01-01T00:00:00.000Z") / 1000 },
  ]);
});
