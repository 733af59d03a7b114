import type { Schedule } from "../contract/scraper.ts";
import type { StoredSchedule } from "../store/scrapers.ts";
import { nextOccurrence } from "./next-run.ts";

/** A schedule and its next occurrence. */
export interface PlannedSchedule {
  schedule: StoredSchedule;
  dueAt: Date;
}

/**
 * The stored form of a schedule in a definition. A scraper that is stored again with the same schedule, or with the one
 * that the API returned, keeps its stored schedule: no occurrence is delayed, and a schedule for the 31st of each month
 * stays one although the API has returned the 28th.
 */
export function planSchedule(
  wanted: Schedule,
  stored: PlannedSchedule | undefined,
  now: Date,
): PlannedSchedule {
  if (stored !== undefined && isTheSame(wanted, stored, now)) return stored;
  const { interval, timezone, next_run } = wanted;
  const anchor = next_run === undefined ? now : new Date(next_run);
  return {
    schedule: { interval, timezone, anchor: anchor.toISOString() },
    dueAt: nextOccurrence({ interval, timezone }, anchor, now),
  };
}

function isTheSame(wanted: Schedule, { schedule, dueAt }: PlannedSchedule, now: Date): boolean {
  if (wanted.interval !== schedule.interval || wanted.timezone !== schedule.timezone) return false;
  if (wanted.next_run === undefined) return true;
  const anchor = new Date(schedule.anchor);
  const known = [anchor, dueAt, nextOccurrence(schedule, anchor, now)];
  return known.some((time) => time.getTime() === Date.parse(wanted.next_run ?? ""));
}
