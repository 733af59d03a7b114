import { batchJson } from "../../batches/batch-json.ts";
import { listBatches as readPage } from "../../store/batches/batches.ts";
import type { ApiHandler } from "../types.ts";

export const listBatches: ApiHandler<"listBatches"> = async ({ account, query }, { table, now }) => {
  const { items, nextPage } = await readPage(table, account, query.page, now());
  return { json: { next_page: nextPage, data: items.map(batchJson) } };
};
