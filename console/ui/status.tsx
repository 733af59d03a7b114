import type { Run } from "../api/api.ts";

type Shown = Pick<Run, "status"> & Partial<Pick<Run, "stopping" | "error" | "warnings">>;

/** The label and tone for a run's status. A stopped run has the status "failed", but is labelled "Stopped". */
export function wordOf({ status, stopping, error, warnings }: Shown): { word: string; tone: string } {
  if (status === "running")
    return stopping ? { word: "Stopping", tone: "busy" } : { word: "Running", tone: "busy" };
  if (status === "successful") {
    return warnings !== undefined && warnings.length > 0
      ? { word: "Check rows", tone: "warn" }
      : { word: "Successful", tone: "good" };
  }
  return error?.code === "stopped" ? { word: "Stopped", tone: "idle" } : { word: "Failed", tone: "bad" };
}

export function StatusBadge({ run }: { run: Shown }) {
  const { word, tone } = wordOf(run);
  return <span class={`status ${tone}`}>{word}</span>;
}
