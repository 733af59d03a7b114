import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, expect, test } from "@jest/globals";
import type { RunStatus } from "../../../functions/contract/runs/run-status.ts";
import { accountKey, createAccount } from "../../../functions/store/accounts.ts";
import { addGaps } from "../../../functions/store/runs/gaps.ts";
import { accountListKeys } from "../../../functions/store/runs/runs.ts";
import { countAllRuns, countRuns, listRunsByStatus } from "../../../functions/store/runs/statuses.ts";
import { scraperRunsKey } from "../../../functions/store/scraper-keys.ts";
import type { StoredScraper } from "../../../functions/store/scrapers.ts";
import { startTable } from "./local-table.ts";
import { record } from "./recorder.ts";
import { definition, endRun, storeRun, storeScraper } from "./samples.ts";

const table = await startTable();

const DAY_MS = 24 * 3600_000;
let accounts = 0;

let account: string;
let scraper: StoredScraper;
/** The runs of each status, newest first. */
let stored: Record<RunStatus, string[]>;

beforeEach(async () => {
  accounts += 1;
  account = `statuses-${accounts}`;
  stored = { running: [], successful: [], failed: [] };
  await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
  scraper = await storeScraper(table, account, definition, new Date());
});

async function add(status: RunStatus, of = scraper): Promise<string> {
  const { id } = await storeRun(table, account, of);
  if (status !== "running") await endRun(table, { account, id }, status);
  if (of === scraper) stored[status].unshift(id);
  return id;
}

/** Takes numbers whose runs were never stored, or have expired. */
async function skipNumbers(numbers: number): Promise<void> {
  for (const Key of [accountKey(account), scraperRunsKey(account, scraper.id)]) {
    const update = new UpdateCommand({
      TableName: table.name,
      Key,
      UpdateExpression: "ADD run_count :numbers",
      ExpressionAttributeValues: { ":numbers": numbers },
    });
    await table.db.send(update);
  }
}

async function pages(status: RunStatus, scraperId?: string, now?: Date): Promise<string[][]> {
  const all: string[][] = [];
  for (let page: number | null = 1; page !== null; ) {
    const { items, nextPage } = await listRunsByStatus(table, account, { page, status, scraperId }, now);
    all.push(items.map(({ id }) => id));
    page = nextPage;
  }
  return all;
}

test("pages have exactly the runs of a status, dense and newest first", async () => {
  const other = await storeScraper(table, account, definition, new Date());
  for (let count = 0; count < 110; count += 1) {
    await add(count % 3 === 0 ? "failed" : count % 50 === 7 ? "running" : "successful");
    if (count % 40 === 0) await add("failed", other);
  }
  // The second time, notes are read instead of states.
  for (let time = 0; time < 2; time += 1) {
    for (const status of ["running", "successful", "failed"] as const) {
      const found = await pages(status, scraper.id);
      expect(found.flat()).toEqual(stored[status]);
      for (const page of found.slice(0, -1)) expect(page).toHaveLength(50);
    }
  }
  const all = (await pages("failed")).flat();
  expect(all).toHaveLength(stored.failed.length + 3);
  // What was running has ended since.
  const [id = ""] = stored.running;
  await endRun(table, { account, id }, "failed");
  expect((await pages("failed", scraper.id)).flat()).toContain(id);
  expect((await pages("running")).flat()).toEqual(stored.running.slice(1));
});

test("runs that have finished are not read again for their status, nor listed once they are gone", async () => {
  const failed = await add("failed");
  const gone = await add("failed");
  for (let count = 2; count < 105; count += 1) await add("successful");
  expect((await pages("failed")).flat()).toEqual([gone, failed]);
  const requests = await record(table, async () => {
    expect((await pages("failed")).flat()).toEqual([gone, failed]);
  });
  // The list's extent, its notes, the states of the newest block, and the page.
  expect(requests).toHaveLength(4);
  await addGaps(table, accountListKeys(account), [2]);
  expect((await pages("failed")).flat()).toEqual([failed]);
});

test.each([
  ["the oldest", ["gone", "kept"]],
  ["the newest", ["kept", "gone"]],
  ["those in the middle", ["kept", "gone", "kept"]],
  ["all", ["gone"]],
])("runs that nobody read before they expired do not hold up a list: %s", async (_, parts) => {
  for (const part of parts) {
    if (part === "gone") await skipNumbers(20_000);
    else for (const status of ["failed", "running", "successful"] as const) await add(status);
  }
  for (const status of ["running", "successful", "failed"] as const) {
    expect((await pages(status)).flat()).toEqual(stored[status]);
    expect((await pages(status, scraper.id)).flat()).toEqual(stored[status]);
  }
  expect(await countRuns(table, account, "running")).toBe(stored.running.length);
});

test("numbers that were never used are not looked for again once nothing can use them", async () => {
  // Each block of 100 numbers has some of them.
  for (let block = 0; block < 10; block += 1) {
    await add("failed");
    await skipNumbers(99);
  }
  await add("failed");
  const requestsFor = async (now: Date, scraperId?: string) => {
    const requests = await record(table, async () => {
      expect((await pages("failed", scraperId, now)).flat()).toEqual(stored.failed);
    });
    return requests.length;
  };
  const tomorrow = new Date(Date.now() + 2 * DAY_MS);
  for (const scraperId of [undefined, scraper.id]) {
    const early = await requestsFor(new Date(), scraperId);
    // A request with the same Idempotency-Key may still store a run.
    expect(await requestsFor(new Date(), scraperId)).toBe(early);
    await requestsFor(tomorrow, scraperId);
    expect(await requestsFor(tomorrow, scraperId)).toBeLessThan(early / 4);
  }
});

test("a complete count reads all statuses, a quick one gives up", async () => {
  for (let block = 0; block < 102; block += 1) {
    await add("running");
    await skipNumbers(99);
  }
  expect(await countRuns(table, account, "running")).toBeUndefined();
  expect(await countAllRuns(table, account, "running")).toBe(102);
});
