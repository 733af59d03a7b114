import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRun } from "../functions/runs/start-run.ts";
import { createAccount } from "../functions/store/accounts.ts";
import { listRuns } from "../functions/store/runs/runs.ts";
import { openLocalTable, tableOf } from "../local/backend.ts";
import { putScraper } from "../test/put-scraper.ts";

/* With 100,000 runs stored: what page 1,000 costs beside page 1, in time, requests, items and read capacity. */
const RUNS = 100_000;
const REPEATS = 51;
const LIMIT = 1.5;

const folder = await mkdtemp(join(tmpdir(), "gleaner-bench-lists-"));
const dynamoDb = openLocalTable(join(folder, "table.sqlite"));
const table = tableOf(dynamoDb);
await createAccount(table, { name: "bench", credit_limit: null, rate_limit: null, created_at: "" });
const definition = { name: "Bench", steps: [{ type: "visit", url: "https://example.org/" }] };
const scraper = await putScraper(table, "bench", definition, new Date());
const queues = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
// Twenty runs at a time begin at the same moment, a second after the ones before.
let time = Date.now() - RUNS * 50;
const deps = { table, queues, now: () => new Date(time), log: { info() {}, error() {} } };
const request = { scraper_id: scraper.id };
for (let stored = 0; stored < RUNS; stored += 20) {
  time += 1_000;
  await Promise.all(
    Array.from({ length: 20 }, () => startRun(deps, { account: "bench", source: "api", request })),
  );
}

/** What the requests of one page add up to. */
let cost = { requests: 0, items: 0, capacity: 0 };
table.db.middlewareStack.add(
  (next) => async (args) => {
    (args.input as { ReturnConsumedCapacity?: string }).ReturnConsumedCapacity = "TOTAL";
    const result = await next(args);
    const output = result.output as { ScannedCount?: number; ConsumedCapacity?: { CapacityUnits?: number } };
    cost.requests += 1;
    cost.items += output.ScannedCount ?? 1;
    cost.capacity += output.ConsumedCapacity?.CapacityUnits ?? 0;
    return result;
  },
  { step: "initialize" },
);

console.log(`${RUNS} runs stored; medians of ${REPEATS}\n`);
console.log("list             page      ms   requests   items read   capacity units   newest first");
for (const [name, scraperId] of [
  ["all runs", undefined],
  ["one scraper's", scraper.id],
] as const) {
  const medians: number[] = [];
  const pages = [1, 1000, 2000];
  const times = pages.map(() => [] as number[]);
  const costs = pages.map(() => cost);
  // In turn, so that the pages see the same machine.
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const [index, page] of pages.entries()) {
      cost = { requests: 0, items: 0, capacity: 0 };
      const start = performance.now();
      await listRuns(table, "bench", { page, scraperId });
      times[index]?.push(performance.now() - start);
      costs[index] = { ...cost };
    }
  }
  for (const [index, page] of pages.entries()) {
    const { items } = await listRuns(table, "bench", { page, scraperId });
    const sorted = items.every((run, at) => at === 0 || run.created_at <= (items[at - 1]?.created_at ?? ""));
    const median = times[index]?.sort((one, other) => one - other)[REPEATS >> 1] ?? Number.NaN;
    medians.push(median);
    const { requests = 0, items: read = 0, capacity = 0 } = costs[index] ?? {};
    console.log(
      `${name.padEnd(15)} ${String(page).padStart(5)} ${median.toFixed(2).padStart(7)} ${String(requests).padStart(10)} ${String(read).padStart(12)} ${capacity.toFixed(1).padStart(16)}   ${sorted}`,
    );
  }
  const [first = 1, thousandth = 1] = medians;
  console.log(`  page 1,000 : page 1 = ${(thousandth / first).toFixed(2)} (at most ${LIMIT})\n`);
}
dynamoDb.close();
await rm(folder, { recursive: true });
