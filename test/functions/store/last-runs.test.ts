import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "@jest/globals";
import { listScrapers } from "../../../functions/api/scrapers/list-scrapers.ts";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import type { NewRun } from "../../../functions/runs/run.ts";
import { createAccount, takeNumber } from "../../../functions/store/accounts.ts";
import { deleteRun } from "../../../functions/store/runs/delete-run.ts";
import { lastRunOf } from "../../../functions/store/runs/last-runs.ts";
import { newId } from "../../../functions/store/runs/numbering.ts";
import { claimRun, finishRun } from "../../../functions/store/runs/run-state.ts";
import { createRun, listRuns } from "../../../functions/store/runs/runs.ts";
import { earlierRunsKey, takeScraperRunNumber } from "../../../functions/store/runs/scraper-runs.ts";
import { listRunsByStatus } from "../../../functions/store/runs/statuses.ts";
import { scraperRunsKey } from "../../../functions/store/scraper-keys.ts";
import { deleteScraper, type StoredScraper } from "../../../functions/store/scrapers.ts";
import type { Table } from "../../../functions/store/table.ts";
import { startTable } from "./local-table.ts";
import { record } from "./recorder.ts";
import { definition, storeRun, storeScraper } from "./samples.ts";
import { isWrite, withSend } from "./with-send.ts";

const table = await startTable();

/* The last run of each scraper, as a page of the list shows it. */

const HOUR_MS = 3_600_000;
const NOW = new Date();
const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);

/** The requests of a page whose last runs are known: how far the list goes, its scrapers, and the runs. */
const PAGE = ["BatchGetItemCommand", "QueryCommand", "BatchGetItemCommand"];

let accounts = 0;
async function newAccount(table: Table): Promise<string> {
  accounts += 1;
  const name = `last-runs-${process.pid}-${accounts}`;
  await createAccount(table, { name, credit_limit: null, rate_limit: null, created_at: NOW.toISOString() });
  return name;
}

async function newScrapers(table: Table, account: string, count: number): Promise<StoredScraper[]> {
  const scrapers = [];
  for (let index = 0; index < count; index += 1)
    scrapers.push(await storeScraper(table, account, definition, NOW));
  return scrapers;
}

async function finish(table: Table, run: NewRun, rows = 3): Promise<void> {
  const claim = await claimRun(table, run, NOW, 45_000);
  if (claim === undefined) throw new Error("The run can't be claimed.");
  const progress = { row_count: rows, row_bytes: 0, segments: [], credits_used: 0, warnings: [] };
  const ending = { status: "successful", error: null, finished_at: NOW.toISOString() } as const;
  await finishRun(table, claim, { ...progress, elapsed_ms: 1 }, ending, undefined);
}

/** A page as `GET /v1/scrapers` answers it, and what it asked of the table. */
async function readPage(table: Table, account: string, { page = 1, now = NOW } = {}) {
  let data: Scraper[] = [];
  const requests = await record(table, async () => {
    const asked = { account, query: { page } } as Parameters<typeof listScrapers>[0];
    const { json } = await listScrapers(asked, { table, now: () => now } as Parameters<
      typeof listScrapers
    >[1]);
    data = (json as { data: Scraper[] }).data;
  });
  return { data, last: data.map(({ last_run }) => last_run?.id), asked: requests.map((one) => one.command) };
}

test("every page of the list takes three requests", async () => {
  const account = await newAccount(table);
  const scrapers = await newScrapers(table, account, 60);
  const newest = new Map<string, string>();
  for (const [index, scraper] of scrapers.entries()) {
    // Some never ran, some ran often, and some are running.
    for (let count = 0; count < index % 4; count += 1) {
      const run = await storeRun(table, account, scraper);
      if (count > 0 || index % 3 === 0) await finish(table, run);
      newest.set(scraper.id, run.id);
    }
  }
  const expected = scrapers.toReversed().map(({ id }) => newest.get(id));
  const first = await readPage(table, account);
  const second = await readPage(table, account, { page: 2 });
  expect([...first.last, ...second.last]).toEqual(expected);
  expect([first.asked, second.asked]).toEqual([PAGE, PAGE]);
  expect(first.data[0]?.last_run).toEqual({
    id: expected[0],
    status: "successful",
    row_count: 3,
    created_at: expect.any(String),
    finished_at: NOW.toISOString(),
    error: null,
    warnings: [],
    stopping: false,
  });

  for (const { id } of scrapers.slice(0, 10)) await deleteScraper(table, account, id);
  const left = await readPage(table, account);
  expect([left.last, left.asked]).toEqual([expected.slice(0, 50), PAGE]);
});

