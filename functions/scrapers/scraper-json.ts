import type { Scraper } from "../contract/scraper.ts";

/** A scraper as clients see it, in the contract's order: DynamoDB keeps none. */
export function scraperJson(scraper: Scraper): Scraper {
  const { id, name, steps, pagination, rows_limit, schedule, proxy, webhook_url, created_at } = scraper;
  return { id, name, steps, pagination, rows_limit, schedule, proxy, webhook_url, created_at };
}
