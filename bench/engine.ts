import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { installChromium } from "../functions/scraping/browser/install.ts";
import { cacheFolder } from "../local/data/cache-folder.ts";
import { contest } from "./contest/contest.ts";
import { own } from "./engine/contestants.ts";
import { workloads } from "./engine/workloads.ts";

/*
 * The engine next to a Playwright script as the documentation has it, and to one tuned by hand. `bench:peers` has more
 * contestants.
 */
const { values } = parseArgs({
  options: {
    json: { type: "string" },
    rounds: { type: "string", default: "9" },
    only: { type: "string" },
    /** How long each answer of the shop takes to begin, in ms. */
    latency: { type: "string", default: "0" },
  },
});

const results = await contest({
  entries: [own.documented, own.tuned, own.engine, own.auto],
  workloads: workloads.filter(({ name }) => values.only === undefined || name === values.only),
  latencies: [Number(values.latency)],
  rounds: Number(values.rounds),
  chromium: await installChromium(cacheFolder()),
});

const perWorkload = Map.groupBy(results, ({ workload }) => workload);
const summary = [...perWorkload].map(([workload, of]) => {
  const ms = (contestant: string) => of.find((result) => result.contestant === contestant)?.wall_ms ?? 0;
  const rowsEqual = of.every(({ rows_equal }) => rows_equal);
  console.log(`\n${workload}: rows ${rowsEqual ? "equal" : "NOT EQUAL"}`);
  console.table(
    Object.fromEntries(
      of.map(({ contestant, wall_ms, total_ms, cpu_ms, pss_mb }) => [
        contestant,
        {
          "work ms": wall_ms,
          "with browser start and end ms": total_ms,
          "CPU ms": cpu_ms,
          "memory MB": pss_mb,
        },
      ]),
    ),
  );
  const ratio = (one: string, other: string) => (ms(one) / ms(other)).toFixed(2);
  console.log(
    `engine : tuned = ${ratio("engine", "tuned")}, documented : engine = ${ratio("playwright_documented", "engine")}`,
  );
  const hasAuto = of.some(({ contestant }) => contestant === "auto");
  if (hasAuto) console.log(`auto : tuned = ${ratio("auto", "tuned")}`);
  return {
    workload,
    engine_ms: ms("engine"),
    ...(hasAuto && { auto_ms: ms("auto") }),
    tuned_ms: ms("tuned"),
    documented_ms: ms("playwright_documented"),
    rows_equal: rowsEqual,
  };
});
if (values.json) await writeFile(values.json, `${JSON.stringify(summary, null, 2)}\n`);
