import type { LogEvent } from "../contract/runs/run-log.ts";
import type { StoredRun } from "./run.ts";

/** A stored event of a run's log. `message` is absent if it can be made from the other fields and from the run. */
export type RunEvent = Omit<LogEvent, "message"> & { message?: string };

/** An event before the log gives it a number and a time. */
export type NewEvent = Omit<RunEvent, "seq" | "at">;

/** An event as the API returns it, with a message. */
export const logEventOf = (
  { seq, at, code, step, message, ...rest }: RunEvent,
  run: Pick<StoredRun, "steps" | "error">,
): LogEvent => ({
  seq,
  at,
  code,
  step,
  message: message ?? messageOf({ code, step, ...rest }, run),
  ...rest,
});

function messageOf({ code, step, rows = 0 }: NewEvent, run: Pick<StoredRun, "steps" | "error">): string {
  if (code === "started") return "The run started.";
  if (code === "resumed") return "The run was resumed where it was stored.";
  if (code === "step") return `Step ${Number(step) + 1}: ${run.steps[Number(step)]?.type}`;
  if (code === "rows") return `${rows} rows were extracted.`;
  if (code === "successful") return `The run was successful, with ${rows} rows.`;
  if (code === "failed") return run.error?.message ?? "The run failed.";
  return "";
}
