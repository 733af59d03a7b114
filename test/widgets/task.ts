import type { Page } from "playwright-core";
import type { InferInput } from "valibot";
import type { Row } from "../../functions/contract/runs/run.ts";
import type { ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";

/**
 * A placeholder for the server's origin in definitions and expected rows, because the port is known only at run time.
 */
export const SITE = "http://widgets.example";

type Definition = InferInput<typeof ScraperDefinition>;

/** A scraper for a page that uses a library, and the rows that it must give. */
export interface Task extends Pick<Definition, "name" | "pagination" | "headers" | "cookies"> {
  /** The name of the npm package. */
  library: string;
  /** The name of a page in pages/, or of one that server-pages/ renders. */
  page: string;
  /** The steps after the visit of the page. */
  steps: Definition["steps"];
  /** All rows, in order. */
  expected: Row[];
  /** A warning with which other rows count as right: what the page has can't be told from its rows. */
  warning?: string;
  /**
   * For --verify-pages: does what a user does before the list appears, with Playwright only. Required if there
   * are steps before get_list.
   */
  act?: (page: Page) => Promise<unknown>;
  /** For --verify-pages: each page of the list is windowed, so that only the rows in view are in the document. */
  windowedPages?: true;
}
