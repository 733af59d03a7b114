import type { RunFailure } from "./failure.ts";
import type { Ending } from "./run.ts";

/** The end of a run: failed if there is a `failure`, or else successful. */
export const endingOf = (failure: RunFailure | undefined, now: Date): Ending => ({
  status: failure ? "failed" : "successful",
  error: failure ? { code: failure.code, message: failure.message, step: failure.step } : null,
  finished_at: now.toISOString(),
});
