import { expect, jest, test } from "@jest/globals";
import type { Post } from "../../../functions/egress/requests/post-json.ts";
import { RUN_TIMING } from "../../../functions/run-timing.ts";
import type { RunRef } from "../../../functions/runs/run.ts";
import { runJson } from "../../../functions/runs/run-json.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { creditsUsed } from "../../../functions/store/credits.ts";
import { deleteRun } from "../../../functions/store/runs/delete-run.ts";
import { putEvidence } from "../../../functions/store/runs/evidence.ts";
import { getRun, listRuns } from "../../../functions/store/runs/runs.ts";
import { storedBytes } from "../../../functions/store/storage.ts";
import { deliverWebhook } from "../../../functions/workers/deliver-webhook.ts";
import { executeRun } from "../../../functions/workers/execute-run.ts";
import { sweep } from "../../../functions/workers/sweep.ts";
import { startTable } from "../store/local-table.ts";
import { definition, leftOf, storeScraper } from "../store/samples.ts";
import { holdIntervals } from "./intervals.ts";
import { attempt, Dying, Faulty, type Life, mortal } from "./mortality.ts";

/*
 * The life of a run, from the request to its webhook, and its deletion, with something going wrong at each single write to the table
 * or to a queue: the process dies after it, the write fails for good while the process lives on, or it succeeds and says
 * that it has failed. Another process recovers by sweeping.
 */

const PAGES = 2;
const ROWS_A_PAGE = 3;
const expectedRows = Array.from({ length: PAGES * ROWS_A_PAGE }, (_, index) => ({ name: `row ${index}` }));
const timing = { ...RUN_TIMING, leaseMs: 5_000, renewMs: 1_000, overdueMs: 5_000 };
const MONTH = "2026-11";

const table = await startTable();

// Each renewal of a lease is a write to die after.
holdIntervals();

/** A site of two pages, each of which takes long enough for the lease to be renewed on it. */
const scrape: Scrape = async function* (job, { onPageLoad }) {
  for (let page = Number(job.from?.checkpoint.page ?? 0); page < PAGES; page += 1) {
    onPageLoad();
    jest.advanceTimersByTime(timing.renewMs);
    yield {
      rows: expectedRows.slice(page * ROWS_A_PAGE, (page + 1) * ROWS_A_PAGE),
      checkpoint: { page: page + 1 },
    };
  }
  return "done";
};

/** A process with its own queues, as long as it lives. */
function startProcess(life: Life, now: () => Date, delivered: string[]) {
  const runs: RunRef[] = [];
  const webhooks: RunRef[] = [];
  const batches: RunRef[] = [];
  const queues = {
    sendRun: (ref: RunRef) => life.pass(true, async () => void runs.push(ref)),
    sendWebhook: (ref: RunRef) => life.pass(true, async () => void webhooks.push(ref)),
    sendBatch: (ref: RunRef) => life.pass(true, async () => void batches.push(ref)),
  };
  const post: Post = (_url, { headers }) =>
    life.pass(true, async () => {
      delivered.push(headers["webhook-id"] ?? "");
      return { status: 200, body: "", durationMs: 1 };
    });
  const log = { info() {}, error() {} };
  const deps = {
    table: mortal(table, life),
    queues,
    scrape,
    readSecrets: async () => new Map(),
    upstreamFor: async () => undefined,
    post,
    now,
    log,
    timing,
  };
  return {
    deps,
    /** Works off what is queued. */
    async work() {
      for (let ref = runs.shift(); ref; ref = runs.shift()) {
        await executeRun(deps, ref, now().getTime() + 600_000);
      }
      for (let ref = webhooks.shift(); ref; ref = webhooks.shift()) await deliverWebhook(deps, ref);
    },
  };
}

const ways: [name: string, least: number, life: (write: number) => Life][] = [
  // Numbers, record, run and state, message; claim; at least one renewal; rows and end; webhook: each of them is a death.
  ["dying after it", 15, (write) => new Dying(write)],
  ["a write that fails", 15, (write) => new Faulty(write, 1, false)],
  ["a write that fails three times", 15, (write) => new Faulty(write, 3, false)],
  ["a write whose answer is lost", 15, (write) => new Faulty(write, 1, true)],
];