test("a run's writes take the capacity of one small item each for its numbers", async () => {
  const account = await newAccount(table);
  const steps = Array.from({ length: 200 }, () => ({
    id: "open",
    type: "visit" as const,
    url: "https://example.org/",
  }));
  const scraper = await storeScraper(table, account, { ...definition, steps }, NOW);
  const requests = await record(table, () => takeScraperRunNumber(table, account, scraper.id, newId(1, NOW)));
  expect(requests).toMatchObject([{ command: "UpdateItemCommand", capacity: 1 }]);
});

test("of runs that start at the same time, it is the one with the newest number", async () => {
  const account = await newAccount(table);
  const [scraper] = (await newScrapers(table, account, 1)) as [StoredScraper];
  const runs = await Promise.all(Array.from({ length: 20 }, () => storeRun(table, account, scraper)));
  expect(new Set(runs.map((run) => run.scraper_number)).size).toBe(20);
  const newest = runs.find((run) => run.scraper_number === 20);
  const { last, asked } = await readPage(table, account);
  expect([last, asked]).toEqual([[newest?.id], PAGE]);
});

test("when runs are deleted, it is the newest one that is left", async () => {
  const account = await newAccount(table);
  const [scraper] = (await newScrapers(table, account, 1)) as [StoredScraper];
  const runs = [];
  for (let count = 0; count < 3; count += 1) {
    const run = await storeRun(table, account, scraper);
    await finish(table, run);
    runs.push(run);
  }
  const [first, second, third] = runs as [NewRun, NewRun, NewRun];
  for (const [deleted, left] of [
    [second, third],
    [third, first],
    [first, undefined],
  ] as const) {
    await deleteRun(table, deleted, NOW);
    const { last, asked } = await readPage(table, account);
    expect(last).toEqual([left?.id]);
    expect(asked).toEqual(left === undefined ? PAGE.slice(0, 2) : PAGE);
  }
  const run = await storeRun(table, account, scraper);
  expect((await readPage(table, account)).last).toEqual([run.id]);
});

test("while a deletion is half done, it is the run before", async () => {
  // After each of the deletion's writes, the process dies.
  for (let writes = 1; ; writes += 1) {
    const account = await newAccount(table);
    const [scraper] = (await newScrapers(table, account, 1)) as [StoredScraper];
    const [first, second] = [
      await storeRun(table, account, scraper),
      await storeRun(table, account, scraper),
    ];
    for (const run of [first, second]) await finish(table, run);
    let left = writes;
    const dying = withSend(table, (send, command) => {
      if (isWrite(command) && left === 0) throw new Error("died");
      if (isWrite(command)) left -= 1;
      return send();
    });
    const died = await deleteRun(dying, second, NOW).then(
      () => false,
      () => true,
    );
    for (const time of ["first", "second"]) {
      const { last, asked } = await readPage(table, account);
      expect(last).toEqual([first.id]);
      if (time === "second") expect(asked).toEqual(PAGE);
    }
    expect((await lastRunOf(table, account, scraper.id, NOW))?.id).toBe(first.id);
    if (!died) return;
  }
});

test("a run whose number was taken counts as soon as it is stored, and never if it is not", async () => {
  const account = await newAccount(table);
  const [scraper] = (await newScrapers(table, account, 1)) as [StoredScraper];
  const run = await storeRun(table, account, scraper);
  const { id: _, ...head } = run;
  const take = async () => {
    const id = newId(await takeNumber(table, account, "run"), NOW);
    const scraper_number = await takeScraperRunNumber(table, account, scraper.id, id);
    return { ...head, id, scraper_number };
  };
  const slow = await take();
  expect((await readPage(table, account)).last).toEqual([run.id]);
  await createRun(table, slow, NOW);
  const { last, asked } = await readPage(table, account);
  expect([last, asked]).toEqual([[slow.id], PAGE]);

  await take();
  for (const [hours, isLookedFor] of [
    [24, true],
    [26, true],
    [26, false],
  ] as const) {
    const found = await readPage(table, account, { now: later(hours) });
    expect(found.last).toEqual([slow.id]);
    expect(found.asked.length > PAGE.length).toBe(isLookedFor);
  }
});

