import { batchJson } from "../../batches/batch-json.ts";
import { rowsOfBatch } from "../../rows/rows-source.ts";
import { getBatch } from "../../store/batches/batches.ts";
import { notFound } from "../http-error.ts";
import { rowsResponse } from "../rows-response.ts";
import type { ApiHandler } from "../types.ts";

export const getBatchRows: ApiHandler<"getBatchRows"> = async ({ account, id, query }, { table }) => {
  const batch = await getBatch(table, { account, id });
  if (batch === undefined) throw notFound("batch");
  const { content, headers } = await rowsResponse(await rowsOfBatch(table, batch), query);
  return { content, headers: { ...headers, "gleaner-batch-status": batchJson(batch).status } };
};
