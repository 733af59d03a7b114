import { RUN_TIMING } from "../../run-timing.ts";
import { runJson } from "../../runs/run-json.ts";
import { getRun } from "../../store/runs/runs.ts";
import { stopRun as stop } from "../../workers/stop-run.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const stopRun: ApiHandler<"stopRun"> = async ({ account, id }, { timing = RUN_TIMING, ...deps }) => {
  const ref = { account, id };
  const found = await getRun(deps.table, ref);
  if (found === undefined) throw notFound("run");
  const requested = found.status === "running" ? await stop({ ...deps, timing }, ref) : undefined;
  const run = (await getRun(deps.table, ref)) ?? found;
  const status = requested !== undefined || run.status === "running" ? 202 : 200;
  return { json: runJson(deps.table, run), status };
};
