import { type Scraper, ScraperDefinition } from "../contract/scraper.ts";
import { ValidationError, validate } from "../contract/validate.ts";
import { createScraper, replaceScraper } from "../store/scrapers.ts";
import type { Table } from "../store/table.ts";

/** DynamoDB takes items up to 400 KB. */
const MAX_BYTES = 300_000;

/**
 * Stores a scraper for an account; one with an `id` replaces the scraper of that id.
 * @throws ValidationError with every problem of the definition
 */
export async function putScraper(
  table: Table,
  account: string,
  definition: unknown,
  now: Date,
): Promise<Scraper> {
  const { id, steps, ...rest } = validate(ScraperDefinition, definition);
  const scraper = {
    ...rest,
    steps: steps.map((step, index) => ({ ...step, id: step.id ?? freeId(steps, index) })),
  };
  if (Buffer.byteLength(JSON.stringify(scraper)) > MAX_BYTES) {
    throw new ValidationError([{ path: "", message: `is larger than ${MAX_BYTES} bytes` }]);
  }
  if (id === undefined) return createScraper(table, account, scraper, now);
  const replaced = await replaceScraper(table, account, id, scraper);
  if (replaced !== undefined) return replaced;
  const message = `the account "${account}" has no scraper with this id; leave "id" out to store a new one`;
  throw new ValidationError([{ path: "id", message }]);
}

/** An id for a step that was written without one: its place, or something near it that no other step has. */
function freeId(steps: ScraperDefinition["steps"], index: number): string {
  const taken = new Set(steps.map((step) => step.id));
  let id = `step-${index + 1}`;
  while (taken.has(id)) id += "-";
  return id;
}
