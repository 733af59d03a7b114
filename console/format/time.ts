import { ownTimeZone, toLocal } from "./zones.ts";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

const short = new Intl.DateTimeFormat("en", {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

const UNITS = [
  { unit: "year", ms: 31_536_000_000 },
  { unit: "month", ms: 2_592_000_000 },
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
] as const;

export const exactTime = (at: string): string => exact.format(new Date(at));

/** A time without its year: "Nov 22, 8:02 AM". */
export const shortTime = (at: string): string => short.format(new Date(at));

const DAY_MS = 86_400_000;

/**
 * A time relative to `now` (in ms): "2 hours ago", "in 3 days", "just now". Days are those of the calendar in the time zone,
 * by default the browser's: a time in 30 hours may be the day after tomorrow.
 */
export function relativeTime(at: string, now: number, timeZone = ownTimeZone()): string {
  const ms = Date.parse(at) - now;
  const found = UNITS.find((unit) => Math.abs(ms) >= unit.ms);
  if (found === undefined) return ms > 20_000 ? "in less than a minute" : "just now";
  const amount =
    found.unit === "day"
      ? (startOfDay(at, timeZone) - startOfDay(new Date(now).toISOString(), timeZone)) / DAY_MS
      : Math.trunc(ms / found.ms);
  return relative.format(amount, found.unit);
}

/** The day of a time in a time zone, as its first moment in UTC, in ms. */
const startOfDay = (at: string, timeZone: string): number =>
  Date.parse(`${toLocal(at, timeZone).slice(0, 10)}T00:00:00Z`);

/** A duration with its units: "0.8 s", "42 s", "3 min 5 s", "2 h 10 min". */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
