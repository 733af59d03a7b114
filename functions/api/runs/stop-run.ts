import { sendOrLog } from "../../queues.ts";
import { RUN_TIMING } from "../../run-timing.ts";
import type { RunState } from "../../runs/run.ts";
import { runJson } from "../../runs/run-json.ts";
import { STOP_GRACE_MS, stopped } from "../../runs/run-limits.ts";
import { isLeased } from "../../store/runs/run-state.ts";
import { requestStop } from "../../store/runs/run-stop.ts";
import { getRun } from "../../store/runs/runs.ts";
import { endRun } from "../../workers/end-run.ts";
import { notFound } from "../http-error.ts";
import type { ApiDeps, ApiHandler } from "../types.ts";

export const stopRun: ApiHandler<"stopRun"> = async ({ account, id }, deps) => {
  const ref = { account, id };
  const found = await getRun(deps.table, ref);
  if (found === undefined) throw notFound("run");
  const requested = found.status === "running" ? await requestStop(deps.table, ref, deps.now()) : undefined;
  if (requested !== undefined) await stop(deps, requested);
  const run = (await getRun(deps.table, ref)) ?? found;
  const status = requested !== undefined || run.status === "running" ? 202 : 200;
  return { json: runJson(deps.table, run), status };
};

/**
 * Ends a run that no executor holds. Otherwise, its executor ends it. In case that executor dies, a delayed message
 * starts another one, which ends the run.
 */
async function stop({ timing = RUN_TIMING, ...deps }: ApiDeps, run: RunState): Promise<void> {
  const now = deps.now();
  const { account, id } = run;
  if (!isLeased(run, now, timing.leaseMs)) return endRun({ ...deps, timing }, run, stopped(), now);
  await sendOrLog(deps.log, run, deps.queues.sendRun({ account, id }, STOP_GRACE_MS / 1000));
}
