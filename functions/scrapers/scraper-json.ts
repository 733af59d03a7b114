import { browsingOf, type Scraper } from "../contract/scraper.ts";
import { nextOccurrence } from "../schedules/next-run.ts";
import type { StoredSchedule, StoredScraper } from "../store/scrapers.ts";

/** A scraper as clients see it, with its fields in the contract's order: DynamoDB does not preserve the order. */
export function scraperJson(scraper: StoredScraper, now: Date): Scraper {
  const { id, name, steps, pagination, rows_limit, proxy, webhook_url, created_at } = scraper;
  const schedule = scraper.schedule && scheduleJson(scraper.schedule, now);
  return {
    id,
    name,
    steps,
    pagination,
    rows_limit,
    schedule,
    proxy,
    webhook_url,
    created_at,
    ...browsingOf(scraper),
  };
}

/** `next_run` is computed for each response, so it is in the future even while a due run has not started. */
function scheduleJson(schedule: StoredSchedule, now: Date): Scraper["schedule"] {
  const { interval, timezone, anchor } = schedule;
  return { interval, next_run: nextOccurrence(schedule, new Date(anchor), now).toISOString(), timezone };
}
