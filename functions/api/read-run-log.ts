import { readLog } from "../store/run-log.ts";
import { getRun } from "../store/runs.ts";
import { notFound } from "./http-error.ts";
import type { ApiHandler } from "./types.ts";

export const readRunLog: ApiHandler<"readRunLog"> = async ({ account, id, query }, { table }) => {
  const run = await getRun(table, { account, id });
  if (run === undefined) throw notFound("run");
  const events = await readLog(table, run);
  const data = events.filter(({ seq }) => seq >= query.after);
  const next = Math.max(query.after, (events.at(-1)?.seq ?? -1) + 1);
  return { json: { next, finished: run.status !== "running", data } };
};
