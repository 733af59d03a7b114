import { inputColumn } from "../../batches/batch.ts";
import { batchJson } from "../../batches/batch-json.ts";
import { readBatchRows } from "../../batches/batch-rows.ts";
import { columnsOf } from "../../rows/columns.ts";
import { getBatch } from "../../store/batches/batches.ts";
import { readResults } from "../../store/batches/outcomes.ts";
import { notFound } from "../http-error.ts";
import { rowsResponse } from "../rows-response.ts";
import type { ApiHandler } from "../types.ts";

export const getBatchRows: ApiHandler<"getBatchRows"> = async ({ account, id, query }, { table }) => {
  const batch = await getBatch(table, { account, id });
  if (batch === undefined) throw notFound("batch");
  const { head, blocks } = await readResults(table, batch);
  const { status, row_count } = batchJson(batch);
  const { content, headers } = await rowsResponse(
    {
      what: "batch",
      id,
      columns: [...head.columns.map(inputColumn), ...columnsOf(head.scraper.steps)],
      row_count,
      read: (range) => readBatchRows(table, batch, blocks, range),
    },
    query,
  );
  return { content, headers: { ...headers, "gleaner-batch-status": status } };
};
