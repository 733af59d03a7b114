import type { RunFailure } from "./failure.ts";
import type { Ending } from "./run.ts";

/** How a run ends: failed with `failure`, or successful without one. */
export const endingOf = (failure: RunFailure | undefined, now: Date): Ending => ({
  status: failure ? "failed" : "successful",
  error: failure ? { code: failure.code, message: failure.message, step: failure.step } : null,
  finished_at: now.toISOString(),
});
