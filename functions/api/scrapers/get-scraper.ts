import { showScraper } from "../../scrapers/scraper-json.ts";
import { getScraper as readScraper } from "../../store/scrapers.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";
import { etagOf } from "./etag.ts";

export const getScraper: ApiHandler<"getScraper"> = async ({ account, id }, { table, now }) => {
  const scraper = await readScraper(table, account, id);
  if (scraper === undefined) throw notFound("scraper");
  return {
    json: await showScraper(table, account, scraper, now()),
    headers: { etag: etagOf(scraper.version) },
  };
};
