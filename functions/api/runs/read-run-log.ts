import { readLog } from "../../store/runs/run-log.ts";
import { markWatched } from "../../store/runs/run-watch.ts";
import { getRun } from "../../store/runs/runs.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const readRunLog: ApiHandler<"readRunLog"> = async ({ account, id, query }, { table, now }) => {
  const run = await getRun(table, { account, id });
  if (run === undefined) throw notFound("run");
  await markWatched(table, run, now());
  const events = await readLog(table, run);
  const data = events.filter(({ seq }) => seq >= query.after);
  const next = Math.max(query.after, (events.at(-1)?.seq ?? -1) + 1);
  return { json: { next, finished: run.status !== "running", data } };
};
