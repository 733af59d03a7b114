import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { runHostilePages } from "./corpus.ts";
import { hostilePages } from "./pages.ts";

/* All hostile pages: npm run hostile -- --json FILE */
const { values } = parseArgs({ options: { json: { type: "string" }, page: { type: "string" } } });
const names = Object.keys(hostilePages).filter((name) => values.page === undefined || name === values.page);
const { outcomes, ...report } = await runHostilePages(names);
for (const [name, outcome] of Object.entries(outcomes)) console.log(`${name.padEnd(44)}${outcome}`);
const json = JSON.stringify(report, null, 2);
console.log(json);
if (values.json !== undefined) await writeFile(values.json, `${json}\n`);
const { pages, ended, within_limits, next_run_ok, processes_left, bytes_left, canary_hits } = report;
const isFine = [ended, within_limits, next_run_ok].every((count) => count === pages);
process.exit(isFine && processes_left + bytes_left + canary_hits === 0 ? 0 : 1);
