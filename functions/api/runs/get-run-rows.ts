import { columnsOf } from "../../rows/columns.ts";
import { readRowBatches } from "../../rows/read-row-batches.ts";
import { getRun } from "../../store/runs/runs.ts";
import { notFound } from "../http-error.ts";
import { rowsResponse } from "../rows-response.ts";
import type { ApiHandler } from "../types.ts";

export const getRunRows: ApiHandler<"getRunRows"> = async ({ account, id, query }, { table }) => {
  const run = await getRun(table, { account, id });
  if (run === undefined) throw notFound("run");
  const { content, headers } = await rowsResponse(
    {
      what: "run",
      id,
      columns: columnsOf(run.steps),
      row_count: run.row_count,
      read: (range) => readRowBatches(table, run, range),
    },
    query,
  );
  return { content, headers: { ...headers, "gleaner-run-status": run.status } };
};
