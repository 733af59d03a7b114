import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { singleProcessArgs } from "../../../functions/scraping/browser/browsers.ts";
import type { EngineOptions } from "../../functions/scraping/harness.ts";
import { startSite } from "../../site/site.ts";
import { slowPagesDown } from "../../widgets/slow-pages.ts";
import { starve } from "../../widgets/starve.ts";
import type { Page } from "../page.ts";
import { type Case, loadCases } from "./load.ts";
import { resumedAfter } from "./resumed.ts";
import { openPlaces } from "./run-all.ts";
import { type Result, servePage } from "./run-case.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    browser: { type: "string" },
    clock: { type: "string" },
    engine: { type: "string" },
    half: { type: "boolean", default: false },
    jobs: { type: "string", default: "10" },
    repeat: { type: "string", default: "1" },
    resume: { type: "string" },
    show: { type: "boolean", default: false },
    "single-process": { type: "boolean", default: false },
    slow: { type: "boolean", default: false },
    starve: { type: "boolean", default: false },
    times: { type: "boolean", default: false },
  },
});

/** How long each response takes longer with `--slow`, in ms. */
const SLOW_ANSWER_MS = 300;
const SLOWEST = 15;

const {
  browser: executablePath,
  clock,
  engine,
  resume,
  "single-process": isSingle,
} = values as {
  browser?: string;
  clock?: "real";
  engine?: "auto" | "browser" | "http";
  resume?: string;
  "single-process": boolean;
};
/** What differs from how Gleaner usually runs on this machine. */
const mode: EngineOptions = {
  ...(executablePath && { executablePath }),
  // Such a browser ends with its first context.
  ...(isSingle && { args: singleProcessArgs, ownBrowsers: true }),
  ...(resume && { wrap: resumedAfter(Number(resume)) }),
};
const cases = chosenCases(await loadCases());
if (cases.length === 0) {
  console.error(`No page has ${positionals.join(" and ")} in its name.`);
  process.exit(2);
}
if (values.show) await show(cases[0] as Case);
else process.exit(report(await runAll(cases)) ? 0 : 1);

/** The cases that the arguments name, as often as they say. */
function chosenCases(all: Case[]): Case[] {
  const wanted = all.filter(
    ({ name, page }) =>
      positionals.every((part) => name.toLowerCase().includes(part.toLowerCase())) &&
      (positionals.length > 0 || values.all || page.slow === undefined) &&
      !(isSingle && page.isParallel) &&
      !(resume && !isResumable(page)) &&
      !(executablePath && page.clock === "page"),
  );
  const ended = values.half ? wanted.flatMap(halved) : wanted;
  // A page that names its engine or its clock is made for it.
  const varied = ended.map(({ name, page }) => ({
    name,
    page: { ...(engine && { engine }), ...(clock && { clock }), ...page },
  }));
  return Array.from({ length: Number(values.repeat) }, () => varied).flat();
}

/** Whether a run of a page tells the same if it is resumed: it does not where requests, reading by HTTP or failures count. */
function isResumable({ check, loads, warnings, engine, failure, isStateful }: Page): boolean {
  return !(check || loads !== undefined || (warnings && engine === "http") || failure || isStateful);
}

/** The run of a page that ends at half of its rows; none where something else than its rows counts, or another limit. */
function halved({ name, page }: Case): Case[] {
  const { rows, check, failure, rows_limit, isStateful, steps = [], loads: _, ...rest } = page;
  if (check || failure || rows_limit || isStateful || !Array.isArray(rows) || rows.length < 2) return [];
  if (steps.filter(({ type }) => type === "get_list").length > 1) return [];
  const half = Math.ceil(rows.length / 2);
  const ended = { rows: rows.slice(0, half), rows_limit: half, hasAnyWarnings: true };
  return [{ name, page: { ...rest, ...(steps.length > 0 && { steps }), ...ended } }];
}

async function runAll(chosen: readonly Case[]): Promise<Result[]> {
  const jobs = Math.min(Number(values.jobs), chosen.length);
  const places = await openPlaces(jobs, mode, values.slow ? SLOW_ANSWER_MS : 0);
  const ends = [...(values.slow ? [slowPagesDown()] : []), ...(values.starve ? [starve()] : [])];
  const results = await places.run(chosen, ({ name, differences, isSilent }) => {
    if (differences.length > 0)
      console.error(`${name}${isSilent ? " (without a word)" : ""}: ${differences.join("; ")}`);
    return true;
  });
  for (const end of ends) await end();
  await places.close();
  return results;
}

/** Prints the results. Returns whether all are right. */
function report(results: readonly Result[]): boolean {
  const failed = results.filter((result) => result.differences.length > 0);
  const table = new Table({
    head: ["page", "differences"],
    colWidths: [50, 110],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const { name, differences } of failed) table.push([name, differences.join("\n")]);
  if (failed.length > 0) console.log(table.toString());
  if (values.times) {
    const slowest = [...results].sort((one, other) => other.ms - one.ms).slice(0, SLOWEST);
    for (const { name, ms } of slowest) console.log(`${String(ms).padStart(7)} ms  ${name}`);
  }
  const silent = failed.filter((result) => result.isSilent).length;
  console.log(
    `${results.length - failed.length} passed, ${failed.length} failed, ${silent} of them without a word`,
  );
  return failed.length === 0;
}

/** Serves a page until the process is stopped, and opens it in the desktop's browser, if there is one. */
async function show({ name, page }: Case): Promise<void> {
  const site = await startSite();
  servePage(site, page);
  console.log(`${name} is at ${site.origin}/. Press Ctrl+C to stop.`);
  const opener = spawn(process.platform === "darwin" ? "open" : "xdg-open", [site.origin], {
    stdio: "ignore",
  });
  opener.on("error", () => {});
}
