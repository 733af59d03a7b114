import { describe, expect, test } from "@jest/globals";
import { differences } from "../../console/format/differences.ts";
import { nextTimes } from "../../console/format/next-times.ts";
import { counted } from "../../console/format/numbers.ts";
import { pageAddress } from "../../console/format/page-address.ts";
import { inWords } from "../../console/format/schedule.ts";
import { duration, relativeTime } from "../../console/format/time.ts";
import { fromLocal, timeZones, toLocal } from "../../console/format/zones.ts";
import { toTsv, visible } from "../../console/grid/text.ts";
import { match } from "../../console/router/match.ts";
import { fc, tries } from "../fast-check.ts";

describe("a schedule", () => {
  const daily = { interval: "1 day", timezone: "Europe/Berlin", next_run: "2026-10-24T07:00:00.000Z" };

  test.each([
    [daily, "Every day at 09:00, Europe/Berlin"],
    [{ ...daily, interval: "30 minutes" }, "Every 30 minutes"],
    [{ ...daily, interval: "2 weeks" }, "Every 2 weeks on Saturday at 09:00, Europe/Berlin"],
    [{ ...daily, interval: "1 month" }, "Every month on day 24 at 09:00, Europe/Berlin"],
    [
      { interval: "1 month", timezone: "UTC", next_run: "2026-11-30T09:00:00.000Z" },
      "Every month, next on 30 November 2026 at 09:00, UTC",
    ],
  ])("%j is %s", (schedule, words) => expect(inWords(schedule)).toBe(words));

  test("has the next times of the service, over a clock change", () => {
    expect(nextTimes(daily, 3, new Date("2026-10-20T00:00:00.000Z"))).toEqual([
      "2026-10-24T07:00:00.000Z",
      "2026-10-25T08:00:00.000Z",
      "2026-10-26T08:00:00.000Z",
    ]);
  });

  test("claims no later times where the day of the month is not known", () => {
    const monthly = { interval: "1 month", timezone: "UTC", next_run: "2027-02-28T09:00:00.000Z" };
    expect(nextTimes(monthly, 5, new Date("2027-02-01T00:00:00.000Z"))).toEqual([monthly.next_run]);
    const sure = { ...monthly, next_run: "2027-02-27T09:00:00.000Z" };
    expect(nextTimes(sure, 5, new Date("2027-02-01T00:00:00.000Z"))).toHaveLength(5);
  });
});

describe("a local time", () => {
  test("is the same moment again, in every time zone", () => {
    const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(moment, fc.constantFrom(...timeZones()), (date, zone) => {
        const at = new Date(Math.floor(date.getTime() / 60_000) * 60_000).toISOString();
        const local = toLocal(at, zone);
        // An hour that occurs twice has one local time.
        expect(toLocal(fromLocal(local, zone) ?? "", zone)).toBe(local);
      }),
      tries(300),
    );
  });

  test("that is none is none", () => expect(fromLocal("tomorrow", "UTC")).toBeUndefined());
});

describe("times and numbers", () => {
  test.each([
    ["2026-11-25T09:00:00Z", "2026-11-23T20:00:00Z", "UTC", "in 2 days"],
    ["2026-11-24T21:00:00Z", "2026-11-23T20:00:00Z", "UTC", "tomorrow"],
    ["2026-11-24T09:00:00Z", "2026-11-23T20:00:00Z", "UTC", "in 13 hours"],
    ["2026-11-21T23:00:00Z", "2026-11-23T01:00:00Z", "UTC", "2 days ago"],
    ["2026-11-25T00:30:00Z", "2026-11-23T23:00:00Z", "UTC", "in 2 days"],
    ["2026-11-25T00:30:00Z", "2026-11-23T23:00:00Z", "America/New_York", "tomorrow"],
  ])("%s at %s in %s is %s", (at, now, zone, words) =>
    expect(relativeTime(at, Date.parse(now), zone)).toBe(words),
  );

  test.each([
    [800, "0.8 s"],
    [42_000, "42 s"],
    [185_000, "3 min 5 s"],
    [7_800_000, "2 h 10 min"],
  ])("%i ms are %s", (ms, text) => expect(duration(ms)).toBe(text));

  test("relative times say which side of now they are on", () => {
    const now = Date.parse("2026-11-22T12:00:00.000Z");
    expect(relativeTime("2026-11-22T11:59:58.000Z", now)).toBe("just now");
    expect(relativeTime("2026-11-22T09:00:00.000Z", now)).toBe("3 hours ago");
    expect(relativeTime("2026-11-25T12:00:00.000Z", now)).toBe("in 3 days");
  });

  test("one row is a row", () => {
    expect(counted(1, "row")).toBe("1 row");
    expect(counted(1_000_000, "row")).toBe("1,000,000 rows");
  });
});

describe("copied cells", () => {
  test("keep tabs, lines and quotation marks inside of a cell", () => {
    const rows = [{ a: 'say "hi"', b: "two\nlines" }, { a: "tab\there" }];
    expect(toTsv(rows, ["a", "b"])).toBe('"say ""hi"""\t"two\nlines"\n"tab\there"\t');
  });

  test("are no formulas, but numbers stay numbers", () => {
    const row = { a: "=1+1", b: "@cmd", c: "-5", d: "+1.5 %", e: "-2+3" };
    expect(toTsv([row], ["a", "b", "c", "d", "e"])).toBe("'=1+1\t'@cmd\t-5\t+1.5 %\t'-2+3");
  });

  test("control characters are shown as pictures", () => {
    expect(visible("a\u0000b\u001b[31m\u007f")).toBe("a␀b␛[31m␡");
  });
});

test("differences are told by path, down to single values", () => {
  const mine = { name: "A", steps: [{ url: "x" }, { value: 1 }] };
  const theirs = { name: "A", steps: [{ url: "y" }], limit: 5 };
  expect(differences(mine, theirs)).toEqual([
    { path: "steps[0].url", one: '"x"', other: '"y"' },
    { path: "steps[1]", one: '{"value":1}', other: undefined },
    { path: "limit", one: undefined, other: "5" },
  ]);
});

describe("an address", () => {
  test.each([
    ["/runs/{id}/{tab?}", "/runs/7", { id: "7" }],
    ["/runs/{id}/{tab?}", "/runs/7/", { id: "7" }],
    ["/runs/{id}/{tab?}", "/runs/7/log", { id: "7", tab: "log" }],
    ["/runs/{id}/{tab?}", "/runs", undefined],
    ["/runs", "/runs/7", undefined],
    ["/", "/", {}],
  ])("%s matches %s with %j", (template, path, values) => expect(match(template, path)).toEqual(values));
});

test.each([
  ["localhost:4100/books", "http://localhost:4100/books"],
  ["example.org/books", "https://example.org/books"],
  ["http://intranet/books", "http://intranet/books"],
  ["books", undefined],
  ["second-hand books", undefined],
])("%j as the address of a page is %j", (text, address) => expect(pageAddress(text)).toBe(address));
