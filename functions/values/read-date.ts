import { LANGUAGES, withAsciiDigits } from "./characters.ts";
import { memoized } from "./memoized.ts";
import { LocaleNeeded, Refusal } from "./refusal.ts";

/** Longer texts hold more than a date. */
const LENGTH_MAX = 1_000;
/** Other years belong to other calendars, such as 2569 in Thailand and 1405 in Iran, or are none. */
const YEARS = { first: 1583, last: 2200 };
const TIME =
  /(?<![\d:.])(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d{1,9})?)?(?!\d|:)(?: ?(?<half>[ap])\.?m\b\.?)?(?: ?(?<zone>Z\b|(?:UTC|GMT)?[+-]\d\d:?\d\d\b|UTC\b|GMT\b))?/i;
/** A word that may be a time zone whose offset depends on the place or the season. */
const OTHER_ZONE = /^ ?\(?[A-Z]{2,5}\b/;
const YEAR_FIRST =
  /(?<!\d)(\d{4}) ?(?:[-./]|年|년) ?(\d{1,2}) ?(?:[-./]|月|월) ?(\d{1,2})(?!\d) ?(?:[.日]|일)?/;
const YEAR_LAST = /(?<!\d)(\d{1,2})( ?[-./] ?)(\d{1,2})\2(\d{4})(?!\d)/;
const WORD = /[\p{L}\p{M}]+/gu;

interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * The one date of a text in ISO 8601, with its time and its offset if it has them: "3. März 2026, 14:05" is
 * "2026-03-03T14:05".
 * @param locale how the page writes dates, such as "de"; absent: only dates that no way of writing reads otherwise
 * @throws Refusal if the text has no date with a year or several, or may mean different ones
 */
export function readDate(text: string, locale?: string): string {
  if (text.length > LENGTH_MAX)
    throw new Refusal("is too long for a date. Take a part of it with a regex first");
  const plain = withAsciiDigits(text).replace(/(?<=\d)T(?=\d)/, " ");
  const { time, rest } = takeTime(plain);
  const { day, others } = takeDay(rest, locale);
  if (/\d/.test(others)) throw new Refusal("has more numbers than a date. Take the date with a regex first");
  checkDay(day, locale);
  const date = [String(day.year).padStart(4, "0"), two(day.month), two(day.day)].join("-");
  return time === undefined ? date : `${date}T${time}`;
}

const two = (number: number) => String(number).padStart(2, "0");

/** The time of day in ISO 8601, and the text without it. */
function takeTime(text: string): { time: string | undefined; rest: string } {
  const match = TIME.exec(text);
  const { hour, minute = "", second, half, zone } = match?.groups ?? {};
  if (!match || hour === undefined) return { time: undefined, rest: text };
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length);
  if (zone === undefined && OTHER_ZONE.test(after))
    throw new Refusal("has a time zone without an offset. Take the date with a regex first");
  if (half === undefined && hasOtherHalf(before + after))
    throw new Refusal("has a time of twelve hours in words. Take the date with a regex first");
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const isHalf = half === undefined || (Number(hour) >= 1 && Number(hour) <= 12);
  if (hours > 23 || Number(minute) > 59 || Number(second ?? 0) > 59 || !isHalf)
    throw new Refusal("has no real time of day");
  const seconds = second === undefined ? "" : `:${second}`;
  return { time: `${two(hours)}:${minute}${seconds}${offsetOf(zone)}`, rest: `${before} ${after}` };
}

function offsetOf(zone: string | undefined): string {
  if (zone === undefined) return "";
  const offset = /([+-]\d\d):?(\d\d)/.exec(zone);
  return offset ? `${offset[1]}:${offset[2]}` : "Z";
}

/** The date, and the text without it. */
function takeDay(text: string, locale: string | undefined): { day: Day; others: string } {
  const first = YEAR_FIRST.exec(text);
  if (first) {
    const [year = 0, month = 0, day = 0] = first.slice(1).map(Number);
    return { day: { year, month, day }, others: text.replace(first[0], " ") };
  }
  const last = YEAR_LAST.exec(text);
  if (last) {
    const [, one, , other, year] = last.map(Number) as [number, number, number, number, number];
    return { day: { year, ...dayAndMonth(one, other, locale) }, others: text.replace(last[0], " ") };
  }
  return byName(text, locale);
}

/** Which of two numbers is the day. */
function dayAndMonth(one: number, other: number, locale: string | undefined): { day: number; month: number } {
  const { isDayFirst } = locale === undefined ? {} : formatOf(locale);
  if (isDayFirst !== undefined) return isDayFirst ? { day: one, month: other } : { day: other, month: one };
  if (one === other || (one > 12 && other <= 12)) return { day: one, month: other };
  if (other > 12 && one <= 12) return { day: other, month: one };
  throw new LocaleNeeded(`may mean two dates: ${one} or ${other} is the month. State the locale of the page`);
}

