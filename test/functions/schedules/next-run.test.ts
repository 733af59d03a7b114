import { describe, expect, test } from "@jest/globals";
import { nextOccurrence } from "../../../functions/schedules/next-run.ts";

/** The first `count` occurrences after a time, ISO 8601 in UTC. */
function following(
  interval: string,
  timezone: string,
  anchor: string,
  after: string,
  count: number,
): string[] {
  const times: string[] = [];
  for (let time = new Date(after); times.length < count; ) {
    time = nextOccurrence({ interval, timezone }, new Date(anchor), time);
    times.push(time.toISOString());
  }
  return times;
}

/** The same as the clock on the wall shows them. */
function onTheWall(zone: string, times: string[]): string[] {
  const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return times.map((time) => clock.format(new Date(time)));
}

test("the anchor itself is the first occurrence", () => {
  const anchor = new Date("2030-01-31T09:00:00.000Z");
  const rhythm = { interval: "1 month", timezone: "UTC" };
  expect(nextOccurrence(rhythm, anchor, new Date("2026-01-01T00:00:00.000Z"))).toEqual(anchor);
  expect(nextOccurrence(rhythm, anchor, new Date(anchor.getTime() - 1))).toEqual(anchor);
  expect(nextOccurrence(rhythm, anchor, anchor)).toEqual(new Date("2030-02-28T09:00:00.000Z"));
});

describe("daily at 09:00 in Berlin", () => {
  test("stays at 09:00 when the clocks are put forward", () => {
    const times = following(
      "1 day",
      "Europe/Berlin",
      "2026-03-27T08:00:00.000Z",
      "2026-03-27T08:00:00.000Z",
      3,
    );
    expect(times).toEqual([
      "2026-03-28T08:00:00.000Z",
      "2026-03-29T07:00:00.000Z",
      "2026-03-30T07:00:00.000Z",
    ]);
  });

  test("stays at 09:00 when the clocks are put back", () => {
    const times = following(
      "1 day",
      "Europe/Berlin",
      "2026-10-23T07:00:00.000Z",
      "2026-10-23T07:00:00.000Z",
      3,
    );
    expect(times).toEqual([
      "2026-10-24T07:00:00.000Z",
      "2026-10-25T08:00:00.000Z",
      "2026-10-26T08:00:00.000Z",
    ]);
  });
});

test("a local time that is left out is as much later as the clocks go forward, on that day alone", () => {
  const times = following(
    "1 day",
    "Europe/Berlin",
    "2026-03-27T01:30:00.000Z",
    "2026-03-27T01:30:00.000Z",
    3,
  );
  expect(times[1]).toBe("2026-03-29T01:30:00.000Z");
  expect(onTheWall("Europe/Berlin", times)).toEqual([
    "2026-03-28 02:30",
    "2026-03-29 03:30",
    "2026-03-30 02:30",
  ]);
});

test("of a local time that comes twice the first is taken", () => {
  const times = following(
    "1 day",
    "Europe/Berlin",
    "2026-10-23T00:30:00.000Z",
    "2026-10-24T12:00:00.000Z",
    2,
  );
  expect(times).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]);
  expect(onTheWall("Europe/Berlin", times)).toEqual(["2026-10-25 02:30", "2026-10-26 02:30"]);
});

test("an anchor in the second of two equal hours is kept as it is", () => {
  const anchor = "2026-10-25T01:30:00.000Z";
  expect(following("1 day", "Europe/Berlin", anchor, "2026-10-25T00:45:00.000Z", 2)).toEqual([
    anchor,
    "2026-10-26T01:30:00.000Z",
  ]);
});

test("a day that a time zone leaves out has no occurrence of its own", () => {
  // Samoa went from 29 to 31 December 2011.
  const times = following("1 day", "Pacific/Apia", "2011-12-28T19:00:00.000Z", "2011-12-28T19:00:00.000Z", 3);
  expect(onTheWall("Pacific/Apia", times)).toEqual([
    "2011-12-29 09:00",
    "2011-12-31 09:00",
    "2012-01-01 09:00",
  ]);
});

test("hours and minutes are elapsed time, whatever the clocks do", () => {
  const times = following(
    "6 hours",
    "Europe/Berlin",
    "2026-10-24T22:00:00.000Z",
    "2026-10-24T22:00:00.000Z",
    3,
  );
  expect(times).toEqual(["2026-10-25T04:00:00.000Z", "2026-10-25T10:00:00.000Z", "2026-10-25T16:00:00.000Z"]);
  expect(following("90 minutes", "UTC", "2026-01-01T23:00:00.000Z", "2026-01-02T00:10:00.000Z", 2)).toEqual([
    "2026-01-02T00:30:00.000Z",
    "2026-01-02T02:00:00.000Z",
  ]);
});

test("monthly on the 31st is the last day of shorter months, and the 31st again", () => {
  const times = following("1 month", "UTC", "2027-12-31T09:00:00.000Z", "2027-12-31T09:00:00.000Z", 5);
  expect(times.map((time) => time.slice(0, 10))).toEqual([
    "2028-01-31",
    "2028-02-29",
    "2028-03-31",
    "2028-04-30",
    "2028-05-31",
  ]);
});

test("yearly on 29 February is 28 February between leap years", () => {
  const times = following("12 months", "UTC", "2028-02-29T09:00:00.000Z", "2028-02-29T09:00:00.000Z", 4);
  expect(times.map((time) => time.slice(0, 10))).toEqual([
    "2029-02-28",
    "2030-02-28",
    "2031-02-28",
    "2032-02-29",
  ]);
});

test("the day of the month is the time zone's, not UTC's", () => {
  // The 31st at 08:00 in Auckland, which is the 30th in UTC.
  const times = following(
    "1 month",
    "Pacific/Auckland",
    "2026-01-30T19:00:00.000Z",
    "2026-01-30T19:00:00.000Z",
    3,
  );
  expect(onTheWall("Pacific/Auckland", times)).toEqual([
    "2026-02-28 08:00",
    "2026-03-31 08:00",
    "2026-04-30 08:00",
  ]);
});

test("two weeks keep their weekday and their rhythm", () => {
  const times = following(
    "2 weeks",
    "America/New_York",
    "2026-02-23T14:00:00.000Z",
    "2026-03-01T00:00:00.000Z",
    3,
  );
  expect(times).toEqual(["2026-03-09T13:00:00.000Z", "2026-03-23T13:00:00.000Z", "2026-04-06T13:00:00.000Z"]);
});

test.each([
  ["7 minutes", "2026-11-21T10:27:30.000Z"],
  ["5 hours", "2026-11-21T13:00:30.000Z"],
  ["3 days", "2026-11-24T00:00:30.000Z"],
  ["2 weeks", "2026-12-03T00:00:30.000Z"],
  ["5 months", "2027-02-01T00:00:30.000Z"],
])("every %s since 1970", (interval, expected) => {
  expect(following(interval, "UTC", "1970-01-01T00:00:30.000Z", "2026-11-21T10:20:30.000Z", 1)).toEqual([
    expected,
  ]);
});

test("a time zone that is not known is an error", () => {
  const nowhere = { interval: "1 day", timezone: "Europe/Nowhere" };
  expect(() => nextOccurrence(nowhere, new Date(0), new Date())).toThrow(RangeError);
});
