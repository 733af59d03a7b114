import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import type { Row } from "../functions/contract/runs/run.ts";
import { propose } from "../functions/proposals/propose.ts";
import { collectPages } from "./proposals/collect-pages.ts";
import { readSets } from "./proposals/labelled-sets.ts";
import { mutations } from "./proposals/mutations.ts";
import { isMisled, type ReadList, readList, type Tried, tryRepair } from "./repair/measure.ts";

/*
 * How often the first suggestion for a broken list is right, on public pages that are redesigned: all classes and ids get
 * other names, and the structure changes in the four ways of bench:proposals. Only half of the rows of the last good run
 * still stand on the page. `--data FOLDER` is that of bench:proposals. Each page is the list that is proposed first.
 */
const { values } = parseArgs({
  options: {
    data: { type: "string" },
    pages: { type: "string", default: "60" },
    verbose: { type: "boolean" },
  },
});
if (!values.data) throw new Error("Usage: npm run bench:repair -- --data FOLDER [--pages 60] [--verbose]");

/** A list with fewer rows or fields is hardly a list that somebody scrapes. */
const ROWS_LEAST = 5;
const FIELDS_LEAST = 2;

const { pages } = await readSets(values.data);
const order = (file: string) =>
  createHash("sha256")
    .update(file.split("/").at(-1) ?? "")
    .digest("hex");
const shuffled = pages
  .filter(({ set }) => set === "autopager" || set === "next-eval")
  .sort((one, other) => order(one.file).localeCompare(order(other.file)));
const lists: ReadList[] = [];
for await (const { snapshot, file } of collectPages(shuffled)) {
  const [list] = propose(snapshot).lists;
  if (
    list?.isMain &&
    list.rows.length >= ROWS_LEAST &&
    list.fields.length >= FIELDS_LEAST &&
    list.count === list.rows.length
  )
    lists.push(readList(file.split("/").at(-1) ?? "", snapshot, list));
  if (lists.length === Number(values.pages)) break;
}

const names = ["a notice in front", "one more box", "other builds of styles", "another order"];
const all: Tried[] = [];
for (const [number, mutate] of mutations.entries()) {
  const tried = lists.map((list, index) => tryRepair(list, mutate, rowsOfAnother(list, index)));
  print(`${names[number]}`, tried);
  all.push(...tried);
}
print("all", all);
const misled = lists.filter((list, index) => isMisled(list, rowsOfAnother(list, index)));
console.log(`pages that get a suggestion by the rows of another site: ${misled.length} of ${lists.length}`);
const times = all.map(({ ms }) => ms).sort((a, b) => a - b);
const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
console.log(
  `a suggestion takes ${at(0.5)} ms in the median, ${at(0.95)} ms at the 95th percentile, ${at(0.9999)} ms at most`,
);

/** Rows of another site, under the names of a list's fields, because values are looked for by these names. */
function rowsOfAnother({ snapshot, list: { fields } }: ReadList, index: number): Row[] {
  const { host } = new URL(snapshot.url);
  const isOther = (each: ReadList) => new URL(each.snapshot.url).host !== host;
  const other = [...lists.slice(index), ...lists].find(isOther) as ReadList;
  return other.rows.map((row) =>
    Object.fromEntries(
      Object.values(row).map((value, at) => [
        (fields[at % fields.length] as (typeof fields)[number]).name,
        value,
      ]),
    ),
  );
}

function print(title: string, tried: readonly Tried[]): void {
  const share = (hits: readonly Tried[]) => `${((hits.length / tried.length) * 100).toFixed(1)} %`;
  const rows = tried.filter(({ rowsRight }) => rowsRight);
  const right = tried.filter(({ allRight }) => allRight);
  console.log(
    `${title.padEnd(24)} rows right ${share(rows)}, rows and all fields right ${share(right)} of ${tried.length}`,
  );
  if (values.verbose && title !== "all")
    for (const { allRight, what } of tried) if (!allRight) console.log(`    ${what}`);
}
