import { parseArgs } from "node:util";
import { fuzzEgress } from "./fuzz.ts";

/* The long version: npm run fuzz:egress -- --requests 20000 --seed 7 */
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const report = await fuzzEgress(Number(values.requests), Number(values.seed));
console.log(JSON.stringify(report, null, 2));
const { hung, crashes, canary_hits, open, serves } = report;
process.exitCode = hung + crashes.length + canary_hits + open === 0 && serves ? 0 : 1;
