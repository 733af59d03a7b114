import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import type { Row } from "../../functions/contract/runs/run.ts";
import { ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";
import { RunFailure } from "../../functions/runs/failure.ts";
import {
  type Browsers,
  createBrowsers,
  multiProcessArgs,
} from "../../functions/scraping/browser/browsers.ts";
import { createScraper } from "../../functions/scraping/engine.ts";
import { jobOf } from "../../functions/scraping/job.ts";
import { cacheFolder } from "../../local/data/cache-folder.ts";
import { SITE, type Task } from "./task.ts";
import { visit } from "./tasks/definitions.ts";

/** The result of a task. `silent_wrong` means that the run is successful without a warning, but its rows are wrong. */
export type Verdict = "right" | "silent_wrong" | "failed";

export interface Result {
  task: Task;
  verdict: Verdict;
  /** A short explanation of why the result is not right. */
  reason: string;
  ms: number;
}

const RUN_MS = 240_000;
const SLOW_RUN_MS = 300_000;
/** How long a busy page may take to respond, in ms. It is long, because several pages run on the machine at once. */
const ANSWER_MS = 10_000;

/** A copy of a value in which the real origin replaces the placeholder SITE in all strings. */
export const at = <T>(origin: string, value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(SITE, origin));

/** The engine's browsers, which are allowed to reach the host of the tasks' pages. */
export const openBrowsers = (host: string, args = multiProcessArgs): Browsers =>
  createBrowsers({ cacheFolder: cacheFolder(), egress: { allowHosts: [host] }, args });

/** What a run of a task gives. */
export interface Told {
  rows: Row[];
  /** Codes. */
  warnings: string[];
  /** Why it failed. */
  failure?: string;
}

/** Runs a task's scraper. */
export async function scrapeTask(
  browsers: Browsers,
  origin: string,
  task: Task,
  longestMs = RUN_MS,
): Promise<Told> {
  const { name, page, pagination, headers, cookies } = task;
  const written = { name, steps: [visit(page), ...task.steps], pagination, headers, cookies };
  const definition = v.parse(ScraperDefinition, at(origin, written));
  const rows: Row[] = [];
  const warnings: string[] = [];
  try {
    // Somebody has just written the scraper.
    const batches = createScraper(browsers)(
      { ...jobOf(definition), isFirstRun: true },
      {
        deadline: Date.now() + longestMs,
        answerMs: ANSWER_MS,
        onPageLoad() {},
      },
    );
    for (;;) {
      const next = await batches.next();
      warnings.push(...warningsIn(next.value));
      if (next.done) {
        if (next.value === "done") return { rows, warnings };
        return { rows, warnings, failure: `not finished in time, after ${rows.length} rows` };
      }
      for (const row of next.value.rows) rows.push(row);
    }
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    return { rows, warnings, failure: `${error.code} after ${rows.length} rows: ${error.message}` };
  }
}

export async function runTask(
  browsers: Browsers,
  origin: string,
  task: Task,
  slowed: boolean,
): Promise<Result> {
  const started = performance.now();
  const told = await scrapeTask(browsers, origin, task, slowed ? SLOW_RUN_MS : RUN_MS);
  return { task, ...judge(told, task, origin), ms: Math.round(performance.now() - started) };
}

function judge(
  { rows, warnings, failure }: Told,
  task: Task,
  origin: string,
): Pick<Result, "verdict" | "reason"> {
  if (failure !== undefined) return { verdict: "failed", reason: failure };
  const expected = at(origin, task.expected);
  if (isDeepStrictEqual(rows, expected) || warnings.includes(task.warning ?? ""))
    return { verdict: "right", reason: "" };
  const reason = difference(rows, expected);
  return warnings.length > 0
    ? { verdict: "failed", reason: `warned (${warnings.join(", ")}): ${reason}` }
    : { verdict: "silent_wrong", reason };
}

/** The codes of the warnings in a batch or an outcome. */
function warningsIn(told: unknown): string[] {
  const { warnings } = Object(told) as { warnings?: { code: string }[] };
  return (warnings ?? []).map(({ code }) => code);
}

/** Describes the first difference between the rows and the expected ones, in one line. */
export function difference(rows: readonly Row[], expected: readonly Row[]): string {
  const first = expected.findIndex((row, index) => !isDeepStrictEqual(row, rows[index]));
  const where = first < 0 ? expected.length : first;
  const short = (row: Row | undefined) => (row ? JSON.stringify(row).slice(0, 160) : "nothing");
  return `${rows.length} rows for ${expected.length}; row ${where + 1} is ${short(rows[where])}, not ${short(expected[where])}`;
}
