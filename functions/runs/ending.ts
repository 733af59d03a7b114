import type { RunFailure } from "./failure.ts";
import type { Ending, FollowUp, StoredRun } from "./run.ts";

/** How a run ends: failed with `failure`, or successful without one. */
export const endingOf = (failure: RunFailure | undefined, now: Date): Ending => ({
  status: failure ? "failed" : "successful",
  error: failure ? { code: failure.code, message: failure.message, step: failure.step } : null,
  finished_at: now.toISOString(),
});

/** The work that a run needs after it has ended. */
export const followUpOf = (run: Pick<StoredRun, "webhook_url">, creditsUsed: number): FollowUp => ({
  ...(creditsUsed > 0 && { unsettled: true }),
  ...(run.webhook_url !== null && { undelivered: true }),
});
