import { runPageJson } from "../../runs/run-json.ts";
import { listRunsOfBatch } from "../../store/batches/list-inputs.ts";
import { listRuns as readPage } from "../../store/runs/runs.ts";
import { listRunsByStatus, StatusesUnread } from "../../store/runs/statuses.ts";
import { statusesUnread } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const listRuns: ApiHandler<"listRuns"> = async ({ account, query }, { table }) => {
  const { page, scraper_id: scraperId, batch_id: batchId, status, rows } = query;
  if (batchId !== undefined) {
    const { items, nextPage } = await listRunsOfBatch(table, { account, id: batchId }, query);
    return { json: runPageJson(table, items, nextPage, { rows }) };
  }
  try {
    const { items, nextPage } =
      status === undefined
        ? await readPage(table, account, { page, scraperId })
        : await listRunsByStatus(table, account, { page, scraperId, status });
    return { json: runPageJson(table, items, nextPage, { rows }) };
  } catch (error) {
    if (!(error instanceof StatusesUnread)) throw error;
    throw statusesUnread(error);
  }
};
