import { fork } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import type { Row } from "../functions/contract/run.ts";
import { type Browsers, createBrowsers } from "../functions/scraping/browser/browsers.ts";
import { installChromium } from "../functions/scraping/browser/install.ts";
import type { LeasedBrowser } from "../functions/scraping/browser/leased-browser.ts";
import { openRunContext } from "../functions/scraping/browser/run-context.ts";
import { createScraper } from "../functions/scraping/engine.ts";
import { documented } from "./engine/documented.ts";
import { tuned } from "./engine/tuned.ts";
import { type Workload, workloads } from "./engine/workloads.ts";

/** What one contestant needed for one workload, in ms and MB; `work` is without starting and ending the browser. */
interface Measure {
  work: number;
  total: number;
  cpu: number;
  memory: number;
  rows: Row[];
}

const { values } = parseArgs({
  options: { json: { type: "string" }, rounds: { type: "string", default: "9" }, only: { type: "string" } },
});
const rounds = Number(values.rounds);
const cacheFolder = join(tmpdir(), "gleaner-cache");

const server = fork(new URL("./engine/shop-server.ts", import.meta.url));
const [{ origin }] = (await once(server, "message")) as [{ origin: string }];
const host = new URL(origin).host;

const direct = ["--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage"];
const noImages = "--blink-settings=imagesEnabled=false";
const install = await installChromium(cacheFolder);
const engines = createBrowsers({ cacheFolder, egress: { allowHosts: [host] } });

const contestants = {
  documented: (workload: Workload) => byScript(direct, workload, documented),
  tuned: (workload: Workload) => byScript([...direct, noImages], workload, tuned),
  engine: byEngine,
};
type Contestant = keyof typeof contestants;

async function byScript(args: string[], workload: Workload, script: typeof tuned): Promise<Measure> {
  const began = performance.now();
  const usage = await startUsage();
  const browser = await chromium.launch({ args, ...install });
  const started = performance.now();
  const rows = await script(browser, origin, workload);
  const work = performance.now() - started;
  const used = await usage();
  await browser.close();
  return { work, total: performance.now() - began, ...used, rows };
}

async function byEngine(workload: Workload): Promise<Measure> {
  const began = performance.now();
  const usage = await startUsage();
  const browser = await engines.lease();
  await browser.context.close();
  const started = performance.now();
  let openMs = 0;
  const opened = (ms: number) => {
    openMs = ms;
  };
  const batches = createScraper(inContextOf(browser, opened))(
    {
      steps: [
        { type: "visit", url: origin + workload.path },
        { type: "get_list", ...workload.list },
      ],
      pagination: workload.pagination,
      rowsLimit: workload.rows,
    },
    {
      onPageLoad: () => {},
      deadline: Date.now() + 120_000,
    },
  );
  const rows: Row[] = [];
  let work = 0;
  let used = { cpu: 0, memory: 0 };
  for await (const batch of batches) {
    rows.push(...batch.rows);
    work = performance.now() - started;
    if (rows.length >= workload.rows) used = await usage();
  }
  // A leased browser has a context of its own already.
  const total = performance.now() - began - openMs;
  return { work, total, ...used, rows };
}

/** Opens the run's context and page in a browser that runs already, as the scripts do. */
const inContextOf = (running: LeasedBrowser, onOpened: (ms: number) => void): Browsers => ({
  ...engines,
  async lease() {
    const began = performance.now();
    const options = { egress: { allowHosts: [host] }, userAgent: undefined, loadsAll: false };
    const opened = await openRunContext(running.browser, { ...options, onExcess: running.end });
    onOpened(performance.now() - began);
    const close = async () => {
      await Promise.all([running.close(), opened.egress.close()]);
    };
    return { ...running, ...opened, close };
  },
});

/** CPU time and memory of this process and of all that it starts, from now on. */
async function startUsage(): Promise<() => Promise<{ cpu: number; memory: number }>> {
  const own = process.cpuUsage();
  const before = new Set((await children()).map(({ pid }) => pid));
  return async () => {
    const { user, system } = process.cpuUsage(own);
    const started = (await children()).filter(({ pid }) => !before.has(pid));
    const sum = (key: "cpu" | "memory") => started.reduce((total, child) => total + child[key], 0);
    return { cpu: (user + system) / 1_000 + sum("cpu"), memory: sum("memory") };
  };
}

/** All processes below this one. */
async function children(): Promise<{ pid: number; cpu: number; memory: number }[]> {
  const parents = new Map<number, { pid: number; parent: number; cpu: number; memory: number }>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields.length < 22) continue;
    const pid = Number(name);
    parents.set(pid, {
      pid,
      parent: Number(fields[1]),
      cpu: (Number(fields[11]) + Number(fields[12])) * 10,
      memory: (Number(fields[21]) * 4_096) / 1e6,
    });
  }
  const isBelow = (pid: number): boolean =>
    pid === process.pid || (parents.has(pid) && isBelow(parents.get(pid)?.parent ?? 0));
  return [...parents.values()].filter(({ pid }) => pid !== process.pid && pid !== server.pid && isBelow(pid));
}

/** Everybody in turn comes first, second and third. */
const turns = (round: number): Contestant[] => {
  const names = Object.keys(contestants) as Contestant[];
  return names.map((_, index) => names[(index + round) % names.length] as Contestant);
};

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

const results = [];
for (const workload of workloads) {
  if (values.only && values.only !== workload.name) continue;
  const measures: Record<Contestant, Measure[]> = { documented: [], tuned: [], engine: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of turns(round)) {
      // The processes of the one before have to be gone.
      await sleep(300);
      const measure = await contestants[name](workload);
      // The first round warms disks, caches and compilers.
      if (round > 0) measures[name].push(measure);
    }
  }
  const of = (name: Contestant, key: "work" | "total" | "cpu" | "memory") =>
    Math.round(median(measures[name].map((measure) => measure[key] ?? 0)));
  const rowsOf = (name: Contestant) => JSON.stringify(measures[name][0]?.rows);
  const rowsEqual = rowsOf("engine") === rowsOf("documented") && rowsOf("engine") === rowsOf("tuned");
  const complete = measures.engine.every(({ rows }) => rows.length === workload.rows);
  console.log(`\n${workload.name}: ${workload.rows} rows, ${rowsEqual && complete ? "equal" : "NOT EQUAL"}`);
  console.table(
    Object.fromEntries(
      (Object.keys(contestants) as Contestant[]).map((name) => [
        name,
        {
          "work ms": of(name, "work"),
          "with browser start and end ms": of(name, "total"),
          "CPU ms": of(name, "cpu"),
          "browser MB": of(name, "memory"),
        },
      ]),
    ),
  );
  console.log(
    `engine : tuned = ${(of("engine", "work") / of("tuned", "work")).toFixed(2)}, documented : engine = ${(of("documented", "work") / of("engine", "work")).toFixed(2)}`,
  );
  results.push({
    workload: workload.name,
    engine_ms: of("engine", "work"),
    tuned_ms: of("tuned", "work"),
    documented_ms: of("documented", "work"),
    rows_equal: rowsEqual && complete,
  });
}
if (values.json) await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`);
await engines.close();
server.disconnect();
