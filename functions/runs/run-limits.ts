import { RunFailure } from "./failure.ts";
import type { StoredRun } from "./run.ts";

/** How long a run may take in all its attempts, from its first claim. */
export const RUN_TIME_LIMIT_MS = 60 * 60_000;
/** How long a run may wait for its first claim: long enough for any backlog, too long for a service that works. */
const WAIT_LIMIT_MS = 6 * 60 * 60_000;
/** Consecutive claims that may die before the run fails. */
export const MAX_CLAIMS = 3;

/** When a run that has started must have ended, in ms since the epoch. */
export const timeLimitOf = (run: StoredRun): number =>
  Date.parse(run.started_at ?? run.created_at) + RUN_TIME_LIMIT_MS;

/** Why no executor can continue a run after `deadClaims` consecutive dead claims; undefined: one still can. */
export function exceededLimit(run: StoredRun, now: Date, deadClaims: number): RunFailure | undefined {
  if (run.started_at === undefined) {
    return now.getTime() - Date.parse(run.created_at) >= WAIT_LIMIT_MS ? neverClaimed() : undefined;
  }
  if (now.getTime() >= timeLimitOf(run)) return timedOut();
  return deadClaims >= MAX_CLAIMS ? executorDied() : undefined;
}

const neverClaimed = () =>
  new RunFailure(
    "timeout",
    `No executor started the run within ${WAIT_LIMIT_MS / 3_600_000} hours. Create the run again. If that run waits too, ask the service's operator to check the executor.`,
  );

export const timedOut = () =>
  new RunFailure(
    "timeout",
    `The run did not finish within ${RUN_TIME_LIMIT_MS / 60_000} minutes. Lower rows_limit or max_pages, or split the scraper.`,
  );

const executorDied = () =>
  new RunFailure(
    "internal_error",
    `The executor died ${MAX_CLAIMS} times while it worked on this run, most likely because it ran out of memory. Extract fewer rows per page, or split the scraper.`,
  );
