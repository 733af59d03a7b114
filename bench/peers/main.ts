import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { installChromium } from "../../functions/scraping/browser/install.ts";
import { cacheFolder } from "../../local/data/cache-folder.ts";
import { installLibraries } from "../../test/install-libraries.ts";
import { contest, type Result } from "../contest/contest.ts";
import { shortRuns, timed, workloads } from "../engine/workloads.ts";
import { contestants, switchedOff } from "./contestants.ts";
import { markdownTables } from "./tables.ts";

const { values } = parseArgs({
  options: {
    json: { type: "string" },
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
    contestants: { type: "string" },
    latency: { type: "string", default: "0,50,200" },
  },
});
const listed = (text: string | undefined) => text?.split(",");
const names = listed(values.contestants);
const only = listed(values.only);

installLibraries(import.meta.dirname);
const results: Result[] = [];
await contest({
  entries: names ? [...contestants, ...switchedOff].filter(({ name }) => names.includes(name)) : contestants,
  workloads: [...workloads, ...timed, shortRuns("one_page", 1), shortRuns("short_runs", 200)].filter(
    ({ name }) => only?.includes(name) ?? true,
  ),
  latencies: values.latency.split(",").map(Number),
  rounds: Number(values.rounds),
  chromium: await installChromium(cacheFolder()),
  onResult(result) {
    const { workload, contestant, latency_ms, wall_ms, rows_equal, error } = result;
    const outcome = error ?? `${wall_ms} ms, rows ${rows_equal ? "equal" : "NOT EQUAL"}`;
    console.error(`${workload} at ${latency_ms} ms: ${contestant} ${outcome}`);
    results.push(result);
    // All contestants together take an hour: whoever interrupts them keeps what there is.
    if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
  },
});
console.log(markdownTables(results));
// Peers may give other rows; what is ours must not.
const ours = new Set(["engine", "auto", "service", "tuned", ...switchedOff.map(({ name }) => name)]);
if (results.some(({ contestant, rows_equal }) => ours.has(contestant) && !rows_equal)) process.exitCode = 1;
