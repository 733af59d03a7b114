import type { LogEvent } from "../contract/run-log.ts";
import type { RunFailure } from "../runs/failure.ts";

/** The event with which the log of a run ends. */
export const lastEvent = (failure: RunFailure | undefined, rows: number): Omit<LogEvent, "seq" | "at"> =>
  failure === undefined
    ? { code: "successful", step: null, message: `The run was successful, with ${rows} rows.`, rows }
    : { code: "failed", step: failure.step, message: failure.message, rows };
