import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { RunFailure } from "../../../functions/runs/failure.ts";
import type { RunRef } from "../../../functions/runs/run.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { setLimits } from "../../../functions/store/accounts.ts";
import { deleteRun } from "../../../functions/store/runs/delete-run.ts";
import { logPartition } from "../../../functions/store/runs/run-log.ts";
import { bytesOf, storagePartition, storedBytes } from "../../../functions/store/storage.ts";
import { queryAll } from "../../../functions/store/table.ts";
import { startTable } from "../store/local-table.ts";
import { startLife } from "./life.ts";

/* How many bytes the runs of one account may store: their rows, and what each run takes by itself. */

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
  /** The bytes of a run without rows. */
  const own = bytesOf({ steps: life.scraper.steps.map(({ id: _, ...step }) => step) }, { row_bytes: 0 });
  const limitTo = (runs: number, rows: number) =>
    setLimits(table, life.account, { storage_limit: runs * own + rows * ROW_BYTES });
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
  /** The bytes that are stored, as so many runs and rows. */
  const stored = async (runs: number) => ((await storedBytes(table, life.account)) - runs * own) / ROW_BYTES;
  return { life, begun, run, read, own, limitTo, stored };
}

test("a run ends when the account's runs store all that they may, and keeps its rows", async () => {
  const { begun, run, read, limitTo, stored } = await scene();
  await limitTo(2, 10);
  expect(await read(await run(6))).toEqual({ status: "successful", code: undefined, row_count: 6 });
  expect(await stored(1)).toBe(6);
  const second = await run(6);
  expect(await read(second)).toEqual({ status: "failed", code: "storage_exhausted", row_count: 4 });
  expect(await stored(2)).toBe(10);
  // The next one opens no page.
  begun.splice(0);
  expect(await read(await run(6))).toEqual({ status: "failed", code: "storage_exhausted", row_count: 0 });
  expect(begun).toEqual([]);
});

test("deleted runs make room, each once", async () => {
  const { life, run, read, limitTo, stored } = await scene();
  await limitTo(2, 10);
  const [first, second] = [await run(6), await run(6)];
  const now = new Date(life.clock.time);
  for (let time = 0; time < 2; time += 1) await deleteRun(table, first, now);
  expect(await stored(1)).toBe(4);
  expect(await read(await run(5))).toMatchObject({ status: "successful" });
  await deleteRun(table, second, now);
  expect(await stored(1)).toBe(5);
});

test("the rows of earlier executions of a run count", async () => {
  const { life, read, limitTo } = await scene();
  await limitTo(1, 10);
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
  const { life, read, own } = await scene();
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
    { bytes: own + 2 * ROW_BYTES, expires_at: Date.parse("2027-01-01T00:00:00.000Z") / 1000 },
  ]);
});

test("the screenshot, the log and the steps of a run count, and are subtracted with it", async () => {
  const screenshot = Buffer.alloc(50_000, 1);
  const scrape: Scrape = async function* () {
    // More events than the state of a run holds.
    for (let page = 1; page <= 100; page += 1) {
      const url = `https://shop.example/${createHash("sha256").update(`${page}`).digest("hex")}`;
      yield { rows: [row(ROW_BYTES)], checkpoint: { step: 1, page, url } };
    }
    const down = new RunFailure("http_error", "It is down.");
    down.evidence = { url: "https://shop.example/", title: "Down", screenshot };
    throw down;
  };
  const life = await startLife(table, { scrape });
  const ref = await life.start();
  await life.execute(ref);
  const { steps, row_bytes } = await life.read(ref);
  const chunks = queryAll<{ data: Uint8Array }>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": logPartition(ref) },
  });
  const logBytes = (await Array.fromAsync(chunks)).reduce((sum, { data }) => sum + data.length, 0);
  expect(logBytes).toBeGreaterThan(0);
  const evidence = screenshot.length + "https://shop.example/Down".length;
  const expected = bytesOf({ steps }, { row_bytes, other_bytes: evidence + logBytes });
  expect(await storedBytes(table, life.account)).toBe(expected);
  await deleteRun(table, ref, new Date(life.clock.time));
  expect(await storedBytes(table, life.account)).toBe(0);
});

test("large runs count while they are in progress, so that two of them together store little more than they may", async () => {
  const MB = 1_000_000;
  const begun: (() => void)[] = [];
  const scrape: Scrape = async function* () {
    // Both begin before either has stored anything, and then take turns.
    await new Promise<void>((resolve) => {
      begun.push(resolve);
      if (begun.length === 2) for (const begin of begun) begin();
    });
    for (let page = 0; page < 20; page += 1) yield { rows: [row(MB / 2)], checkpoint: { page: page + 1 } };
    return "done";
  };
  const life = await startLife(table, { scrape });
  await setLimits(table, life.account, { storage_limit: 10 * MB });
  const refs = [await life.start(), await life.start()];
  await Promise.all(refs.map((ref) => life.execute(ref)));
  for (const ref of refs)
    expect(await life.read(ref)).toMatchObject({ status: "failed", error: { code: "storage_exhausted" } });
  const stored = await storedBytes(table, life.account);
  expect(stored).toBeGreaterThanOrEqual(10 * MB);
  expect(stored).toBeLessThan(13 * MB);
  for (const ref of refs) await deleteRun(table, ref, new Date(life.clock.time));
  expect(await storedBytes(table, life.account)).toBe(0);
});
