import type { Schedule } from "../../functions/contract/scrapers/scraper.ts";
import { ownTimeZone } from "./zones.ts";

/** A schedule that is stored or being edited. Without `next_run`, it starts now. */
export interface ShownSchedule {
  interval: string;
  timezone: string;
  next_run?: string | undefined;
  paused?: boolean | undefined;
}

export type { Schedule };

const INTERVAL = /^([1-9]\d*) (minute|hour|day|week|month)s?$/;

/** The parts of an interval such as "2 weeks": 2 and "week"; undefined if it is invalid. */
export function splitInterval(interval: string): { count: number; unit: string } | undefined {
  const [, count, unit] = INTERVAL.exec(interval) ?? [];
  return unit === undefined ? undefined : { count: Number(count), unit };
}

/** The schedule to start editing with: each day at 9:00 in the browser's time zone, first tomorrow. */
export function everyDay() {
  const next = new Date();
  next.setDate(next.getDate() + 1);
  next.setHours(9, 0, 0, 0);
  return { interval: "1 day", timezone: ownTimeZone(), next_run: next.toISOString() };
}

const part = (at: string, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, ...options }).format(new Date(at));

/** A schedule in words: "Every 2 weeks on Monday at 09:00, Europe/Berlin". */
export function inWords(schedule: ShownSchedule): string {
  const { interval, timezone, next_run } = schedule;
  const parsed = splitInterval(interval);
  if (parsed === undefined) return interval;
  const { count, unit } = parsed;
  const every = count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`;
  if (next_run === undefined || unit === "minute" || unit === "hour") return every;
  const time = part(next_run, timezone, { hour: "2-digit", minute: "2-digit" });
  const zone = timezone === "UTC" ? "UTC" : timezone.replaceAll("_", " ");
  if (unit === "week") {
    return `${every} on ${part(next_run, timezone, { weekday: "long" })} at ${time}, ${zone}`;
  }
  if (isAmbiguous(schedule)) {
    const day = part(next_run, timezone, { day: "numeric", month: "long", year: "numeric" });
    return `${every}, next on ${day} at ${time}, ${zone}`;
  }
  if (unit === "month")
    return `${every} on day ${part(next_run, timezone, { day: "numeric" })} at ${time}, ${zone}`;
  return `${every} at ${time}, ${zone}`;
}

/** A time in a time zone: "Mon, 23 Nov 2026, 09:00". */
export const localTime = (at: string, timeZone: string): string =>
  part(at, timeZone, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });

/**
 * Whether only the next time of a monthly schedule can be known. If it is on the last day of a month with fewer than 31
 * days, the schedule's real day may be a later one, and the API does not return that day.
 */
export function isAmbiguous({ interval, timezone, next_run }: ShownSchedule): boolean {
  if (next_run === undefined || splitInterval(interval)?.unit !== "month") return false;
  const day = Number(part(next_run, timezone, { day: "numeric" }));
  const tomorrow = new Date(Date.parse(next_run) + 86_400_000).toISOString();
  return day >= 28 && day < 31 && Number(part(tomorrow, timezone, { day: "numeric" })) === 1;
}
