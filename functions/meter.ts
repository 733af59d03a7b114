import type { RunSource } from "./contract/runs/run-status.ts";
import type { FailureCode } from "./runs/failure.ts";

/** The metrics of a finished run. */
export interface FinishedRun {
  /** Why the run failed; absent: it was successful. */
  code?: FailureCode | undefined;
  /** From its first claim to its end. */
  durationMs: number;
  rows: number;
  pages: number;
  credits: number;
}

/** Counts events for monitoring. */
export interface Meter {
  runStarted(source: RunSource): void;
  runFinished(run: FinishedRun): void;
  webhookAttempted(outcome: "delivered" | "failed" | "given_up"): void;
}
