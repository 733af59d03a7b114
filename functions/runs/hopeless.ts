import type { StoredRun } from "../store/runs.ts";
import { RunFailure } from "./failure.ts";

/** How long a run may take in all its attempts, from its first claim. */
export const RUN_TIME_LIMIT_MS = 60 * 60_000;
/** How long a run may wait for its first claim: long enough for any backlog, too long for a service that works. */
const WAIT_LIMIT_MS = 6 * 60 * 60_000;
/** Claims that may die in a row before a run is given up. */
export const MAX_CLAIMS = 3;

/** When a run that has begun has to have ended, in ms since the epoch. */
export const timeLimitOf = (run: StoredRun): number =>
  Date.parse(run.started_at ?? run.created_at) + RUN_TIME_LIMIT_MS;

/** Why a running run can't be gone on with at this time, after `deaths` claims in a row that died; undefined: it can. */
export function hopeless(run: StoredRun, now: Date, deaths: number): RunFailure | undefined {
  if (run.started_at === undefined) {
    return now.getTime() - Date.parse(run.created_at) >= WAIT_LIMIT_MS ? neverBegun() : undefined;
  }
  if (now.getTime() >= timeLimitOf(run)) return outOfTime();
  return deaths >= MAX_CLAIMS ? diedTooOften() : undefined;
}

const neverBegun = () =>
  new RunFailure(
    "timeout",
    `No executor took the run within ${WAIT_LIMIT_MS / 3_600_000} hours. Create it again; if that one waits too, the service's operator has to look at the executor.`,
  );

export const outOfTime = () =>
  new RunFailure(
    "timeout",
    `The run did not finish within ${RUN_TIME_LIMIT_MS / 60_000} minutes. Lower rows_limit or max_pages, or split the scraper.`,
  );

const diedTooOften = () =>
  new RunFailure(
    "internal_error",
    `The executor died ${MAX_CLAIMS} times while it worked on this run, most likely for want of memory. Take fewer rows a page, or split the scraper.`,
  );
