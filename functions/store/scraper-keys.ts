import { numberKey, numberOf } from "./runs/numbering.ts";
import { accountPartition } from "./table.ts";

/*
 * A scraper is two items next to each other, so that one query reads both: its definition, and what is known of its runs,
 * which each run changes. Each write costs the size of the item, and a definition may be large.
 */
const RUNS = "#RUNS";

export const scrapersPartition = (account: string) => `${accountPartition(account)}#SCRAPERS`;

export type ScraperKey = { pk: string; sk: string };

/** Undefined for a text that is not the id of a scraper. */
export function scraperKey(account: string, id: string): ScraperKey | undefined {
  const number = numberOf(id);
  return number === undefined ? undefined : { pk: scrapersPartition(account), sk: numberKey(number) };
}

/** No scraper has the number 0, which stands for a text that is not an id. */
export const scraperRunsKey = (account: string, id: string): ScraperKey => ({
  pk: scrapersPartition(account),
  sk: numberKey(numberOf(id) ?? 0) + RUNS,
});

export const isScraperRuns = (sk: string) => sk.endsWith(RUNS);

/** Sorts after both items of the scraper with this number, and before those of the next one. */
export const endOfScraper = (number: number) => `${numberKey(number)}~`;
