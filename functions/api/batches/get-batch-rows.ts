import { inputColumn, type StoredBatch } from "../../batches/batch.ts";
import { batchJson } from "../../batches/batch-json.ts";
import { readBatchRows } from "../../batches/batch-rows.ts";
import { columnsOf } from "../../rows/columns.ts";
import type { RowRange } from "../../rows/read-row-batches.ts";
import { getBatch } from "../../store/batches/batches.ts";
import { type Results, readResults } from "../../store/batches/outcomes.ts";
import type { Table } from "../../store/table.ts";
import { notFound } from "../http-error.ts";
import { rowsResponse } from "../rows-response.ts";
import type { ApiHandler } from "../types.ts";

export const getBatchRows: ApiHandler<"getBatchRows"> = async ({ account, id, query }, { table }) => {
  const batch = await getBatch(table, { account, id });
  if (batch === undefined) throw notFound("batch");
  const results = await readResults(table, batch);
  const { status, row_count } = batchJson(batch);
  const { content, headers } = await rowsResponse(
    {
      what: "batch",
      id,
      columns: [...results.head.columns.map(inputColumn), ...columnsOf(results.head.scraper.steps)],
      row_count,
      read: reader(table, batch, results),
    },
    query,
  );
  return { content, headers: { ...headers, "gleaner-batch-status": status } };
};

/** Reads rows. The first time, it uses the results that are there. */
function reader(table: Table, batch: StoredBatch, results: Results) {
  let unused: Results | undefined = results;
  return async function* (range: RowRange) {
    const { blocks } = unused ?? (await readResults(table, batch));
    unused = undefined;
    yield* readBatchRows(table, batch, blocks, range);
  };
}
