import type { Batch, BatchInput } from "../batches/batch.ts";
import type { Run } from "./run.ts";

/**
 * What a status is called, and how it is colored. The console, the command line and the documentation use these words, and
 * no others. Where the API has a status for the same thing, the word is that status.
 */
export const statusWords = {
  waiting: { word: "Waiting", tone: "idle" },
  running: { word: "Running", tone: "busy" },
  stopping: { word: "Stopping", tone: "busy" },
  successful: { word: "Successful", tone: "good" },
  check_rows: { word: "Check rows", tone: "warn" },
  stopped: { word: "Stopped", tone: "idle" },
  failed: { word: "Failed", tone: "bad" },
  finished: { word: "Finished", tone: "good" },
} as const;

export type StatusWord = (typeof statusWords)[keyof typeof statusWords];

type OfRun = Pick<Run, "status" | "error" | "warnings" | "stopping">;
type OfInput = Pick<BatchInput, "status" | "error" | "warnings">;
type OfBatch = Pick<Batch, "status" | "stopping">;

/**
 * The word for the status of a run, of a scraper's last run, of an input of a batch, or of a batch. A run that somebody has
 * stopped is not called failed, and one with warnings is not just successful: its rows have to be checked.
 */
export function statusWord(shown: OfRun | OfInput | OfBatch): StatusWord {
  const { status } = shown;
  if (status === "running" && "stopping" in shown && shown.stopping) return statusWords.stopping;
  if (status === "failed" && "error" in shown && shown.error?.code === "stopped") return statusWords.stopped;
  if (status === "successful" && "warnings" in shown && shown.warnings.length > 0)
    return statusWords.check_rows;
  return statusWords[status];
}
