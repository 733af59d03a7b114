import type { ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";

/** A definition made from that of another tool. */
export interface Imported {
  /** Which tool the file is from, such as "a sitemap of webscraper.io". */
  origin: string;
  definition: ScraperDefinition;
  /** What the definition lacks or does otherwise, in sentences for people. Everything else is in it. */
  leftOut: string[];
}
