import type { Schedule } from "../contract/scrapers/scraper.ts";
import type { StoredSchedule } from "../store/scrapers.ts";
import { nextOccurrence } from "./next-run.ts";

/** A schedule and its next occurrence; a paused schedule has none. */
export interface PlannedSchedule {
  schedule: StoredSchedule;
  dueAt: Date | undefined;
}

/**
 * The stored form of a schedule in a definition. A scraper that is stored again with the same schedule, or with one that
 * the API has returned, keeps its stored schedule: no occurrence is delayed, and a schedule for the 31st of each month stays
 * one although the API has returned the 28th.
 */
export function planSchedule(
  wanted: Schedule,
  stored: PlannedSchedule | undefined,
  now: Date,
): PlannedSchedule {
  const kept = stored !== undefined && isTheSame(wanted, stored, now) ? stored : undefined;
  const { interval, timezone, next_run } = wanted;
  const { anchor, open_start } = kept?.schedule ?? startOf(next_run, now);
  const schedule: StoredSchedule = { interval, timezone, anchor, ...(open_start && { open_start }) };
  if (wanted.paused) return { schedule: { ...schedule, paused: true }, dueAt: undefined };
  const next = nextOccurrence(schedule, new Date(anchor), now);
  // A clock that was ahead has set a later one.
  return { schedule, dueAt: kept?.dueAt && kept.dueAt < next ? kept.dueAt : next };
}

const startOf = (nextRun: string | undefined, now: Date): Pick<StoredSchedule, "anchor" | "open_start"> =>
  nextRun === undefined
    ? { anchor: now.toISOString(), open_start: true }
    : { anchor: new Date(nextRun).toISOString() };

function isTheSame(wanted: Schedule, { schedule, dueAt }: PlannedSchedule, now: Date): boolean {
  if (wanted.interval !== schedule.interval || wanted.timezone !== schedule.timezone) return false;
  if (wanted.next_run === undefined) return true;
  const time = new Date(wanted.next_run);
  const anchor = new Date(schedule.anchor);
  // A client may have read the schedule before its last occurrences.
  const isOccurrence =
    time < now && isEqual(nextOccurrence(schedule, anchor, new Date(time.getTime() - 1)), time);
  return (
    isOccurrence || [anchor, dueAt, nextOccurrence(schedule, anchor, now)].some((one) => isEqual(one, time))
  );
}

const isEqual = (one: Date | undefined, other: Date) => one?.getTime() === other.getTime();
