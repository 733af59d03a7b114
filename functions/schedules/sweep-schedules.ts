import { dueOccurrences } from "../store/schedules.ts";
import { type StartScheduledRunDeps, startScheduledRun } from "./start-scheduled-run.ts";

/** Handles every occurrence that was due by a time and has not been handled. `stop` ends the sweep early. */
export async function sweepSchedules(
  deps: StartScheduledRunDeps,
  by: Date,
  stop?: AbortSignal,
): Promise<void> {
  for await (const occurrence of dueOccurrences(deps.table, by)) {
    if (stop?.aborted) return;
    try {
      await startScheduledRun(deps, occurrence);
    } catch (error) {
      deps.log.error("Could not start a scheduled run", { ...occurrence, error });
    }
  }
}
