/**
 * What DynamoDB has to take for each run and for each partition key, as the service grows: the requests of some runs are
 * counted on the service's own code, and then added up for a simulated minute at each rate. Then a sweep recovers 10,000
 * runs. docs/scaling.md has the result and what it means.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";
import Table from "cli-table3";
import type { NewRun } from "../../functions/runs/run.ts";
import { duePartition } from "../../functions/store/runs/due.ts";
import { newId } from "../../functions/store/runs/numbering.ts";
import { createRun } from "../../functions/store/runs/runs.ts";
import { sweep } from "../../functions/workers/sweep.ts";
import { openLocalTable, tableOf } from "../../local/backend.ts";
import { measureBatch, measureRuns, type Usage } from "./scale-measure.ts";

/** The limits of DynamoDB for one partition key. */
const LIMITS = { wcu: 1_000, rcu: 3_000 };
const RATES = [1, 10, 100, 1_000];
const ACCOUNTS = [1, 10, 1_000];
/** The largest account's runs per second, where the service has enough others. */
const LARGEST = 50;
const SECONDS = 60;
const HOTTEST = 5;
const SAMPLES = 20;
const OVERDUE = 10_000;
const BATCH_INPUTS = 10_000;
/** How many of them are executed. */
const BATCH_RUNS = 300;

const { values } = parseArgs({ options: { json: { type: "string" } } });
const samples = await measureRuns(SAMPLES, null);
const limited = await measureRuns(SAMPLES, 1_000_000);

const perRun = (runs: Usage[][], unit: "wcu" | "rcu") =>
  runs.flat().reduce((sum, usage) => sum + usage[unit], 0) / runs.length;
const wcuPerRun = perRun(samples, "wcu");
console.log(
  `Of each run: ${wcuPerRun.toFixed(1)} write units, ${perRun(samples, "rcu").toFixed(1)} read units;`,
);
console.log(
  `with a limit of credits: ${perRun(limited, "wcu").toFixed(1)} write units, ${perRun(limited, "rcu").toFixed(1)} read units\n`,
);
for (const [key, { wcu, rcu }] of sumByKey(samples.flat()))
  console.log(
    `  ${key.padEnd(56)} ${(wcu / SAMPLES).toFixed(2).padStart(6)} ${(rcu / SAMPLES).toFixed(2).padStart(6)}`,
  );

function sumByKey(usages: readonly Usage[]): Map<string, { wcu: number; rcu: number }> {
  const sums = new Map<string, { wcu: number; rcu: number }>();
  for (const { key, wcu, rcu } of usages) {
    const sum = sums.get(key) ?? { wcu: 0, rcu: 0 };
    sums.set(key, { wcu: sum.wcu + wcu, rcu: sum.rcu + rcu });
  }
  return sums;
}

interface Scenario {
  runs_per_second: number;
  accounts: number;
  wcu_per_run: number;
  /** Units per second of the keys that have most of them, measured by their limits. */
  hottest: { key: string; wcu: number; rcu: number }[];
}

/** Which account a run is of. If there are many, one of them is as large as an account can be. */
function accountOf(run: number, rate: number, accounts: number): number {
  const share = accounts === 1 ? 1 : Math.max(1 / accounts, Math.min(LARGEST / rate, 0.5));
  const isLargest = run % rate < share * rate;
  return isLargest ? 0 : 1 + (run % Math.max(1, accounts - 1));
}

function simulate(rate: number, accounts: number): Scenario {
  const usages = new Map<string, { wcu: number; rcu: number }>();
  for (let run = 0; run < rate * SECONDS; run += 1) {
    const account = `a${accountOf(run, rate, accounts)}`;
    const id = newId(run, new Date(1.8e12 + run));
    const names: Record<string, string> = {
      account,
      scraper: "s1",
      key: `k-${account}`,
      run: id,
      due: String(duePartition("RUN", id).split("#")[1]),
    };
    for (const { key, wcu, rcu } of samples[run % SAMPLES] ?? []) {
      const name = key.replace(/\{(\w+)\}/g, (_, part) => names[part] ?? "");
      const sum = usages.get(name) ?? { wcu: 0, rcu: 0 };
      sum.wcu += wcu;
      sum.rcu += rcu;
      usages.set(name, sum);
    }
  }
  const heat = ({ wcu, rcu }: { wcu: number; rcu: number }) => Math.max(wcu / LIMITS.wcu, rcu / LIMITS.rcu);
  const hottest = [...usages]
    .map(([key, { wcu, rcu }]) => ({ key, wcu: wcu / SECONDS, rcu: rcu / SECONDS }))
    .sort((one, other) => heat(other) - heat(one))
    .slice(0, HOTTEST);
  return { runs_per_second: rate, accounts, wcu_per_run: wcuPerRun, hottest };
}

