import { deleteScraper as remove } from "../../scrapers/delete-scraper.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const deleteScraper: ApiHandler<"deleteScraper"> = async ({ account, id }, { table, schedules }) => {
  if (!(await remove(table, account, id, schedules))) throw notFound("scraper");
  return {};
};
