import * as v from "valibot";

const PATTERN = /^([1-9]\d{0,5}) (minute|hour|day|week|month)s?$/;

export type IntervalUnit = "minute" | "hour" | "day" | "week" | "month";

/** The longest interval in each unit: about 100 years. Longer ones could lead to years with more than four digits. */
const LONGEST: Record<IntervalUnit, number> = {
  minute: 999_999,
  hour: 876_000,
  day: 36_500,
  week: 5_200,
  month: 1_200,
};

/**
 * Parses an interval: "30 minutes" becomes 30 and `minute`.
 * @throws Error if the interval is not valid
 */
export function parseInterval(interval: string): { count: number; unit: IntervalUnit } {
  const [, count, unit] = PATTERN.exec(interval) ?? [];
  if (unit === undefined) throw new Error(`"${interval}" is not a valid interval.`);
  return { count: Number(count), unit: unit as IntervalUnit };
}

/** How often a schedule starts a run. */
export const Interval = v.pipe(
  v.string(),
  v.regex(PATTERN, 'must be a duration such as "30 minutes", "6 hours", "1 day", "2 weeks" or "1 month"'),
  v.check((interval) => {
    // Valibot runs this check even if the pattern did not match.
    if (!PATTERN.test(interval)) return true;
    const { count, unit } = parseInterval(interval);
    return count <= LONGEST[unit];
  }, "must be at most 100 years"),
);