const scenarios = RATES.flatMap((rate) => ACCOUNTS.map((accounts) => simulate(rate, accounts)));
const table = new Table({
  head: ["runs/s", "accounts", "hottest keys", "WCU/s", "RCU/s", "within limits"],
  colAligns: ["right", "right", "left", "right", "right", "left"],
  style: { head: [], border: [] },
});
for (const { runs_per_second, accounts, hottest } of scenarios) {
  for (const [index, { key, wcu, rcu }] of hottest.slice(0, 2).entries()) {
    const isWithin = wcu <= LIMITS.wcu && rcu <= LIMITS.rcu;
    const name = index === 0 ? [runs_per_second, accounts] : ["", ""];
    table.push([...name, key, wcu.toFixed(1), rcu.toFixed(1), isWithin ? "yes" : "NO"]);
  }
}
console.log(
  `\nHeld against ${LIMITS.wcu} WCU and ${LIMITS.rcu} RCU for each partition key:\n${table.toString()}`,
);
if (values.json) await writeFile(values.json, `${JSON.stringify(scenarios, null, 2)}\n`);

await batch();
await recover();

/** What a batch takes from each key: at once while it is stored, and at the most runs per second that an account can have. */
async function batch(): Promise<void> {
  const { storing, perRun: usages } = await measureBatch(BATCH_INPUTS, BATCH_RUNS);
  const rate =
    LIMITS.wcu / Math.max(...[...sumByKey(samples.flat()).values()].map(({ wcu }) => wcu / SAMPLES));
  const rows = (given: readonly Usage[], factor: number) =>
    [...sumByKey(given)].map(([key, { wcu, rcu }]) => ({
      key,
      wcu: wcu * factor,
      rcu: rcu * factor,
      isWithin: wcu * factor <= LIMITS.wcu && rcu * factor <= LIMITS.rcu,
    }));
  const print = (title: string, given: ReturnType<typeof rows>) => {
    console.log(`\n${title}`);
    for (const { key, wcu, rcu, isWithin } of given)
      console.log(
        `  ${key.padEnd(56)} ${wcu.toFixed(2).padStart(8)} ${rcu.toFixed(2).padStart(8)}${isWithin ? "" : "  TOO MANY"}`,
      );
    if (given.some(({ isWithin }) => !isWithin)) process.exitCode = 1;
  };
  print(`A batch of ${BATCH_INPUTS} inputs, while it is stored: write and read units`, rows(storing, 1));
  print("For each of its runs", rows(usages, 1));
  print(`With ${rate.toFixed(0)} of its runs per second`, rows(usages, rate));
}

/** A sweep of many abandoned runs, half of which are of one account. */
async function recover(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "gleaner-scale-"));
  const dynamoDb = openLocalTable(join(folder, "table.sqlite"));
  const stored = tableOf(dynamoDb);
  const created = new Date(Date.now() - 10 * 60_000);
  for (let run = 1; run <= OVERDUE; run += 1) {
    const account = run % 2 === 0 ? "large" : `small-${crc32(String(run)) % 50}`;
    await createRun(stored, runOf(account, run, created), created);
  }
  const sent: string[] = [];
  const queues = {
    sendRun: async ({ account }: { account: string }) => void sent.push(account),
    sendWebhook: async () => {},
    sendBatch: async () => {},
  };
  const start = performance.now();
  await sweep({ table: stored, queues, now: () => new Date(), log: { info() {}, error: console.error } });
  const seconds = (performance.now() - start) / 1000;
  const small = sent.lastIndexOf(sent.findLast((account) => account !== "large") ?? "") + 1;
  console.log(
    `\nOne sweep queued ${sent.length} of ${OVERDUE} abandoned runs in ${seconds.toFixed(1)} s. The last run of the 50 small accounts was number ${small}.`,
  );
  dynamoDb.close();
  await rm(folder, { recursive: true });
}

function runOf(account: string, number: number, created: Date): NewRun {
  return {
    id: newId(number, created),
    account,
    scraper_id: newId(1, created),
    source: "api",
    status: "running",
    credits_used: 0,
    steps: [{ type: "visit", url: "https://shop.example/" }],
    rows_limit: 1_000,
    webhook_url: null,
    created_at: created.toISOString(),
    finished_at: null,
    error: null,
    warnings: [],
    scraper_version: 1,
    pagination: { type: "none" },
    proxy: { type: "none" },
    scraper_number: number,
  };
}
