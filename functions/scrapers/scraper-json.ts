import { ROWS_LIMIT_DEFAULT } from "../contract/runs/rows-limit.ts";
import { browsingOf, type LastRun, type Scraper } from "../contract/scrapers/scraper.ts";
import { nextOccurrence } from "../schedules/next-run.ts";
import { lastRunOf, lastRuns } from "../store/runs/last-runs.ts";
import type { ListedScraper, StoredSchedule, StoredScraper } from "../store/scrapers.ts";
import type { Table } from "../store/table.ts";

/** These scrapers as clients see them. */
export async function showScrapers(
  table: Table,
  account: string,
  listed: readonly ListedScraper[],
  now: Date,
): Promise<Scraper[]> {
  const runs = await lastRuns(table, account, listed, now);
  return listed.map(({ scraper }) => scraperJson(scraper, runs.get(scraper.id) ?? null, now));
}

export async function showScraper(
  table: Table,
  account: string,
  scraper: StoredScraper,
  now: Date,
): Promise<Scraper> {
  return scraperJson(scraper, (await lastRunOf(table, account, scraper.id, now)) ?? null, now);
}

/** A scraper as clients see it, with its fields in the contract's order: DynamoDB does not preserve the order. */
export function scraperJson(scraper: StoredScraper, last_run: LastRun | null, now: Date): Scraper {
  const { id, name, steps, pagination, rows_limit, proxy, webhook_url } = scraper;
  const { deliveries, inputs, inputs_from, created_at, version, updated_at } = scraper;
  const schedule = scraper.schedule && scheduleJson(scraper.schedule, now);
  return {
    id,
    name,
    steps,
    pagination,
    rows_limit: rows_limit ?? ROWS_LIMIT_DEFAULT,
    schedule,
    proxy,
    webhook_url,
    ...(deliveries !== undefined && { deliveries }),
    ...(inputs !== undefined && { inputs }),
    ...(inputs_from !== undefined && { inputs_from }),
    created_at,
    version,
    updated_at,
    last_run,
    ...browsingOf(scraper),
  };
}

/** `next_run` is computed for each response, so it is in the future even while a due run has not started. */
function scheduleJson(schedule: StoredSchedule, now: Date): Scraper["schedule"] {
  const { interval, timezone, anchor, paused } = schedule;
  const next_run = nextOccurrence(schedule, new Date(anchor), now).toISOString();
  return { interval, next_run, timezone, ...(paused && { paused }) };
}
