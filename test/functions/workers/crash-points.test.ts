import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { Post } from "../../../functions/egress/post-json.ts";
import type { RunRef } from "../../../functions/runs/run.ts";
import { runJson } from "../../../functions/runs/run-json.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { creditsUsed } from "../../../functions/store/credits.ts";
import { listRuns } from "../../../functions/store/runs.ts";
import { createScraper } from "../../../functions/store/scrapers.ts";
import type { Table } from "../../../functions/store/table.ts";
import { deliverWebhook } from "../../../functions/workers/deliver-webhook.ts";
import { executeRun } from "../../../functions/workers/execute-run.ts";
import { sweep } from "../../../functions/workers/sweep.ts";
import { startTable } from "../store/engines.ts";
import { definition } from "../store/samples.ts";

/*
 * The life of a run, from the request to its webhook, with the process dying after each single write to the table
 * or to a queue. Whatever was in memory is gone then, the queues with it; another process recovers by sweeping.
 */

class Died extends Error {}

/** Lets `writes` writes pass; after the last of them the process is dead, and nothing gets through any more. */
class Life {
  #left: number;
  constructor(writes: number) {
    this.#left = writes;
  }
  get ended(): boolean {
    return this.#left <= 0;
  }
  async pass<T>(isWrite: boolean, operation: () => Promise<T>): Promise<T> {
    if (this.ended) throw new Died();
    const result = await operation();
    if (isWrite) this.#left -= 1;
    if (this.ended) throw new Died();
    return result;
  }
}

const PAGES = 4;
const ROWS_A_PAGE = 3;
const expectedRows = Array.from({ length: PAGES * ROWS_A_PAGE }, (_, index) => ({ name: `row ${index}` }));
const timing = { leaseMs: 5_000, renewMs: 1_000, overdueMs: 5_000 };
const MONTH = "2026-11";

const table = await startTable();

// Leases are renewed when a page says so, and not by the machine's speed: each renewal is a write to die after.
beforeAll(() => {
  jest.useFakeTimers({
    doNotFake: [
      "Date",
      "hrtime",
      "nextTick",
      "performance",
      "queueMicrotask",
      "setImmediate",
      "clearImmediate",
      "setTimeout",
      "clearTimeout",
    ],
  });
});
afterAll(() => {
  jest.useRealTimers();
});

/** A site of four pages, each of which takes long enough for the lease to be renewed on it. */
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

const mortal = (life: Life): Table => ({
  name: table.name,
  db: new Proxy(table.db, {
    get: (db, property) =>
      property === "send"
        ? (command: Parameters<typeof db.send>[0]) =>
            life.pass(/Put|Update/.test(command.constructor.name), () => db.send(command))
        : Reflect.get(db, property),
  }),
});

/** A process with its own queues, as long as it lives. */
function startProcess(life: Life, now: () => Date, delivered: string[]) {
  const runs: RunRef[] = [];
  const webhooks: RunRef[] = [];
  const queues = {
    sendRun: (ref: RunRef) => life.pass(true, async () => void runs.push(ref)),
    sendWebhook: (ref: RunRef) => life.pass(true, async () => void webhooks.push(ref)),
  };
  const post: Post = (_url, { headers }) =>
    life.pass(true, async () => {
      delivered.push(headers["webhook-id"] ?? "");
      return { status: 200, body: "", durationMs: 1 };
    });
  const log = { info() {}, error() {} };
  const deps = {
    table: mortal(life),
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

const untilDeath = async (work: () => Promise<unknown>) => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Died)) throw error;
  }
};

test("dying after any single write loses nothing and does nothing twice", async () => {
  let deaths = 0;
  for (let writes = 1; ; writes += 1) {
    const account = `account-${writes}`;
    let time = Date.parse("2026-11-21T00:00:00.000Z");
    const now = () => new Date(time);
    await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
    const scraper = await createScraper(
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

    const life = new Life(writes);
    const first = startProcess(life, now, delivered);
    await untilDeath(() => startRun(first.deps, request));
    await untilDeath(first.work);
    if (life.ended) deaths += 1;

    // The client got no answer, or wants to be sure: it sends its request again.
    const second = startProcess(new Life(Number.POSITIVE_INFINITY), now, delivered);
    await startRun(second.deps, request);
    for (let minute = 0; minute < 10; minute += 1) {
      await second.work();
      time += 10_000;
      await sweep(second.deps);
    }

    const { items } = await listRuns(table, account, { page: 1 });
    expect(items).toHaveLength(1);
    const [run] = items;
    if (run === undefined) return;
    const json = await Array.fromAsync(runJson(table, run), String);
    expect(JSON.parse(json.join(""))).toMatchObject({
      status: "successful",
      result_rows: expectedRows,
      credits_used: PAGES,
    });
    expect(await creditsUsed(table, account, MONTH)).toBe(PAGES);
    expect(new Set(delivered)).toEqual(new Set([run.id]));
    expect(run).not.toHaveProperty("due");
    if (!life.ended) break;
  }
  // Numbers, record, run, message; claim; at least one renewal; end; credits; webhook: each of them was a death.
  expect(deaths).toBeGreaterThanOrEqual(15);
}, 240_000);
