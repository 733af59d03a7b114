import { sendOrLog } from "../queues.ts";
import type { RunRef, RunState } from "../runs/run.ts";
import { STOP_GRACE_MS, stopped } from "../runs/run-limits.ts";
import { isLeased } from "../store/runs/run-state.ts";
import { requestStop } from "../store/runs/run-stop.ts";
import { type EndRunDeps, endRun } from "./end-run.ts";

/**
 * Asks a run in progress to stop. Undefined if it has finished, or was asked before. Ends a run that no executor holds.
 * Otherwise, its executor ends it. In case that executor dies, a delayed message starts another one, which ends the run.
 */
export async function stopRun(deps: EndRunDeps, ref: RunRef): Promise<RunState | undefined> {
  const now = deps.now();
  const run = await requestStop(deps.table, ref, now);
  if (run === undefined) return undefined;
  const { account, id } = run;
  if (isLeased(run, now, deps.timing.leaseMs))
    await sendOrLog(deps.log, run, deps.queues.sendRun({ account, id }, STOP_GRACE_MS / 1000));
  else await endRun(deps, run, stopped(), now);
  return run;
}
