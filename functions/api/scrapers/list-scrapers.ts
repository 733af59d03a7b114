import { showScrapers } from "../../scrapers/scraper-json.ts";
import { listScrapers as readPage } from "../../store/scrapers.ts";
import type { ApiHandler } from "../types.ts";

export const listScrapers: ApiHandler<"listScrapers"> = async ({ account, query }, { table, now }) => {
  const { items, nextPage } = await readPage(table, account, query.page);
  return { json: { next_page: nextPage, data: await showScrapers(table, account, items, now()) } };
};
