import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { browsingOf, ScraperDefinition } from "../../../functions/contract/scrapers/scraper.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { jobOf } from "../../../functions/scraping/job.ts";
import { type Engine, type EngineOptions, startEngine, type Told } from "../../functions/scraping/harness.ts";
import type { Site } from "../../site/site.ts";
import { cardList, OTHER_SITE, type Page, SITE, visit } from "../page.ts";
import { differences } from "./judge.ts";
import type { Case } from "./load.ts";

export interface Result {
  name: string;
  /** Empty: the run told what its page expects. */
  differences: string[];
  /** Whether there are differences, and neither a failure nor a warning that its page does not expect. */
  isSilent: boolean;
  ms: number;
}

/** What a case needs to run. */
export interface Place {
  engine: Engine;
  /** Used by no other case at the same time. */
  site: Site;
}

/**
 * How long a step may take, in ms, where its page says nothing else: so long that only a fault uses it up. Lists of pages that
 * may use it up have less.
 */
const STEP_MS = 60_000;
const WANTING_LIST_MS = 3_000;

export const otherHost = ({ host }: Site): string => host.replace("127.0.0.1", "localhost");

/**
 * Serves a page and runs its scraper.
 * @param mode options of engines of pages' own
 */
export async function runCase(
  { name, page }: Case,
  { engine, site }: Place,
  mode: EngineOptions = {},
): Promise<Result> {
  const started = performance.now();
  const resultOf = (found: string[]): Result => ({
    name,
    differences: found,
    isSilent:
      found.length > 0 && !found.some((difference) => /^(?:failed|warned|the run ended as)/.test(difference)),
    ms: Math.round(performance.now() - started),
  });
  servePage(site, page);
  const own = page.own && (await startEngine([site.host, otherHost(site)], { ...mode, ...page.own }));
  const { deadlineMs } = page;
  try {
    const told = await (own ?? engine).run(jobAt(site, page, name), deadlineMs && Date.now() + deadlineMs);
    const { rows, warnings, hasAnyWarnings, failure, loads, check } = page;
    const found = await differences(
      told,
      { ...atSite(site, { rows, warnings, failure }), hasAnyWarnings, loads, check },
      site,
    );
    return resultOf(found.length > 0 ? [...found, ...(await picture(told))] : []);
  } catch (error) {
    return resultOf([error instanceof Error ? (error.stack ?? error.message) : String(error)]);
  } finally {
    await own?.close();
  }
}

/** Saves what the page looked like when the run failed, and says where. */
async function picture({ failure }: Told): Promise<string[]> {
  if (failure?.evidence?.screenshot === undefined) return [];
  const path = join(tmpdir(), `gleaner-failed-${randomUUID()}.jpg`);
  await writeFile(path, failure.evidence.screenshot);
  return [`The page when the run failed: ${path}`];
}

/** Sets the responses of a page's site, and removes those of the page before. */
export function servePage(site: Site, { routes, html }: Page): void {
  site.reset();
  const answers = {
    ...(html !== undefined && { "/": html }),
    ...(typeof routes === "function" ? routes(site) : routes),
  };
  for (const [path, answer] of Object.entries(answers)) site.setRoute(path, atSite(site, answer));
}

/** A run of a page's scraper. */
export const jobAt = (site: Site, page: Page, name = "Page") => ({
  ...jobOf(v.parse(ScraperDefinition, atSite(site, { name: name.slice(0, 200), ...scraperOf(page) }))),
  isFirstRun: true,
});

const PATIENT = new Set<Step["type"]>([
  "get_list",
  "get_text",
  "click",
  "write_input",
  "select_dropdown",
  "hover",
]);

/** A step with the time that it may take. */
function timed(step: Step, isWanting: boolean): Step {
  const timeout_ms = isWanting ? WANTING_LIST_MS : STEP_MS;
  const isTimed = isWanting ? step.type === "get_list" : PATIENT.has(step.type) && !("optional" in step);
  return isTimed ? ({ timeout_ms, ...step } as Step) : step;
}

/** The scraper of a page, with the defaults of the corpus. */
const scraperOf = ({ steps = [visit(), cardList], pagination, rows_limit, ...page }: Page) => ({
  steps: steps.map((step) => timed(step, (page.failure ?? page.warnings) !== undefined)),
  pagination,
  rows_limit,
  ...browsingOf(page),
});

/** Replaces the placeholders of origins in all strings of a value. */
function atSite<T>(site: Site, value: T): T;
function atSite(site: Site, value: unknown): unknown {
  if (typeof value === "string")
    return value.replaceAll(OTHER_SITE, `http://${otherHost(site)}`).replaceAll(SITE, site.origin);
  if (Array.isArray(value)) return value.map((item) => atSite(site, item));
  if (value === null || typeof value !== "object" || value instanceof RegExp) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, atSite(site, item)]));
}
