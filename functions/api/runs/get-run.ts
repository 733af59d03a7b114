import { runJson } from "../../runs/run-json.ts";
import { getRun as readRun } from "../../store/runs/runs.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const getRun: ApiHandler<"getRun"> = async ({ account, id, query }, { table }) => {
  const run = await readRun(table, { account, id });
  if (run === undefined) throw notFound("run");
  return { json: runJson(table, run, query) };
};