/** A date with the name of its month. */
function byName(text: string, locale: string | undefined): { day: Day; others: string } {
  const months = locale === undefined ? monthsOfAll() : monthsOf(locale);
  const words = [...text.matchAll(WORD)].filter(([word]) => months.get(word.toLowerCase()) !== undefined);
  const numbers = [...text.matchAll(/\d+/g)].map(([number]) => number);
  const named = new Set(words.map(([word]) => months.get(word.toLowerCase())));
  const year = numbers.filter((number) => number.length === 4);
  const day = numbers.filter((number) => number.length <= 2);
  const [month] = named;
  if (
    named.size !== 1 ||
    month === undefined ||
    numbers.length !== 2 ||
    year.length !== 1 ||
    day.length !== 1
  ) {
    throw new Refusal(
      "is no date with a day, a month and a year of four digits in a known way of writing. State the locale of the page, or take the date with a regex first",
    );
  }
  return { day: { year: Number(year[0]), month, day: Number(day[0]) }, others: "" };
}

function checkDay({ year, month, day }: Day, locale: string | undefined): void {
  const at = new Date(Date.UTC(year, month - 1, day));
  const calendar = locale === undefined ? "gregory" : formatOf(locale).calendar;
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  const isInRange = year >= (calendar === "gregory" ? YEARS.first : 1900) && year <= YEARS.last;
  if (!isReal || !isInRange) throw new Refusal("is no real date of the Gregorian calendar");
}

/** How a locale writes short dates. */
const formatOf = memoized((locale) => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "short" });
  const order = format.formatToParts(0).map(({ type }) => type);
  return {
    // A locale that writes the year first has no way of its own to write it last.
    isDayFirst: order.indexOf("year") === 0 ? undefined : order.indexOf("day") < order.indexOf("month"),
    calendar: format.resolvedOptions().calendar,
  };
});

/** The names of months in a language, in lower case, alone and in a date. */
const monthsOf = memoized((locale): Map<string, number> => {
  const names = new Map<string, Set<number>>();
  const language = new Intl.Locale(locale, { calendar: "gregory" });
  const formats = (["long", "short"] as const).flatMap((month) =>
    [{ month }, { month, day: "numeric" } as const, { month, day: "numeric", year: "numeric" } as const].map(
      (options) => new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }),
    ),
  );
  for (let month = 1; month <= 12; month += 1) {
    for (const format of formats) {
      const { value = "" } =
        format.formatToParts(Date.UTC(2026, month - 1, 15)).find(({ type }) => type === "month") ?? {};
      for (const [word] of value.matchAll(WORD)) addMonth(names, word.toLowerCase(), month);
    }
  }
  const unique = withOneMonth(names);
  return new Set(unique.values()).size === 12 ? unique : new Map();
});

const addMonth = (names: Map<string, Set<number>>, name: string, month: number) =>
  names.set(name, (names.get(name) ?? new Set()).add(month));

/** Words of several months name none, such as the first ones of "tháng 3" and "de març". */
const withOneMonth = (names: ReadonlyMap<string, ReadonlySet<number>>): Map<string, number> =>
  new Map([...names].flatMap(([name, [month, other]]) => (month && !other ? [[name, month]] : [])));

let all: Map<string, number> | undefined;

/** The names of months in all languages, without those that mean different months, such as "listopad". */
function monthsOfAll(): Map<string, number> {
  if (all) return all;
  const months = new Map<string, Set<number>>();
  for (const language of LANGUAGES)
    for (const [name, month] of monthsOf(language)) addMonth(months, name, month);
  all = withOneMonth(months);
  return all;
}

let halves: string[] | undefined;

/** Whether a text has the words of a language other than English for the halves of a day. */
function hasOtherHalf(text: string): boolean {
  halves ??= LANGUAGES.filter((language) => language !== "en").flatMap((language) =>
    [9, 21].flatMap((hour) =>
      new Intl.DateTimeFormat(language, { hour: "numeric", hour12: true, timeZone: "UTC" })
        .formatToParts(Date.UTC(2026, 0, 1, hour))
        .flatMap(({ type, value }) => (type === "dayPeriod" ? value.replace(/\s/g, " ").toLowerCase() : [])),
    ),
  );
  const lower = ` ${text.toLowerCase()} `;
  return halves.some((half) =>
    /^\p{Script=Latin}/u.test(half) ? lower.includes(` ${half} `) : lower.includes(half),
  );
}
