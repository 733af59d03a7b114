import { rowsOfRun } from "../../rows/rows-source.ts";
import { getRun } from "../../store/runs/runs.ts";
import { notFound } from "../http-error.ts";
import { rowsResponse } from "../rows-response.ts";
import type { ApiHandler } from "../types.ts";

export const getRunRows: ApiHandler<"getRunRows"> = async ({ account, id, query }, { table }) => {
  const run = await getRun(table, { account, id });
  if (run === undefined) throw notFound("run");
  const { content, headers } = await rowsResponse(rowsOfRun(table, run), query);
  return { content, headers: { ...headers, "gleaner-run-status": run.status } };
};
