import { completeOccurrence, dueOccurrences, getSchedule } from "../store/schedules.ts";
import type { Table } from "../store/table.ts";
import { nextOccurrence } from "./next-run.ts";
import type { Occurrence, Schedules } from "./schedules.ts";

/** Later than any occurrence. */
const LAST = new Date("9999-12-31T23:59:59.999Z");

/**
 * Makes the next occurrence of each schedule due, where a clock that was ahead has made a later one due. Call it when the
 * clock may have been set back, because it reads all schedules.
 */
export async function resetSchedules(
  { table, schedules }: { table: Table; schedules: Schedules },
  now: Date,
): Promise<void> {
  for await (const occurrence of dueOccurrences(table, LAST)) {
    if (Date.parse(occurrence.scheduled_at) > now.getTime()) await reset(table, schedules, occurrence, now);
  }
}

async function reset(table: Table, schedules: Schedules, occurrence: Occurrence, now: Date): Promise<void> {
  const { account, scraper_id } = occurrence;
  const stored = await getSchedule(table, account, scraper_id);
  if (stored === undefined) return;
  const { schedule, dueAt } = stored;
  const next = nextOccurrence(schedule, new Date(schedule.anchor), now);
  if (dueAt <= next) return;
  const ahead = { account, scraper_id, scheduled_at: dueAt.toISOString() };
  if (await completeOccurrence(table, ahead, schedule, next))
    await schedules.put({ account, scraper_id, scheduled_at: next.toISOString() });
}
