import { runPageJson } from "../runs/run-json.ts";
import { listRuns as readPage } from "../store/runs.ts";
import type { ApiHandler } from "./types.ts";

export const listRuns: ApiHandler<"listRuns"> = async ({ account, query }, { table }) => {
  const { items, nextPage } = await readPage(table, account, {
    page: query.page,
    scraperId: query.scraper_id,
  });
  return { json: runPageJson(table, items, nextPage) };
};
