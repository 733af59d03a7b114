import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { KILLS, mostGivenUp, runChaos } from "./chaos.ts";

/*
 * The long version: npm run chaos -- --runs 500 --seed 7 --json chaos.json
 * Only the whole service is killed, every 5 s: npm run chaos -- --kill service --runs 60
 */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    kill: { type: "string", default: "parts" },
    json: { type: "string" },
  },
});
const runs = Number(values.runs);
if (values.kill !== "parts" && values.kill !== "service") throw new Error("--kill is parts or service.");
const plan = KILLS[values.kill];
const start = Date.now();
const summary = await runChaos({
  runs,
  kills: plan,
  seed: Number(values.seed),
  settleMs: 560_000 + runs * 2_000,
  report: console.error,
  progress: console.error,
});
console.table(summary);
console.log(`${((Date.now() - start) / 1000).toFixed(0)} s`);
if (values.json) await writeFile(values.json, `${JSON.stringify(summary, null, 2)}\n`);
const { runs: _, kills, given_up, ...wrong } = summary;
const isRight = kills >= runs * plan.perRun && given_up <= mostGivenUp(plan, runs);
process.exitCode = isRight && Object.values(wrong).every((value) => value === 0) ? 0 : 1;
