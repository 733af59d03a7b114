import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type Profiler, Session } from "node:inspector/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { installChromium } from "../functions/scraping/browser/install.ts";
import { cacheFolder } from "../local/data/cache-folder.ts";
import type { Task } from "./contest/contestant.ts";
import { contestant } from "./engine/engine.ts";
import { workloads } from "./engine/workloads.ts";

/*
 * A CPU profile of the engine's Node.js process in one workload of bench:engine. Chrome's DevTools and speedscope show the
 * file as a flame graph. The work inside the pages happens in Chromium's processes and is not in it.
 */
const ROUNDS = 5;
const INTERVAL_US = 200;
const LINES = 20;

const { values, positionals } = parseArgs({
  options: { out: { type: "string" } },
  allowPositionals: true,
});
const workload = workloads.find(({ name }) => name === positionals[0]);
if (workload === undefined) {
  console.error(
    `Usage: npm run flame -- WORKLOAD [--out FILE]. Workloads: ${workloads.map(({ name }) => name).join(", ")}`,
  );
  process.exit(2);
}

const server = fork(new URL("./engine/shop-server.ts", import.meta.url), ["0"]);
const [{ origin }] = (await once(server, "message")) as [{ origin: string }];
const task: Task = {
  workload,
  origin,
  chromium: await installChromium(cacheFolder()),
  start: (start) => start(),
  deduct() {},
  async done() {},
};
// The first run loads and compiles the code.
await contestant.run(task);
const profile = await profileOf(async () => {
  for (let round = 0; round < ROUNDS; round += 1) await contestant.run(task);
});
server.disconnect();

const file = resolve(values.out ?? `${workload.name}.cpuprofile`);
await writeFile(file, JSON.stringify(profile));
console.log(tableOf(profile));
console.log(
  `The whole profile is in ${file}. Open it in Chrome's DevTools (Performance, Load profile) or in speedscope.`,
);

async function profileOf(work: () => Promise<void>): Promise<Profiler.Profile> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: INTERVAL_US });
  await session.post("Profiler.start");
  await work();
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  return profile;
}

/** The functions that used the most CPU time themselves, without those that they call. */
function tableOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): string {
  const functions = new Map(nodes.map(({ id, callFrame }) => [id, describe(callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const name = functions.get(id) ?? "";
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1_000 / ROUNDS);
  });
  times.delete("(idle)");
  const all = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  const table = new Table({ head: ["function", "ms per run", "share"], style: { head: [], border: [] } });
  const most = [...times].sort(([, one], [, other]) => other - one).slice(0, LINES);
  for (const [name, ms] of most) table.push([name, ms.toFixed(1), `${((100 * ms) / all).toFixed(1)} %`]);
  return `${table}\n${all.toFixed(0)} ms of CPU time per run in this process, with the start of the browser.`;
}

function describe({ functionName, url, lineNumber }: Profiler.Profile["nodes"][number]["callFrame"]): string {
  if (url === "") return functionName;
  const path = url.startsWith("file:") ? fileURLToPath(url) : url;
  const short = path.replace(/^.*\/node_modules\//, "").replace(`${process.cwd()}/`, "");
  return `${functionName || "(anonymous)"} ${short}:${lineNumber + 1}`;
}
