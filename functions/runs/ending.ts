import type { RunError } from "../contract/runs/run.ts";
import type { RunFailure } from "./failure.ts";
import type { Ending } from "./run.ts";

const errorOf = ({ code, message, step, suggestion }: RunFailure): RunError => ({
  code,
  message,
  step,
  ...(suggestion && { suggestion }),
});

/** The end of a run: failed if there is a `failure`, or else successful. */
export const endingOf = (failure: RunFailure | undefined, now: Date): Ending => ({
  status: failure ? "failed" : "successful",
  error: failure ? errorOf(failure) : null,
  finished_at: now.toISOString(),
});
