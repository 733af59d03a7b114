import { parseArgs } from "node:util";
import { installChromium } from "../../functions/scraping/browser/install.ts";
import { cacheFolder } from "../../local/data/cache-folder.ts";
import { contest } from "../contest/contest.ts";
import { own } from "../engine/contestants.ts";
import { shortRuns } from "../engine/workloads.ts";

/*
 * Runs of one page: from POST to webhook, one after another and many at once, next to a script whose browser is open
 * already and opens a context for each page.
 */
const { values } = parseArgs({
  options: { runs: { type: "string", default: "200" }, steady: { type: "string", default: "30" } },
});
const runs = Number(values.runs);
const options = {
  entries: [own.service, own.openBrowser],
  latencies: [0],
  chromium: await installChromium(cacheFolder()),
};
const one = await contest({
  ...options,
  workloads: [shortRuns("one_page", 1)],
  rounds: Number(values.steady),
});
const many = await contest({ ...options, workloads: [shortRuns("short_runs", runs)], rounds: 1 });

const [service, script] = [0, 1].map((place) => ({
  "one run, ms": one[place]?.wall_ms ?? 0,
  "runs per second": Number(((runs / (many[place]?.wall_ms ?? 0)) * 1_000).toFixed(1)),
  "CPU ms per run": Math.round((many[place]?.cpu_ms ?? 0) / runs),
}));
console.table({ service, "open browser, new context": script });
if ([...one, ...many].some(({ rows_equal }) => !rows_equal)) {
  console.error("The rows are not equal.");
  process.exitCode = 1;
}
