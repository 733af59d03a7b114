import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { RunFailure } from "../../../functions/runs/failure.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { setLimits } from "../../../functions/store/accounts.ts";
import { creditsUsed } from "../../../functions/store/credits.ts";
import { startTable } from "../store/local-table.ts";
import { withSend } from "../store/with-send.ts";
import { startLife } from "./life.ts";

const table = await startTable();
const MONTH = "2026-11";

// A run that got no credits asks again at once.
beforeEach(() => void jest.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => void jest.restoreAllMocks());

/** A run of so many pages, each of which takes a moment. */
const pages = (count: number): Scrape =>
  async function* (job, { onPageLoad }) {
    for (let page = Number(job.from?.checkpoint.page ?? 0); page < count; page += 1) {
      await sleep(1);
      onPageLoad();
      yield { rows: [{ page: String(page) }], checkpoint: { page: page + 1 } };
    }
    return "done";
  };

test("20 runs at a time exceed the account's limit by at most one page each", async () => {
  jest.restoreAllMocks();
  const limit = 100;
  const life = await startLife(table, { scrape: pages(100), creditLimit: limit });
  const runs = await Promise.all(Array.from({ length: 20 }, () => life.start()));
  await Promise.all(runs.map((run) => life.execute(run)));
  const ended = await Promise.all(runs.map(life.read));
  for (const run of ended) {
    expect(run).toMatchObject({
      status: "failed",
      error: { code: "credits_exhausted" },
      credits_reserved: 0,
    });
    // What a run keeps is what it has paid for.
    expect(run.row_count).toBe(run.credits_used);
  }
  const used = await creditsUsed(table, life.account, MONTH);
  expect(used).toBe(ended.reduce((sum, { credits_used }) => sum + credits_used, 0));
  expect(used).toBeGreaterThanOrEqual(limit);
  expect(used).toBeLessThanOrEqual(limit + runs.length);
});

/** A run of so many pages, of which it loads ten side by side. */
const tens = (count: number, failure?: RunFailure): Scrape =>
  async function* (_, { onPageLoad }) {
    for (let page = 0; page < count; page += 10) {
      for (let next = 0; next < 10; next += 1) onPageLoad();
      if (failure) throw failure;
      yield { rows: Array.from({ length: 10 }, () => ({ page: "1" })), checkpoint: { page } };
    }
    return "done";
  };

test("pages that load side by side beyond the account's limit end the run, and do not count", async () => {
  const life = await startLife(table, { scrape: tens(30), creditLimit: 15 });
  const run = await life.start();
  await life.execute(run);
  const ended = { status: "failed", error: { code: "credits_exhausted" }, credits_used: 15, row_count: 10 };
  expect(await life.read(run)).toMatchObject({ ...ended, faults: 0 });
  expect(await creditsUsed(table, life.account, MONTH)).toBe(15);
});

test("a run whose credits are used up loads no further pages, although it has no rows to hand over", async () => {
  let loaded = 0;
  const life = await startLife(table, {
    creditLimit: 5,
    async *scrape(_, { onPageLoad }) {
      while (loaded < 2_000) {
        await sleep(10);
        onPageLoad();
        loaded += 1;
      }
      yield { rows: [], checkpoint: {} };
      return "done";
    },
  });
  const run = await life.start();
  await life.execute(run);
  const ended = { status: "failed", error: { code: "credits_exhausted" }, credits_used: 5 };
  expect(await life.read(run)).toMatchObject(ended);
  expect(loaded).toBeLessThan(2_000);
});

test("pages beyond the account's limit do not count for a run that fails for another reason", async () => {
  const failure = new RunFailure("http_error", "It is down.");
  const life = await startLife(table, { scrape: tens(30, failure), creditLimit: 4 });
  const run = await life.start();
  await life.execute(run);
  expect(await life.read(run)).toMatchObject({ status: "failed", credits_used: 4 });
  expect(await creditsUsed(table, life.account, MONTH)).toBe(4);
});

