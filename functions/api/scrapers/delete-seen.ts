import { deleteMemory } from "../../store/scraper-memory.ts";
import { getScraper } from "../../store/scrapers.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const deleteSeen: ApiHandler<"deleteSeen"> = async ({ account, id }, { table }) => {
  if ((await getScraper(table, account, id)) === undefined) throw notFound("scraper");
  await deleteMemory(table, { account, scraper_id: id });
  return {};
};
