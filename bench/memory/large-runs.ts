import { join } from "node:path";
import { startRun } from "../../functions/runs/start-run.ts";
import type { Scrape } from "../../functions/scraping/job.ts";
import { createAccount } from "../../functions/store/accounts.ts";
import { getRun } from "../../functions/store/runs/runs.ts";
import { executeRun } from "../../functions/workers/execute-run.ts";
import { openLocalTable, tableOf } from "../../local/backend.ts";
import { putScraper } from "../../test/put-scraper.ts";
import { withDataFolder } from "../service.ts";
import type { Figure } from "./figure.ts";

const RUNS = 100;
const ROWS = 200_000;
const BATCH = 500;
/** What the heap after the last run may exceed the heap after the tenth. */
const MAX_GROWTH_MB = 5;

const scrape: Scrape = async function* () {
  for (let taken = 0; taken < ROWS; taken += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, index) => ({
      title: `Book number ${taken + index} of a long list`,
      price: `£${taken + index}.00`,
      url: `https://example.org/books/${taken + index}`,
    }));
    yield { rows, checkpoint: { step: 1, taken } };
  }
  return "done";
};

/**
 * Memory after each of 100 large runs in one executor, as in the local service. The pages are simulated: a browser would
 * take hours, and what a run of the executor keeps does not depend on it.
 */
export const largeRuns = (): Promise<Figure[]> =>
  withDataFolder(async (data) => {
    const { gc } = globalThis;
    if (gc === undefined) throw new Error("Run this with `node --expose-gc`.");

    const dynamoDb = openLocalTable(join(data, "table.sqlite"));
    const table = tableOf(dynamoDb);
    const now = () => new Date();
    const queues = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
    const deps = {
      table,
      queues,
      now,
      log: { info() {}, error: console.error },
      scrape,
      readSecrets: async () => new Map(),
      upstreamFor: async () => undefined,
      // One signal for the life of the process, as in the local service.
      stop: new AbortController().signal,
    };
    const created_at = now().toISOString();
    await createAccount(table, { name: "default", credit_limit: null, rate_limit: null, created_at });
    const steps = [{ type: "visit", url: "https://example.org/books" }];
    const scraper = await putScraper(table, "default", { name: "Soak", steps, rows_limit: ROWS }, now());
    const request = { scraper_id: scraper.id };
    const heaps: number[] = [];
    for (let run = 1; run <= RUNS; run++) {
      const started = await startRun(deps, { account: "default", source: "api", request });
      if (started.outcome !== "started") throw new Error(started.outcome);
      await executeRun(deps, started.run, Date.now() + 600_000);
      if ((await getRun(table, started.run))?.row_count !== ROWS) throw new Error("The run is not complete.");
      await gc({ type: "major", execution: "async" });
      heaps.push(process.memoryUsage().heapUsed / 1e6);
      if (run === 1 || run % 10 === 0) console.log(`run ${run}: heap ${heaps.at(-1)?.toFixed(1)} MB`);
    }
    dynamoDb.close();
    const growth = (heaps.at(-1) ?? 0) - (heaps[9] ?? 0);
    return [
      { what: `heap after ${RUNS} large runs over heap after 10, MB`, measured: growth, goal: MAX_GROWTH_MB },
    ];
  });
