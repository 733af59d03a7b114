import { expect, test } from "@jest/globals";
import { DateTime, IANAZone } from "luxon";
import { nextOccurrence } from "../../../functions/schedules/next-run.ts";
import { fc, tries } from "../../fast-check.ts";

/*
 * Ten years in zones with every kind of clock change there is, against Luxon, which knows the same time zones and has
 * an arithmetic of its own. What a local time that is left out or comes twice means is spelled out here, as Luxon
 * promises nothing there.
 */

const zones = [
  "UTC",
  "Africa/Cairo",
  "Africa/Casablanca", // standard time in summer, and back for Ramadan
  "America/Asuncion", // gave its clock changes up in 2024
  "America/Halifax",
  "America/Havana", // changes at midnight
  "America/Los_Angeles",
  "America/New_York",
  "America/Nuuk", // changes on a Saturday evening
  "America/Santiago", // changes at midnight
  "America/Sao_Paulo",
  "America/Scoresbysund",
  "America/St_Johns", // half an hour beside the others
  "Antarctica/Troll", // by two hours
  "Asia/Amman",
  "Asia/Beirut",
  "Asia/Gaza",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Tehran",
  "Asia/Tokyo",
  "Australia/Adelaide",
  "Australia/Lord_Howe", // by half an hour
  "Europe/Berlin",
  "Europe/Dublin", // winter time is the exception
  "Europe/London",
  "Pacific/Apia",
  "Pacific/Auckland",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
];
const TEN_YEARS_MS = 10 * 365.25 * 86_400_000;

/** Most anchors have a local time at which clocks are changed somewhere. */
const anchors = fc
  .tuple(
    fc.integer({ min: 0, max: 365 }),
    fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 4 * 60 }) },
      { weight: 1, arbitrary: fc.nat(1439) },
    ),
    fc.constantFrom(0, 1, 999, 59_999),
  )
  .map(([day, minute, ms]) => ({ day, minute, ms }));
const anchorIn = (zone: string, { day, minute, ms }: { day: number; minute: number; ms: number }) =>
  DateTime.fromObject({ year: 2020, month: 1, day: 1 }, { zone })
    .plus({ days: day })
    .set({ hour: Math.floor(minute / 60), minute: minute % 60 })
    .plus(ms)
    .toMillis();

const units = ["minute", "hour", "day", "week", "month"] as const;
type Unit = (typeof units)[number];
const DAY_MS = 86_400_000;
const UNIT_MS = { minute: 60_000, hour: 3_600_000, day: DAY_MS, week: 7 * DAY_MS, month: 30.436875 * DAY_MS };

/** The occurrence of this number by Luxon's calendar; 0 is the anchor. */
function occurrencesOf(anchor: number, count: number, unit: Unit, zone: string): (index: number) => number {
  const first = DateTime.fromMillis(anchor, { zone });
  const isElapsed = unit === "minute" || unit === "hour";
  const from = isElapsed ? first : first.setZone("utc", { keepLocalTime: true });
  return (index) => {
    const time = from.plus({ [`${unit}s`]: index * count }).toMillis();
    return isElapsed || index === 0 ? anchor + time - from.toMillis() : timeOf(time, zone);
  };
}

/** The first time at which the clocks show this; where they never do, what they would show if they had not changed. */
function timeOf(clock: number, zoneName: string): number {
  const zone = IANAZone.create(zoneName);
  // No clock is further than 14 hours from UTC.
  const before = zone.offset(clock - 15 * UNIT_MS.hour);
  const after = zone.offset(clock + 15 * UNIT_MS.hour);
  const times = [before, after]
    .map((offset) => ({ offset, time: clock - offset * UNIT_MS.minute }))
    .filter(({ offset, time }) => zone.offset(time) === offset)
    .map(({ time }) => time);
  return times.length > 0 ? Math.min(...times) : clock - before * UNIT_MS.minute;
}

/** The days, counted from 1970, of the weeks in which the zone changes its clocks, and two days around them. */
function changesOf(zone: string): Set<number> {
  const near = new Set<number>();
  const start = Date.UTC(2020, 0, 1) / DAY_MS;
  const offset = (day: number) => IANAZone.create(zone).offset(day * DAY_MS);
  // No zone changes its clocks twice within a week.
  for (let day = start, before = offset(start); day < start + 11 * 366; day += 7) {
    const after = offset(day + 7);
    if (before !== after) for (let around = -2; around <= 9; around += 1) near.add(day + around);
    before = after;
  }
  return near;
}

test.each(zones)("%s: each occurrence leads to the next for ten years", (zone) => {
  const changes = changesOf(zone);
  const rhythms = fc.oneof(
    { weight: 2, arbitrary: fc.constant({ count: 1, unit: "day" as Unit }) },
    fc.record({
      count: fc.integer({ min: 1, max: 40 }),
      unit: fc.constantFrom<Unit>("day", "week", "month"),
    }),
    fc.record({ count: fc.integer({ min: 1, max: 5_000 }), unit: fc.constantFrom<Unit>("hour", "minute") }),
  );
  fc.assert(
    fc.property(anchors, rhythms, (start, { count, unit }) => {
      const anchor = anchorIn(zone, start);
      const rhythm = { interval: `${count} ${unit}s`, timezone: zone };
      const next = (after: number) => nextOccurrence(rhythm, new Date(anchor), new Date(after)).getTime();
      const at = occurrencesOf(anchor, count, unit, zone);
      const total = Math.floor(TEN_YEARS_MS / (count * UNIT_MS[unit]));
      // All near a change of the clocks, and some of the others.
      const stride = Math.ceil(total / 60);
      for (let index = 1; index < total; index += 1) {
        const about = Math.floor((anchor + index * count * UNIT_MS[unit]) / DAY_MS);
        const isNear = UNIT_MS[unit] >= DAY_MS && changes.has(about);
        if (!isNear && index % stride !== 0) continue;
        const time = at(index);
        // Plain comparisons: a matcher would take longer than all the rest.
        if (next(at(index - 1)) !== time) expect(new Date(next(at(index - 1)))).toEqual(new Date(time));
        if (next(time - 1) !== time) expect(new Date(next(time - 1))).toEqual(new Date(time));
      }
    }),
    tries(3),
  );
});

test("from any time, the next occurrence is the first after it", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      anchors,
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(...units),
      fc.integer({ min: -DAY_MS, max: TEN_YEARS_MS }),
      (zone, start, count, unit, later) => {
        const anchor = anchorIn(zone, start);
        const after = anchor + later;
        const at = occurrencesOf(anchor, count, unit, zone);
        let low = 0;
        let high = Math.ceil(TEN_YEARS_MS / (count * UNIT_MS[unit])) + 2;
        while (low < high) {
          const middle = Math.floor((low + high) / 2);
          if (at(middle) > after) high = middle;
          else low = middle + 1;
        }
        const rhythm = { interval: `${count} ${unit}`, timezone: zone };
        expect(nextOccurrence(rhythm, new Date(anchor), new Date(after))).toEqual(new Date(at(low)));
      },
    ),
    tries(500),
  );
});