test("what a run has reserved and not spent is free again when it ends", async () => {
  const scraper = { proxy: { type: "residential" as const } };
  const life = await startLife(table, { scrape: pages(3), creditLimit: 1_000, scraper });
  const run = await life.start();
  await life.execute(run);
  expect(await life.read(run)).toMatchObject({ status: "successful", credits_used: 30, credits_reserved: 0 });
  expect(await creditsUsed(table, life.account, MONTH)).toBe(30);
});

test("a run that another attempt resumes spends what the first has reserved", async () => {
  let attempts = 0;
  const life = await startLife(table, {
    creditLimit: 4,
    async *scrape(job, context) {
      attempts += 1;
      const batches = pages(4)(job, context);
      for (let next = await batches.next(); ; next = await batches.next()) {
        if (next.done) return next.value;
        yield next.value;
        if (attempts === 1) return "handover";
      }
    },
  });
  const run = await life.start();
  await life.execute(run);
  await life.execute(run);
  expect(await life.read(run)).toMatchObject({ status: "successful", credits_used: 4 });
  expect(await creditsUsed(table, life.account, MONTH)).toBe(4);
});

test("a reservation that fails ends the attempt, and the next one goes on", async () => {
  const life = await startLife(table, { scrape: pages(20), creditLimit: 40 });
  let reads = 0;
  const failing = withSend(table, (send, { name, input }) => {
    const isRead = name === "QueryCommand" && JSON.stringify(input).includes("#CREDITS#");
    if (isRead) reads += 1;
    return isRead && reads === 3 ? Promise.reject(new Error("The table is down.")) : send();
  });
  const run = await life.start();
  await life.execute(run, { table: failing });
  expect(await life.read(run)).toMatchObject({ status: "running", faults: 1 });
  await life.execute(run);
  expect(await life.read(run)).toMatchObject({ status: "successful", row_count: 20 });
});

test("a limit that is raised or reached counts for the next run, in the same month", async () => {
  const life = await startLife(table, { scrape: pages(3), creditLimit: 3 });
  await life.execute(await life.start());
  await expect(life.start()).rejects.toThrow("no_credits");
  await setLimits(table, life.account, { credit_limit: 6 });
  const run = await life.start();
  await life.execute(run);
  expect(await life.read(run)).toMatchObject({ status: "successful", credits_used: 3 });
});

test("the webhook is queued although the end of the run has to be tried again", async () => {
  const life = await startLife(table, {
    scrape: pages(2),
    scraper: { webhook_url: "https://example.org/hook" },
  });
  const run = await life.start();
  let isDown = true;
  const flaky = withSend(table, (send, { name }) => {
    if (name === "TransactWriteCommand" && isDown) throw new Error("throttled");
    return send();
  });
  await life.execute(run, { table: flaky });
  expect(await life.read(run)).toMatchObject({ status: "running", faults: 1 });
  isDown = false;
  await life.execute(run, { table: flaky });
  expect(life.webhooks).toMatchObject([run]);
  expect(await creditsUsed(table, life.account, MONTH)).toBe(2);
});

test("an end whose answer is lost is the end all the same", async () => {
  const life = await startLife(table, { scrape: pages(2) });
  const run = await life.start();
  let lost = 0;
  const deaf = withSend(table, async (send, { name }) => {
    const result = await send();
    // As the SDK does it: the write is sent again.
    return name === "TransactWriteCommand" && ++lost === 1 ? send() : result;
  });
  await life.execute(run, { table: deaf });
  expect(await life.read(run)).toMatchObject({ status: "successful", attempt: 1 });
  expect(await creditsUsed(table, life.account, MONTH)).toBe(2);
});

test("a claim whose answer is lost holds all the same", async () => {
  const life = await startLife(table, { scrape: pages(2) });
  const run = await life.start();
  const deaf = withSend(table, async (send, { name, input }) => {
    const result = await send();
    const isClaim =
      name === "UpdateCommand" && String(input.UpdateExpression).includes("#claims = :set_claims");
    return isClaim ? send() : result;
  });
  await life.execute(run, { table: deaf });
  expect(await life.read(run)).toMatchObject({ status: "successful", attempt: 1, claims: 1 });
});