test("an expired run is none, and is looked for only once after it was removed", async () => {
  const account = await newAccount(table);
  const [one, other] = (await newScrapers(table, account, 2)) as [StoredScraper, StoredScraper];
  const kept = await storeRun(table, account, one);
  const expiresAt = Math.floor(later(48).getTime() / 1000);
  const expiring = [];
  for (const scraper of [one, other]) expiring.push(await storeRun(table, account, scraper, { expiresAt }));
  const read = (hours: number) => readPage(table, account, { now: later(hours) });
  expect((await read(47)).last).toEqual(expiring.map(({ id }) => id).toReversed());
  const expired = await read(49);
  expect([expired.last, expired.asked]).toEqual([[undefined, undefined], PAGE]);
  // As DynamoDB does.
  for (const run of expiring) {
    const pk = `ACCOUNT#${account}#RUNS`;
    const number = String(Number.parseInt(run.id.slice(-10), 16)).padStart(12, "0");
    for (const sk of [number, `${number}#STATE`])
      await table.db.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
  }
  expect((await read(50)).last).toEqual([undefined, kept.id]);
  const again = await read(50);
  expect([again.last, again.asked]).toEqual([[undefined, kept.id], PAGE]);
});

describe("a scraper of a version that kept its count elsewhere", () => {
  /** A scraper with runs, as such a version has stored them. */
  async function stored(runCount: number) {
    const account = await newAccount(table);
    const [scraper] = (await newScrapers(table, account, 1)) as [StoredScraper];
    const runs = [];
    for (let count = 0; count < runCount; count += 1) runs.unshift(await storeRun(table, account, scraper));
    const Key = scraperRunsKey(account, scraper.id);
    await table.db.send(new DeleteCommand({ TableName: table.name, Key }));
    const newest_run = runs[0]?.id;
    const Item = { ...earlierRunsKey(account, scraper.id), run_count: runCount, newest_run };
    if (runCount > 0) await table.db.send(new PutCommand({ TableName: table.name, Item }));
    return { account, scraper, runs };
  }
  const listed = async (account: string, scraperId: string) => {
    const ids = [];
    for (let page: number | null = 1; page !== null; ) {
      const { items, nextPage }: Awaited<ReturnType<typeof listRuns>> = await listRuns(table, account, {
        page,
        scraperId,
      });
      ids.push(...items.map(({ id }) => id));
      page = nextPage;
    }
    return ids;
  };

  test("has its runs, and its last one", async () => {
    const { account, scraper, runs } = await stored(60);
    expect(await listed(account, scraper.id)).toEqual(runs.map(({ id }) => id));
    const { last, asked } = await readPage(table, account);
    expect([last, asked.length]).toEqual([[runs[0]?.id], PAGE.length + 1]);
    expect((await lastRunOf(table, account, scraper.id, NOW))?.id).toBe(runs[0]?.id);
  });

  test("takes the numbers that follow, also for runs that start at the same time", async () => {
    const { account, scraper, runs } = await stored(60);
    const started = await Promise.all(Array.from({ length: 5 }, () => storeRun(table, account, scraper)));
    started.sort((one, other) => Number(other.scraper_number) - Number(one.scraper_number));
    const all = [...started, ...runs];
    expect(all.map((run) => run.scraper_number)).toEqual(all.map((_, index) => 65 - index));
    expect(await listed(account, scraper.id)).toEqual(all.map(({ id }) => id));
    const { last, asked } = await readPage(table, account);
    expect([last, asked]).toEqual([[started[0]?.id], PAGE]);
  });

  test("that never ran has none", async () => {
    const { account, scraper } = await stored(0);
    expect((await readPage(table, account)).last).toEqual([undefined]);
    const run = await storeRun(table, account, scraper);
    expect(run.scraper_number).toBe(1);
    const { last, asked } = await readPage(table, account);
    expect([last, asked]).toEqual([[run.id], PAGE]);
  });
});

test("an id that only has the number of a scraper has no runs, and leaves nothing in the table", async () => {
  const account = await newAccount(table);
  const [scraper] = (await newScrapers(table, account, 1)) as [StoredScraper];
  for (let count = 0; count < 101; count += 1) await finish(table, await storeRun(table, account, scraper));
  const other = newId(Number.parseInt(scraper.id.slice(-10), 16), later(1));
  const requests = await record(table, async () => {
    const found = await listRuns(table, account, { page: 1, scraperId: other });
    expect(found).toEqual({ items: [], nextPage: null });
    const query = { page: 1, scraperId: other, status: "successful" } as const;
    expect(await listRunsByStatus(table, account, query)).toEqual({ items: [], nextPage: null });
    expect(await lastRunOf(table, account, other, NOW)).toBeUndefined();
  });
  expect(requests.filter(({ command }) => isWrite({ name: command, input: {} }))).toEqual([]);
});
