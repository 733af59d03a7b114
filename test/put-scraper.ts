import type { Scraper } from "../functions/contract/scrapers/scraper.ts";
import { ValidationError } from "../functions/contract/validate.ts";
import { type Schedules, sweptSchedules } from "../functions/schedules/schedules.ts";
import { readDefinition } from "../functions/scrapers/definition.ts";
import { createScraper, replaceScraper } from "../functions/scrapers/store-scraper.ts";
import type { Table } from "../functions/store/table.ts";

/**
 * Stores a scraper for an account as POST and PUT do, without the API; one with an `id` replaces the scraper of that id.
 * @returns the scraper as clients see it
 * @throws ValidationError with every problem of the definition
 */
export async function putScraper(
  table: Table,
  account: string,
  input: unknown,
  now: Date,
  schedules: Schedules = sweptSchedules,
): Promise<Scraper> {
  const definition = readDefinition(input);
  const deps = { table, schedules, now: () => now };
  const { id } = definition;
  const result =
    id === undefined
      ? await createScraper(deps, { account, definition })
      : await replaceScraper(deps, { account, id, definition });
  if (result.outcome === "stored") return result.scraper;
  const message = `the account "${account}" has no scraper with this id; leave "id" out to store a new one`;
  throw new ValidationError([{ path: "id", message }]);
}
