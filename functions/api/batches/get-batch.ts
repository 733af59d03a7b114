import { batchJson } from "../../batches/batch-json.ts";
import { getBatch as readBatch } from "../../store/batches/batches.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const getBatch: ApiHandler<"getBatch"> = async ({ account, id }, { table }) => {
  const batch = await readBatch(table, { account, id });
  if (batch === undefined) throw notFound("batch");
  return { json: batchJson(batch) };
};
