import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { runChaos } from "./chaos.ts";

/* The long version: npm run chaos -- --runs 500 --seed 7 --json chaos.json */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
  },
});
const runs = Number(values.runs);
const start = Date.now();
const summary = await runChaos({
  runs,
  seed: Number(values.seed),
  settleMs: 60_000 + runs * 2_000,
  report: console.error,
  progress: console.error,
});
console.table(summary);
console.log(`${((Date.now() - start) / 1000).toFixed(0)} s`);
if (values.json) await writeFile(values.json, `${JSON.stringify(summary, null, 2)}\n`);
const { runs: _, kills, given_up, ...wrong } = summary;
process.exitCode =
  kills >= runs / 4 && given_up <= runs / 20 && Object.values(wrong).every((value) => value === 0) ? 0 : 1;
