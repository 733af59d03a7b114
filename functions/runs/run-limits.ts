import { CHECKPOINT_VERSION } from "./checkpoint.ts";
import { RunFailure } from "./failure.ts";
import type { RunState } from "./run.ts";

/** Time limit of a run for all its attempts together, in ms from its first claim. */
export const RUN_TIME_LIMIT_MS = 60 * 60_000;
/** How long a run may wait for its first claim. If it waits longer, no executor works: no backlog is that long. */
const WAIT_LIMIT_MS = 6 * 60 * 60_000;
/** After this number of consecutive claims whose executors died without storing new rows, the run fails. */
export const MAX_CLAIMS = 3;
/** After this number of consecutive attempts that ended by a fault of the service, the run fails. */
export const MAX_FAULTS = 10;
/**
 * After this number of attempts, the run fails. A wait of less than a minute happens within an attempt, so a healthy run
 * has far fewer within its time limit. This only ends runs that executors pass on to each other in a loop.
 */
export const MAX_ATTEMPTS = 200;
/** If the time of a run was not measured for longer than this, the clock has probably changed. */
export const UNSEEN_MS = 5 * 60_000;

/** The time that a run has left, in ms. */
export const timeLeft = ({ elapsed_ms: elapsed }: Pick<RunState, "elapsed_ms">): number =>
  RUN_TIME_LIMIT_MS - elapsed;

/** How long a run waits after its last fault, in ms: 5 s to 5 minutes, so that the service can recover. */
export const faultDelay = (faults: number): number => Math.min(5 * 60_000, 5_000 * 2 ** (faults - 1));

/** How long an executor may take to end its run after a request to stop, in ms. After that, others may end the run. */
export const STOP_GRACE_MS = 10_000;

/** Whether a run is in progress and was asked to stop. */
export const isStopping = ({ status, stop_requested_at }: Pick<RunState, "status" | "stop_requested_at">) =>
  status === "running" && stop_requested_at !== undefined;

/** Whether a run was asked to stop, but its executor has not ended it in time. */
export const isStopOverdue = ({ stop_requested_at: at }: Pick<RunState, "stop_requested_at">, now: Date) =>
  at !== undefined && now.getTime() - Date.parse(at) >= STOP_GRACE_MS;

/**
 * The failure with which a run has to end, or undefined if an executor can continue it.
 * @param deadClaims consecutive claims whose executors died
 */
export function exceededLimit(run: RunState, deadClaims: number): RunFailure | undefined {
  if (run.stop_requested_at !== undefined) return stopped();
  if (run.started_at === undefined) return run.elapsed_ms >= WAIT_LIMIT_MS ? neverClaimed() : undefined;
  if (timeLeft(run) <= 0) return (run.place?.version ?? 0) > CHECKPOINT_VERSION ? tooNew() : timedOut();
  if (run.attempt > MAX_ATTEMPTS) return passedOn();
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

const passedOn = () =>
  new RunFailure(
    "internal_error",
    `${MAX_ATTEMPTS} executions have worked on the run, and none has finished it. Create the run again. If it fails again, ask the service's operator to check the log.`,
  );

const executorDied = () =>
  new RunFailure(
    "internal_error",
    `${MAX_CLAIMS} times in a row, the run's executor stopped without new rows and without a report. Create the run again. If it ends the same way, ask the service's operator to check the log. If the executor runs out of memory, extract fewer rows per page, or split the scraper.`,
  );
