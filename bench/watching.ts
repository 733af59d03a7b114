import { join } from "node:path";
import { parseArgs } from "node:util";
import { openLocalTable, tableOf } from "../local/backend.ts";
import { withDataFolder } from "./service.ts";
import type { Tally } from "./watching/reader.ts";
import { simulate } from "./watching/simulate.ts";

/*
 * 60 days of 40 scrapers whose shops change and break: whether each change of a row is reported once, and each break and
 * each recovery is told once. Ends with 1 if anything is missed or false.
 */
const { values } = parseArgs({
  options: {
    days: { type: "string", default: "60" },
    scrapers: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
  },
});

await withDataFolder(async (data) => {
  const dynamoDb = openLocalTable(join(data, "table.sqlite"));
  const size = { days: Number(values.days), scrapers: Number(values.scrapers), seed: Number(values.seed) };
  const start = performance.now();
  const { changes, alerts, days, errors } = await simulate(tableOf(dynamoDb), size);
  const tallies = Object.entries<Tally>({ ...changes, ...alerts });
  console.log("| what | true | reported | missed | false |\n|---|---|---|---|---|");
  for (const [what, { true: is, reported, missed, false: wrong }] of tallies)
    console.log(`| ${[what, is, reported, missed, wrong].join(" | ")} |`);
  console.log("\n| day | runs | false changes and wrong alerts |\n|---|---|---|");
  for (const [name, { runs, wrong }] of days) console.log(`| ${[name, runs, wrong].join(" | ")} |`);
  for (const error of new Set(errors)) console.log(`error: ${error}`);
  console.error(`${((performance.now() - start) / 1000).toFixed(0)} s`);
  dynamoDb.close();
  const isRight = errors.length === 0 && tallies.every(([, tally]) => tally.missed + tally.false === 0);
  process.exitCode = isRight ? 0 : 1;
});