test.each(ways)(
  "%s loses nothing and does nothing twice, at any single write",
  async (way, least, lifeOf) => {
    let happened = 0;
    for (let write = 1; ; write += 1) {
      const account = `${way.replaceAll(" ", "-")}-${write}`;
      let time = Date.parse("2026-11-21T00:00:00.000Z");
      const now = () => new Date(time);
      await createAccount(table, { name: account, credit_limit: 1_000, rate_limit: null, created_at: "" });
      const scraper = await storeScraper(
        table,
        account,
        { ...definition, webhook_url: "https://example.org/hook", rows_limit: 100 },
        now(),
      );
      const request = {
        account,
        source: "api",
        request: { scraper_id: scraper.id },
        idempotencyKey: "order",
      } as const;
      const delivered: string[] = [];

      const life = lifeOf(write);
      const first = startProcess(life, now, delivered);
      let answer: string | undefined;
      await attempt(async () => {
        const result = await startRun(first.deps, request);
        if (result.outcome === "started") answer = result.run.id;
      });
      await attempt(first.work);
      if (life.ended) happened += 1;

      // The client got no answer, or wants to be sure: it sends its request again.
      const second = startProcess(new Dying(Number.POSITIVE_INFINITY), now, delivered);
      await startRun(second.deps, request);
      let { items } = await listRuns(table, account, { page: 1 });
      // One round more than it takes.
      for (let round = 0, more = 1; round < 10 && more > 0; round += 1) {
        await second.work();
        time += 10_000;
        await sweep(second.deps);
        items = (await listRuns(table, account, { page: 1 })).items;
        if (items.every((run) => run.webhook_outcome !== undefined)) more -= 1;
      }
      expect(items).toHaveLength(1);
      const [run] = items;
      if (run === undefined) return;
      expect(answer ?? run.id).toBe(run.id);
      const json = await Array.fromAsync(runJson(table, run), String);
      expect(JSON.parse(json.join(""))).toMatchObject({
        status: "successful",
        result_rows: expectedRows,
        credits_used: PAGES,
      });
      expect(run).toMatchObject({ credits_reserved: 0, webhook_outcome: "delivered" });
      expect(await creditsUsed(table, account, MONTH)).toBe(PAGES);
      expect(new Set(delivered)).toEqual(new Set([run.id]));
      expect(run).not.toHaveProperty("due");
      if (!life.ended) break;
    }
    expect(happened).toBeGreaterThanOrEqual(least);
  },
  240_000,
);

test.each(ways)(
  "%s leaves a deleted run there as a whole or deletes it as a whole, at any single write",
  async (way, _, lifeOf) => {
    let happened = 0;
    for (let write = 1; ; write += 1) {
      const account = `deleted-${way.replaceAll(" ", "-")}-${write}`;
      let time = Date.parse("2026-11-21T00:00:00.000Z");
      const now = () => new Date(time);
      await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
      const scraper = await storeScraper(table, account, definition, now());
      const living = startProcess(new Dying(Number.POSITIVE_INFINITY), now, []);
      const result = await startRun(living.deps, {
        account,
        source: "api",
        request: { scraper_id: scraper.id },
      });
      if (result.outcome !== "started") throw new Error(result.outcome);
      const ref = { account, id: result.run.id };
      await living.work();
      await putEvidence(table, { ...ref, attempt: 1 }, { url: "https://example.org/", title: "Books" });

      const life = lifeOf(write);
      await attempt(() => deleteRun(mortal(table, life), ref, now()));
      if (life.ended) happened += 1;
      const run = await getRun(table, ref);
      time += 5 * 60_000;
      for (const isSwept of [false, true]) {
        if (isSwept) await sweep(living.deps);
        expect(await getRun(table, ref)).toEqual(run);
        const { items } = await listRuns(table, account, { page: 1 });
        expect(items.map(({ id }) => id)).toEqual(run ? [ref.id] : []);
      }
      if (run) {
        expect(run).toMatchObject({ status: "successful", row_count: expectedRows.length });
        // Only where nothing was written: who asked for it got an error.
        expect(write).toBe(1);
      } else {
        expect(await leftOf(table, ref)).toMatchObject([
          { status: "deleted", expires_at: expect.any(Number) },
        ]);
        expect(await storedBytes(table, account)).toBe(0);
      }
      if (!life.ended) break;
    }
    // The mark, evidence and head, the numbers of both lists, the last run, and the end of the mark.
    expect(happened).toBeGreaterThanOrEqual(5);
  },
  120_000,
);
