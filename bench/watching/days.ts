import type { Row, RunWarning } from "../../functions/contract/runs/run.ts";
import { type FailureCode, RunFailure } from "../../functions/runs/failure.ts";
import type { WarningCode } from "../../functions/runs/warning.ts";
import { pick, type Random } from "../../test/e2e/chaos/random.ts";

/** A row that the shop has, and the number of its article. */
export interface Listed {
  number: number;
  row: Row;
}

/** What a run gets of a list. */
export interface Page {
  listed: Listed[];
  /** Rows that are no row of an article, or that say something else about one, added to those. */
  more?: Listed[];
  warnings?: RunWarning[];
  failure?: RunFailure;
}

/** A kind of days. */
interface Kind {
  /** The fewest and the most days in a row. */
  days: readonly [number, number];
  /** What a run gets of the whole list. */
  show: (all: Listed[], random: Random) => Page;
  /** Whether what a run gets is what the shop has, or nobody could tell that it is not. */
  isTrusted: boolean;
  /** Whether the scraper does not work, so that its owner has to be told. */
  isBroken: boolean;
  /** Runs of a day, which end at the same time. */
  runs?: number;
  /** What the shop does when such days begin. */
  begins?: "writes prices otherwise" | "writes keys otherwise" | "sells out";
  /** What ends such days: the owner gives the scraper other selectors. */
  ends?: "mended";
}

const whole = (listed: Listed[]): Page => ({ listed });
const failed =
  (code: FailureCode, message: string) =>
  (listed: Listed[] = []): Page => ({ listed, failure: new RunFailure(code, message) });
const warned = (listed: Listed[], code: WarningCode): Page => ({
  listed,
  warnings: [{ code, message: "Compare the rows with the page.", step: 1 }],
});
/** The first rows, a share between `least` and `most` of all. */
const part = (all: Listed[], random: Random, [least, most]: readonly [number, number]) =>
  all.slice(0, Math.floor(all.length * (least + random() * (most - least))));
const without = (all: Listed[], field: string): Listed[] =>
  all.map(({ number, row }) => ({
    number,
    row: Object.fromEntries(Object.entries(row).filter(([name]) => name !== field)),
  }));
const some = (all: Listed[], random: Random) => [1, 2, 3].map(() => pick(random, all));

const GOOD = { isTrusted: true, isBroken: false, days: [1, 1] } as const;
const BAD = { isTrusted: false, isBroken: true } as const;

const noList = failed("element_not_found", "No element matches the selector.");
const noAnswer = failed("navigation_failed", "The host does not respond.");
const error = failed("http_error", "The server answered with 503.");

/** The kinds of days on which something is not as it was the day before. A plain day follows each. */
export const KINDS = {
  "site down": { ...BAD, days: [1, 7], show: () => noAnswer() },
  "site down, two runs at once": { ...BAD, days: [1, 3], runs: 2, show: () => error() },
  "a page fails": { ...BAD, days: [1, 3], show: (all, random) => error(part(all, random, [0.2, 0.9])) },
  "cut off, the engine warns": {
    ...{ isTrusted: false, isBroken: false, days: [1, 4] },
    show: (all, random) => warned(part(all, random, [0.6, 0.95]), "rows_may_be_missing"),
  },
  "cut off, nothing tells": { ...GOOD, show: (all, random) => whole(part(all, random, [0.6, 0.95])) },
  "cookie wall, no list": { ...BAD, days: [1, 7], show: () => noList() },
  "cookie wall, a few rows": {
    ...{ ...BAD, days: [1, 3] },
    show: (all, random) => whole(part(all, random, [0, 0.35])),
  },
  "prices for members only": {
    ...{ ...BAD, days: [1, 3] },
    show: (all) => warned(without(all, "price"), "field_empty"),
  },
  "redesign, no list": { ...BAD, days: [1, 5], ends: "mended", show: () => noList() },
  "redesign, no prices": {
    ...{ ...BAD, days: [1, 3], ends: "mended" },
    show: (all) => warned(without(all, "price"), "field_empty"),
  },
  "more than half sold out": { ...BAD, days: [3, 3], begins: "sells out", show: whole },
  reordered: { ...GOOD, show: (all, random) => whole(shuffled(all, random)) },
  "prices written otherwise": { ...GOOD, begins: "writes prices otherwise", show: whole },
  "keys written otherwise": { ...GOOD, begins: "writes keys otherwise", show: whole },
  "rows doubled": { ...GOOD, show: (all, random) => ({ listed: all, more: some(all, random) }) },
  "rows without a key": {
    ...GOOD,
    show: (all, random) => ({
      listed: all,
      more: some(all, random).map(({ row }) => ({ number: 0, row: { ...row, sku: " " } })),
    }),
  },
  "a key with two contents": {
    ...GOOD,
    show: (all, random) => ({
      listed: all,
      more: some(all.slice(0, 10), random).map(({ number, row }) => ({
        number,
        row: { ...row, name: `Sponsored: ${row.name}` },
      })),
    }),
  },
  "a row missing for a day": {
    ...GOOD,
    show: (all, random) => {
      const left = new Set(some(all, random));
      return { listed: all.filter((row) => !left.has(row)) };
    },
  },
  "two runs at once": { ...GOOD, runs: 2, show: whole },
} satisfies Record<string, Kind>;

export const PLAIN: Kind = { ...GOOD, show: whole };

export type KindName = keyof typeof KINDS;
export type DayName = KindName | "first run" | "plain" | "mended";

export const kindOf = (name: DayName): Kind => (Object.hasOwn(KINDS, name) ? KINDS[name as KindName] : PLAIN);

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [left[at], left[other]] = [left[other] as T, left[at] as T];
  }
  return left;
}
