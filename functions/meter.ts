import type { RunSource } from "./contract/run.ts";
import type { FailureCode } from "./runs/failure.ts";

/** A run that has finished, in numbers. */
export interface FinishedRun {
  /** Why it failed; absent: it was successful. */
  code?: FailureCode | undefined;
  /** From its first claim to its end. */
  durationMs: number;
  rows: number;
  pages: number;
  credits: number;
}

/** Who counts what happens, so that somebody can watch it. A service without one is not watched. */
export interface Meter {
  runStarted(source: RunSource): void;
  runFinished(run: FinishedRun): void;
  webhookAttempted(outcome: "delivered" | "failed" | "given_up"): void;
}
