import { expect, test } from "@jest/globals";
import type { FinishedRun } from "../../../functions/meter.ts";
import type { RunRef, StoredRun } from "../../../functions/runs/run.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { RowWriter } from "../../../functions/store/runs/rows.ts";
import { claimRun, saveProgress } from "../../../functions/store/runs/run-state.ts";
import { getRun } from "../../../functions/store/runs/runs.ts";
import { sweep } from "../../../functions/workers/sweep.ts";
import { startTable } from "../store/local-table.ts";
import { definition, storeRun, storeScraper } from "../store/samples.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const table = await startTable();
let accounts = 0;

/** A new run, a clock, and what the sweeper queues for it. */
async function scene() {
  accounts += 1;
  const account = `account-${accounts}`;
  let time = Date.parse("2026-11-21T00:00:00.000Z") + accounts * 1000 * HOUR;
  const now = () => new Date(time);
  await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
  const scraper = await storeScraper(table, account, definition, now());
  const run = await storeRun(table, account, scraper, { now: now(), webhookUrl: "https://example.org/" });
  const queued = { runs: 0, webhooks: 0, batches: 0 };
  const count = (queue: keyof typeof queued) => async (ref: RunRef) => {
    if (ref.id === run.id) queued[queue] += 1;
  };
  const queues = { sendRun: count("runs"), sendWebhook: count("webhooks"), sendBatch: count("batches") };
  const log = { info() {}, error() {} };
  const metered: FinishedRun[] = [];
  const meter = {
    runStarted() {},
    runFinished: (finished: FinishedRun) => void metered.push(finished),
    webhookAttempted() {},
  };
  return {
    metered,
    queued,
    now,
    read: () => getRun(table, run) as Promise<StoredRun>,
    claim: () => claimRun(table, run, now(), MINUTE),
    /** Lets time go by, with a sweep each minute. */
    async pass(ms: number) {
      for (const end = time + ms; time < end; ) {
        time += MINUTE;
        await sweep({ table, queues, now, log, meter });
      }
    },
  };
}

test("a run whose executor died is queued again; after the third death it ends as failed, with its rows", async () => {
  const { queued, metered, now, read, claim, pass } = await scene();
  const first = await claim();
  if (first === undefined) throw new Error("not claimed");
  const writer = new RowWriter(table, first, first);
  writer.append([{ name: "kept" }]);
  const result = { checkpoint: { page: 2 }, credits_used: 1, warnings: [], elapsed_ms: 0 };
  const leaseUntil = new Date(first.lease_until ?? "");
  await saveProgress(table, first, { ...(await writer.flush()), ...result }, { now: now(), leaseUntil });
  await pass(2 * MINUTE);
  expect(queued.runs).toBeGreaterThan(0);
  await claim();
  await pass(2 * MINUTE);
  expect(await read()).toMatchObject({ status: "running", claims: 2 });
  await claim();
  await pass(3 * MINUTE);
  expect(await read()).toMatchObject({
    status: "failed",
    error: {
      code: "internal_error",
      message: expect.stringContaining("3 times in a row, the run's executor stopped without new rows and"),
    },
    row_count: 1,
    credits_used: 1,
    undelivered: true,
  });
  expect(queued.webhooks).toBeGreaterThan(0);
  expect(metered).toMatchObject([{ code: "internal_error", rows: 1, pages: 1, credits: 1 }]);
});

test("a run each of whose executors stores rows survives any number of deaths", async () => {
  const { now, read, claim, pass } = await scene();
  for (let death = 1; death <= 6; death += 1) {
    const claimed = await claim();
    if (claimed === undefined) throw new Error("not claimed");
    const writer = new RowWriter(table, claimed, claimed);
    writer.append([{ name: `kept ${death}` }]);
    const result = { checkpoint: { page: death + 1 }, credits_used: death, warnings: [], elapsed_ms: 0 };
    const leaseUntil = new Date(claimed.lease_until ?? "");
    const renewal = { now: now(), leaseUntil, isAdvanced: true };
    await saveProgress(table, claimed, { ...(await writer.flush()), ...result }, renewal);
    await pass(2 * MINUTE);
    expect(await read()).toMatchObject({ status: "running", attempt: death, claims: 1, row_count: death });
  }
});

test("a run ends within its time limit and five minutes, when nobody is there to execute it any more", async () => {
  const { read, claim, pass } = await scene();
  await claim();
  await pass(HOUR + 5 * MINUTE);
  expect(await read()).toMatchObject({ status: "failed", error: { code: "timeout" } });
});

test("a run that nobody ever took ends, too", async () => {
  const { queued, read, pass } = await scene();
  await pass(5 * HOUR);
  expect(await read()).toMatchObject({ status: "running" });
  // Not once a minute: a backlog must not fill the queue with copies of itself.
  expect(queued.runs).toBeGreaterThan(20);
  expect(queued.runs).toBeLessThan(100);
  await pass(HOUR + 5 * MINUTE);
  expect(await read()).toMatchObject({
    status: "failed",
    error: { code: "timeout", message: expect.stringContaining("No executor started the run") },
  });
});

test("the backlog of one account does not delay the runs of another", async () => {
  const time = Date.parse("2027-06-01T00:00:00.000Z");
  const order: string[] = [];
  const names = ["noisy", "quiet"];
  for (const name of names) {
    await createAccount(table, { name, credit_limit: null, rate_limit: null, created_at: "" });
    const scraper = await storeScraper(table, name, definition, new Date(time));
    // The other account's only run is the last one to become due.
    const count = name === "noisy" ? 250 : 1;
    const dueAt = new Date(time + (name === "noisy" ? 0 : 1_000));
    await Promise.all(
      Array.from({ length: count }, () => storeRun(table, name, scraper, { now: new Date(time), dueAt })),
    );
  }
  const queues = {
    sendRun: async ({ account }: RunRef) => void order.push(account),
    sendWebhook: async () => {},
    sendBatch: async () => {},
  };
  await sweep({ table, queues, now: () => new Date(time + 2_000), log: { info() {}, error() {} } });
  const own = order.filter((account) => names.includes(account));
  expect(own).toHaveLength(251);
  expect(own.slice(0, 110)).toContain("quiet");
});
