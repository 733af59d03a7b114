import type { RunFailure } from "../runs/failure.ts";
import type { NewEvent } from "../runs/run-event.ts";

/** The event with which the log of a run ends. */
export const lastEvent = (failure: RunFailure | undefined, rows: number): NewEvent =>
  failure === undefined
    ? { code: "successful", step: null, rows }
    : { code: "failed", step: failure.step, rows };
