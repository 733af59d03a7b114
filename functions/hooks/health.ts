import { isDeepStrictEqual } from "node:util";
import type { FailureCode } from "../runs/failure.ts";
import type { StoredRun } from "../runs/run.ts";
import { plainSteps } from "../runs/start-run.ts";
import { COMPARING } from "../runs/warning.ts";
import type { StoredScraper } from "../store/scrapers.ts";

/** Whether a scraper works, by its newest run that says so. */
export interface ScraperHealth {
  /** The end of that run. Ends sort by time. */
  end: string;
  is_failing: boolean;
  /** Since when it is so, ISO 8601. */
  since: string;
  /** When the newest good run ended, ISO 8601. */
  last_good_at?: string | undefined;
}

/** What a run's end changes. */
export interface Turn {
  health: ScraperHealth;
  event?: "scraper.failing" | "scraper.recovered";
}

/** Failures that are due to the account or to a person, and not to the scraper or its site. */
const NOT_OF_SCRAPER = new Set<string>([
  "stopped",
  "credits_exhausted",
  "storage_exhausted",
] satisfies FailureCode[]);

/**
 * Whether a run tells how its scraper does. A run of a batch, or one with other values for steps, tells how an input does; an
 * earlier version tells how the scraper did.
 */
export const tellsHealth = (run: StoredRun, scraper: StoredScraper): boolean =>
  run.batch_id === undefined &&
  run.scraper_version === scraper.version &&
  isDeepStrictEqual(plainSteps(run.steps), plainSteps(scraper.steps)) &&
  !NOT_OF_SCRAPER.has(run.error?.code ?? "");

/**
 * The scraper's health after a run, which is failing if the run failed, or if its figures are not what they usually are; undefined if a run that ended later has told it. A scraper of which nothing is known
 * can begin to fail, but not recover.
 */
export function turnOf(before: ScraperHealth | undefined, run: StoredRun): Turn | undefined {
  const at = run.finished_at ?? "";
  const end = `${at} ${run.id}`;
  if (before !== undefined && before.end >= end) return undefined;
  const is_failing = run.status === "failed" || run.warnings.some(({ code }) => COMPARING.has(code));
  const isSame = before !== undefined && before.is_failing === is_failing;
  const health: ScraperHealth = {
    end,
    is_failing,
    since: isSame ? before.since : at,
    last_good_at: is_failing ? before?.last_good_at : at,
  };
  if (isSame || (before === undefined && !is_failing)) return { health };
  return { health, event: is_failing ? "scraper.failing" : "scraper.recovered" };
}
