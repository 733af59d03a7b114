import { getBatch } from "../../store/batches/batches.ts";
import { listInputs } from "../../store/batches/list-inputs.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const listBatchInputs: ApiHandler<"listBatchInputs"> = async ({ account, id, query }, { table }) => {
  const batch = await getBatch(table, { account, id });
  if (batch === undefined) throw notFound("batch");
  const { items, nextPage } = await listInputs(table, batch, query);
  return { json: { next_page: nextPage, data: items } };
};
