import type { Aftermath, Ending, StoredRun } from "../store/runs.ts";
import type { RunFailure } from "./failure.ts";

/** How a run ends: by a failure, or successfully. */
export const endingOf = (failure: RunFailure | undefined, now: Date): Ending => ({
  status: failure ? "failed" : "successful",
  error: failure ? { code: failure.code, message: failure.message, step: failure.step } : null,
  finished_at: now.toISOString(),
});

/** What the end of a run leaves to be done. */
export const aftermathOf = (run: Pick<StoredRun, "webhook_url">, creditsUsed: number): Aftermath => ({
  ...(creditsUsed > 0 && { unsettled: true }),
  ...(run.webhook_url !== null && { undelivered: true }),
});
