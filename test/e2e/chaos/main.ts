import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { runBatchChaos } from "./batch-chaos.ts";
import { KILLS, mostGivenUp } from "./chaos.ts";
import { runChaos } from "./run-chaos.ts";

/*
 * The long version: npm run chaos -- --runs 500 --seed 7 --json chaos.json
 * Only the whole service is killed, every 5 s: npm run chaos -- --kill service --runs 60
 * A backup takes the place of the machine, again and again: npm run chaos -- --kill machine --runs 1000 --kills 10
 * Batches instead of runs, with 60 kills: npm run chaos -- --batches 20 --inputs 30 --kills 60
 */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    kill: { type: "string", default: "parts" },
    json: { type: "string" },
    batches: { type: "string", default: "0" },
    inputs: { type: "string", default: "30" },
    kills: { type: "string" },
  },
});
const runs = Number(values.runs);
const plan = Object.entries(KILLS).find(([name]) => name === values.kill)?.[1];
if (plan === undefined) throw new Error(`--kill is one of ${Object.keys(KILLS).join(", ")}.`);
const start = Date.now();
const [batches, inputs] = [Number(values.batches), Number(values.inputs)];
const all = batches === 0 ? runs : batches * inputs;
const count = Number(values.kills ?? (batches === 0 ? Math.ceil(runs * plan.perRun) : 60));
const fire = {
  kills: plan,
  count,
  seed: Number(values.seed),
  settleMs: 560_000 + all * 2_000,
  report: console.error,
  progress: console.error,
};
const summary =
  batches === 0 ? await runChaos({ runs, ...fire }) : await runBatchChaos({ batches, inputs, ...fire });
console.table(summary);
console.log(`${((Date.now() - start) / 1000).toFixed(0)} s`);
if (values.json) await writeFile(values.json, `${JSON.stringify(summary, null, 2)}\n`);
const { kills, given_up, ...rest } = summary;
const { runs: _, batches: __, inputs: ___, ...wrong } = { runs, batches, inputs, ...rest };
const isRight = kills >= count && given_up <= mostGivenUp(plan, all);
process.exitCode = isRight && Object.values(wrong).every((value) => value === 0) ? 0 : 1;
