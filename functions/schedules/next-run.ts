// The functions of one module each, which the console can bundle without the rest of the library.
import { fromEpochMilliseconds, toZonedDateTimeISO } from "temporal-polyfill/fns/Instant";
import { addDays, addMonths, addWeeks, toZonedDateTime } from "temporal-polyfill/fns/PlainDateTime";
import { toPlainDateTime } from "temporal-polyfill/fns/ZonedDateTime";
import { type IntervalUnit, parseInterval } from "../contract/scrapers/interval.ts";

/** How often, and in the calendar of which IANA time zone. */
export interface Recurrence {
  interval: string;
  timezone: string;
  /** The anchor is not the first occurrence: there are occurrences before it, too. */
  open_start?: true;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The mean length of each unit, in milliseconds. */
const MEAN_MS: Record<IntervalUnit, number> = {
  minute: 60_000,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30.436875 * DAY_MS,
};

const ADD = { day: addDays, week: addWeeks, month: addMonths };

/**
 * The first occurrence strictly after a time, of the schedule whose first occurrence is `anchor`, unless its start is open.
 *
 * Minutes and hours are elapsed time. Days, weeks and months follow the calendar of the time zone, at the anchor's local
 * time. A local time that a clock change skips moves forward by the length of the change; of a local time that occurs
 * twice, the first counts (as in java.time and Temporal). A month without the anchor's day uses its last day. Each
 * occurrence is computed from the anchor and not from the previous one, so that such shifts don't accumulate.
 */
export function nextOccurrence(
  { interval, timezone, open_start }: Recurrence,
  anchor: Date,
  after: Date,
): Date {
  if (after < anchor && !open_start) return anchor;
  const { count, unit } = parseInterval(interval);
  const elapsed = (after.getTime() - anchor.getTime()) / (count * MEAN_MS[unit]);
  if (unit === "minute" || unit === "hour") {
    return new Date(anchor.getTime() + (Math.floor(elapsed) + 1) * count * MEAN_MS[unit]);
  }
  const first = toPlainDateTime(toZonedDateTimeISO(fromEpochMilliseconds(anchor.getTime()), timezone));
  const add = ADD[unit];
  const occurrence = (index: number) =>
    toZonedDateTime(add(first, index * count), timezone, { disambiguation: "compatible" }).epochMilliseconds;
  // Months differ from their mean by less than an interval, and time zones shift by at most a day. So one interval
  // before the estimate is never too late, and a few steps from there are enough.
  let index = Math.floor(elapsed) - 1;
  while (occurrence(index) <= after.getTime()) index += 1;
  return new Date(occurrence(index));
}
