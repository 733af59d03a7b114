import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Row } from "../functions/contract/runs/run.ts";
import { startRun } from "../functions/runs/start-run.ts";
import { createAccount } from "../functions/store/accounts.ts";
import { readRows } from "../functions/store/runs/read-rows.ts";
import { RowWriter } from "../functions/store/runs/rows.ts";
import { claimRun, finishRun } from "../functions/store/runs/run-state.ts";
import { getRun } from "../functions/store/runs/runs.ts";
import { memoryPartition } from "../functions/store/scraper-memory.ts";
import { queryAll, type Table, transact } from "../functions/store/table.ts";
import { compareRun, type Findings } from "../functions/workers/compare-run.ts";
import { openLocalTable, tableOf } from "../local/backend.ts";
import { putScraper } from "../test/put-scraper.ts";
import { withDataFolder } from "./service.ts";

/*
 * The comparison of runs with 1,000,000 rows, each with a key: how long it takes, what memory, and what it stores. The first
 * run becomes the baseline; in the second one, 1 % of the rows have changed, 1 % are new and 1 % are missing, in another
 * order.
 */
const ROWS = 1_000_000;
const BATCH = 5_000;
const LIMITS = { seconds: 8, memoryMb: 150, storedMb: 40 };

const STEPS = [
  { type: "visit", url: "https://example.org/" },
  {
    type: "get_list",
    selector: "li",
    fields: [{ name: "sku" }, { name: "name" }, { name: "price" }],
    key: ["sku"],
  },
];

const row = (index: number, price: number): Row => ({
  sku: `SKU-${index}`,
  name: `Product ${index} of the catalogue`,
  price: `${price}.00`,
});
const first = (at: number) => row(at, at % 500);
/** The rows from the 10,001st on, backwards, and 10,000 new ones. */
const second = (at: number) => row(ROWS + 9_999 - at, (ROWS + 9_999 - at + (at % 100 === 7 ? 1 : 0)) % 500);

await withDataFolder(async (data) => {
  const dynamoDb = openLocalTable(join(data, "table.sqlite"));
  const table = tableOf(dynamoDb);
  const created_at = new Date().toISOString();
  await createAccount(table, { name: "default", credit_limit: null, rate_limit: null, created_at });
  const scraper = await putScraper(
    table,
    "default",
    { name: "Bench", steps: STEPS, rows_limit: ROWS },
    new Date(),
  );
  console.log("| run | time, s | CPU, s | memory over before, MB | stored of the scraper, MB | changes |");
  console.log("|---|---|---|---|---|---|");
  const isWithin = [await measure(table, scraper.id, first), await measure(table, scraper.id, second)];
  dynamoDb.close();
  if (!isWithin.every(Boolean)) process.exitCode = 1;
});

async function measure(table: Table, scraperId: string, rowAt: (index: number) => Row): Promise<boolean> {
  const run = await storedRun(table, scraperId, rowAt);
  global.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  const found = await compareRun({
    table,
    run,
    now: new Date(),
    // As if its rows_limit were higher: a run at its limit never becomes the baseline.
    rowCount: run.row_count - 1,
    warnings: [],
    failure: undefined,
    read: () => readRows(table, run),
    deadline: Number.POSITIVE_INFINITY,
  });
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(sampler);
  if (found.memory) await transact(table, randomUUID(), [found.memory]);
  const memoryMb = (most - before) / 1e6;
  const storedMb = (await storedBytes(table, scraperId, found)) / 1e6;
  const { new: isNew, changed, removed, same } = found.changes ?? { new: 0, changed: 0, removed: 0, same: 0 };
  const figures = [seconds, (user + system) / 1e6, memoryMb, storedMb].map((figure) => figure.toFixed(1));
  const counts = `${isNew} new, ${changed} changed, ${removed} removed, ${same} the same`;
  console.log(`| ${[run.scraper_number, ...figures, counts].join(" | ")} |`);
  return seconds <= LIMITS.seconds && memoryMb <= LIMITS.memoryMb && storedMb <= LIMITS.storedMb;
}

/** What the newest comparison has stored for the next ones, without what it has superseded. */
async function storedBytes(table: Table, scraper_id: string, { superseded }: Findings): Promise<number> {
  const items = queryAll<{ sk: string; data?: Uint8Array }>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": memoryPartition({ account: "default", scraper_id }) },
  });
  let sum = 0;
  for await (const { sk, data } of items)
    if (!superseded.some(({ prefix }) => sk.startsWith(`${prefix}#`))) sum += data?.length ?? 0;
  return sum;
}

/** A run whose rows are stored, and which is about to end. Its end is stored too, so that the next one can read its rows. */
async function storedRun(table: Table, scraper_id: string, rowAt: (index: number) => Row) {
  const queues = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
  const deps = { table, queues, now: () => new Date(), log: { info() {}, error() {} } };
  const started = await startRun(deps, { account: "default", source: "api", request: { scraper_id } });
  if (started.outcome !== "started") throw new Error(started.outcome);
  const run = await claimRun(table, started.run, new Date(), 600_000);
  if (run === undefined) throw new Error("The run could not be claimed");
  const writer = new RowWriter(table, run, run);
  for (let at = 0; at < ROWS; at += BATCH) {
    writer.append(Array.from({ length: BATCH }, (_, index) => rowAt(at + index)));
    if (writer.isFull) await writer.flush();
  }
  const progress = { ...(await writer.finish()), credits_used: 0, warnings: [], elapsed_ms: 0 };
  const ending = { status: "successful", error: null, finished_at: new Date().toISOString() } as const;
  await finishRun(table, run, progress, ending, undefined);
  const stored = await getRun(table, run);
  if (stored === undefined) throw new Error("The run was not stored");
  return stored;
}
