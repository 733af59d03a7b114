import type { Page } from "playwright-core";
import type { InferInput } from "valibot";
import type { Row } from "../../functions/contract/run.ts";
import type { ScraperDefinition } from "../../functions/contract/scraper.ts";

/** Stands for the server's origin in definitions and expected rows; the port is known only when it listens. */
export const SITE = "http://widgets.example";

type Definition = InferInput<typeof ScraperDefinition>;

/** One thing that a user would want of a page that is made with a library. */
export interface Task {
  name: string;
  /** As npm calls it. */
  library: string;
  /** The name of a page in pages/, or of one that server-pages/ renders. */
  page: string;
  definition: Omit<Definition, "name">;
  /** All rows, in order. */
  expected: Row[];
  /**
   * What a person does on the page before the list is there, written with Playwright alone; for --verify-pages.
   * Needed where `definition` has steps between visit and get_list.
   */
  act?: (page: Page) => Promise<unknown>;
  /** Of each page of the list only a window exists; for --verify-pages. */
  windowedPages?: true;
}
