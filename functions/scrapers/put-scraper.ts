import { DEFINITION_BYTES_MAX, type Schedule, type Scraper, ScraperDefinition } from "../contract/scraper.ts";
import { ValidationError, validate } from "../contract/validate.ts";
import { type PlannedSchedule, planSchedule } from "../schedules/plan-schedule.ts";
import { type Schedules, sweptSchedules } from "../schedules/schedules.ts";
import { getSchedule } from "../store/schedules.ts";
import { createScraper, getScraper, replaceScraper, type StoredScraper } from "../store/scrapers.ts";
import type { Table } from "../store/table.ts";
import { scraperJson } from "./scraper-json.ts";

/**
 * Stores a scraper for an account; one with an `id` replaces the scraper of that id.
 * @returns the scraper as clients see it
 * @throws ValidationError with every problem of the definition
 */
export async function putScraper(
  table: Table,
  account: string,
  definition: unknown,
  now: Date,
  schedules: Schedules = sweptSchedules,
): Promise<Scraper> {
  const { id, steps, schedule, ...rest } = validate(ScraperDefinition, definition);
  const scraper = {
    ...rest,
    steps: steps.map((step, index) => ({ ...step, id: step.id ?? freeId(steps, index) })),
  };
  if (Buffer.byteLength(JSON.stringify(scraper)) > DEFINITION_BYTES_MAX) {
    throw new ValidationError([{ path: "", message: `is larger than ${DEFINITION_BYTES_MAX} bytes` }]);
  }
  const { stored, planned } =
    id === undefined
      ? await create(table, account, scraper, schedule, now)
      : await replace(table, account, id, scraper, schedule, now);
  if (planned !== undefined) {
    await schedules.put({ account, scraper_id: stored.id, scheduled_at: planned.dueAt.toISOString() });
  } else if (id !== undefined) {
    await schedules.remove(account, id);
  }
  return scraperJson(stored, now);
}

type Unscheduled = Omit<StoredScraper, "id" | "created_at" | "schedule">;

async function create(
  table: Table,
  account: string,
  scraper: Unscheduled,
  wanted: Schedule | null,
  now: Date,
): Promise<{ stored: StoredScraper; planned: PlannedSchedule | undefined }> {
  const planned = wanted === null ? undefined : planSchedule(wanted, undefined, now);
  const scheduled = { ...scraper, schedule: planned?.schedule ?? null };
  return { stored: await createScraper(table, account, scheduled, now, planned?.dueAt), planned };
}

/** Checks what is due now, so that an occurrence started between read and write is neither lost nor started again. */
async function replace(
  table: Table,
  account: string,
  id: string,
  scraper: Unscheduled,
  wanted: Schedule | null,
  now: Date,
): Promise<{ stored: StoredScraper; planned: PlannedSchedule | undefined }> {
  const before = await getSchedule(table, account, id);
  const planned = wanted === null ? undefined : planSchedule(wanted, before, now);
  const stored = await replaceScraper(
    table,
    account,
    id,
    { ...scraper, schedule: planned?.schedule ?? null },
    { before: before?.dueAt, next: planned?.dueAt },
  );
  if (stored !== undefined) return { stored, planned };
  if ((await getScraper(table, account, id)) !== undefined) {
    return replace(table, account, id, scraper, wanted, now);
  }
  const message = `the account "${account}" has no scraper with this id; leave "id" out to store a new one`;
  throw new ValidationError([{ path: "id", message }]);
}

/** An id for a step without one: its position, or a similar id that no other step has. */
function freeId(steps: ScraperDefinition["steps"], index: number): string {
  const taken = new Set(steps.map((step) => step.id));
  let id = `step-${index + 1}`;
  while (taken.has(id)) id += "-";
  return id;
}
