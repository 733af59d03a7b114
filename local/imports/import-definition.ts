import type { Imported } from "./imported.ts";
import { isRobot, readRobot } from "./maxun.ts";
import { isSitemap, readSitemap } from "./webscraper.ts";

/** The file has nothing that a scraper could do. Its message says why. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/**
 * Makes a definition from a sitemap of webscraper.io or a robot of Maxun, as far as it can be expressed.
 * @param json the content of the exported file
 * @throws ImportError if it is neither, or if nothing of it can be expressed
 */
export function importDefinition(json: unknown): Imported {
  const imported = isSitemap(json) ? readSitemap(json) : isRobot(json) ? readRobot(json) : undefined;
  if (imported === undefined) {
    throw new ImportError(
      "It is neither a sitemap of webscraper.io, which has a startUrl and selectors, nor a robot of Maxun, which has a workflow. Export one of these, and name its file.",
    );
  }
  if (!imported.definition.steps.some(({ type }) => type === "get_list" || type === "get_text")) {
    throw new ImportError(["Nothing of it reads a value.", ...imported.leftOut].join(" "));
  }
  return imported;
}
