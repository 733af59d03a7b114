import { CHECKPOINT_VERSION } from "./checkpoint.ts";
import { RunFailure } from "./failure.ts";
import type { RunState } from "./run.ts";

/** How long a run may take in all its attempts, from its first claim. */
export const RUN_TIME_LIMIT_MS = 60 * 60_000;
/** How long a run may wait for its first claim. A backlog is shorter: a longer wait means that no executor works. */
const WAIT_LIMIT_MS = 6 * 60 * 60_000;
/** Consecutive claims without new rows that may die before the run fails. */
export const MAX_CLAIMS = 3;
/** Consecutive attempts that may end by faults of the service before the run fails. */
export const MAX_FAULTS = 10;
/** If nothing has measured a run for longer than this, the clock has probably changed. */
export const UNSEEN_MS = 5 * 60_000;

/** The time that a run has left, in ms. */
export const timeLeft = ({ elapsed_ms: elapsed }: Pick<RunState, "elapsed_ms">): number =>
  RUN_TIME_LIMIT_MS - elapsed;

/** How long a run waits after a fault, so that the service can recover. */
export const faultDelay = (faults: number): number => Math.min(5 * 60_000, 5_000 * 2 ** (faults - 1));

/** How long an executor may take to end its run after it was asked to. After that, anybody may end it. */
export const STOP_GRACE_MS = 10_000;

/** Whether a run was asked to stop, but its executor has not stopped in time. */
export const isStopOverdue = ({ stop_requested_at: at }: Pick<RunState, "stop_requested_at">, now: Date) =>
  at !== undefined && now.getTime() - Date.parse(at) >= STOP_GRACE_MS;

/** Why no executor can continue a run after `deadClaims` consecutive dead claims; undefined: one still can. */
export function exceededLimit(run: RunState, deadClaims: number): RunFailure | undefined {
  if (run.stop_requested_at !== undefined) return stopped();
  if (run.started_at === undefined) return run.elapsed_ms >= WAIT_LIMIT_MS ? neverClaimed() : undefined;
  if (timeLeft(run) <= 0) return (run.place?.version ?? 0) > CHECKPOINT_VERSION ? tooNew() : timedOut();
  if (run.faults >= MAX_FAULTS) return faulty();
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

export const stopped = () =>
  new RunFailure(
    "stopped",
    "Somebody stopped the run. It keeps the rows that it got before; to get the others, create the run again.",
  );

const tooNew = () =>
  new RunFailure(
    "internal_error",
    "A newer version of the service began the run, and this version can't resume it. Create the run again.",
  );

const faulty = () =>
  new RunFailure(
    "internal_error",
    `Faults of the service stopped the run ${MAX_FAULTS} times in a row. Create the run again later. If it fails again, ask the service's operator to check the log.`,
  );

const executorDied = () =>
  new RunFailure(
    "internal_error",
    `${MAX_CLAIMS} executors in a row stopped without new rows. Most often, a page needs more memory than there is: extract fewer rows per page, or split the scraper. Otherwise, ask the service's operator to check the log.`,
  );
