import { createHash } from "node:crypto";
import type { Row } from "../../contract/runs/run.ts";
import type { ListField, StepOf } from "../../contract/steps/steps.ts";
import { REPEATS } from "../limits.ts";

/** Tells whether rows that came one after another come again. */
export class RepeatCheck {
  #count = 0;
  readonly #keys: string[] = [];
  /** The indexes of the rows that were kept, by their values. */
  readonly #indexes = new Map<string, number[]>();
  /** How many telling rows in a row came so many rows before, by that distance. */
  #runs = new Map<number, number>();
  /** After how many rows the values of rows that came at once come again. */
  readonly #periods = new Set<number>();

  /** Returns whether the rows, or the last of them with rows before, came already. */
  add(rows: readonly Row[]): boolean {
    const keys = rows.map((row) => JSON.stringify(row));
    const period = periodOf(keys.slice(0, REPEATS.kept));
    if (period > 0) this.#periods.add(period);
    const isRegular = (distance: number) => this.#periods.values().some((period) => distance % period === 0);
    const distances = keys.map((key) => this.#distanceOf(key));
    return distances.some((distance) => distance > 0 && !isRegular(distance));
  }

  /** How many rows before it the run began that the row belongs to, if that is long enough; otherwise 0. */
  #distanceOf(key: string): number {
    const index = this.#count;
    this.#count += 1;
    const before = this.#indexes.get(key) ?? [];
    const isTelling = before.length <= REPEATS.common;
    const runs = new Map<number, number>();
    for (const [distance, length] of this.#runs)
      if (this.#keys[index - distance] === key) runs.set(distance, length + (isTelling ? 1 : 0));
    if (isTelling) for (const at of before) if (!runs.has(index - at)) runs.set(index - at, 1);
    this.#runs = runs;
    if (index < REPEATS.kept) {
      this.#keys.push(key);
      if (isTelling) this.#indexes.set(key, [...before, index]);
    }
    const distances = [...runs].flatMap(([distance, length]) => (length >= REPEATS.run ? distance : []));
    return distances.length > 0 ? Math.min(...distances) : 0;
  }
}

/** After how many rows the same ones follow, to the end; -1 if that is never so. A single one may do so by chance. */
const periodOf = (keys: readonly string[]): number =>
  keys.findIndex(
    (_, period) =>
      period > 0 &&
      period <= keys.length - REPEATS.shared &&
      keys.every((key, index) => index < period || key === keys[index - period]),
  );

/** Compares pages with the one before. */
export class OverlapCheck {
  #before: readonly string[] = [];
  #rows: readonly Row[] = [];
  /** The most rows of a page so far. A page of fewer rows is mostly the last one. */
  #largest: number;
  /** The names of fields with and without links. */
  readonly #names: readonly [string[], string[]];

  /**
   * @param fields those of the list
   * @param isResumed whether nobody knows how many rows the pages before had
   */
  constructor(fields: StepOf<"get_list">["fields"], isResumed = false) {
    this.#largest = isResumed ? Number.POSITIVE_INFINITY : 0;
    const isLink = ({ attribute }: { attribute?: string | undefined }) => attribute === "href";
    const [links, others] = [fields.filter(isLink), fields.filter((field) => !isLink(field))];
    this.#names = [links.map(({ name }) => name), others.map(({ name }) => name)];
  }

  /** What a page has in common with the one before. */
  add(rows: readonly Row[]) {
    const keys = rows.map((row) => JSON.stringify(row));
    const before = this.#before;
    const leastAlike = rows.length < this.#largest ? 1 : REPEATS.cycle;
    const isAlike = this.#names.every((names) => names.some(haveSame(this.#rows, rows, leastAlike)));
    this.#largest = Math.max(this.#largest, rows.length);
    this.#before = keys;
    const [links] = this.#names;
    const areDistinct = (name: string) => new Set(this.#rows.map((row) => row[name])).size === before.length;
    // No two rows with addresses of their own are equal by chance.
    const least = links.some(areDistinct) ? 1 : REPEATS.shared;
    this.#rows = rows;
    // Among equal rows, anything overlaps.
    const different = new Set(before).size;
    const length = Math.min(before.length, keys.length);
    const isEqual = length > 0 && before.slice(0, length).every((key, index) => key === keys[index]);
    const isKept = isEqual && different >= REPEATS.shared && length < keys.length;
    const start = different < before.length ? -1 : before.indexOf(keys[0] ?? "");
    const shared = before.length - start;
    const isShifted = start > 0 && shared >= least && shared <= keys.length;
    const other = keys.findIndex((key, index) => key !== before[index]);
    return {
      /** How many rows of the page before it begins with, if it has all of them and others after them. */
      kept: isKept ? length : 0,
      /** Whether it begins with the last rows of the page before, so that its control moves by less than a page. */
      isShifted: isShifted && before.slice(start).every((key, index) => key === keys[index]),
      /** Whether only its first rows are those of the page before, such as rows that are pinned. */
      isPinned: start === 0 && !isEqual && other >= least,
      /** Whether it has only rows that the page before begins with. */
      isStart: isEqual && different >= REPEATS.shared && length < before.length,
      /** Whether it has the links and the names of the page before, but other values. */
      isAlike: isAlike && !isEqual,
    };
  }
}

/** Whether most rows of a page, and at least so many, have the value of the row at the same place of the page before, each another one. */
const haveSame = (before: readonly Row[], rows: readonly Row[], least: number) => (name: string) => {
  const same = rows.map((row) => row[name]).filter((value, at) => value && value === before[at]?.[name]);
  return same.length >= least && new Set(same).size > rows.length / 2;
};

/** Copies of a row may have an image that is not loaded yet. */
const IMAGE = /^(?:src|srcset|poster|data-.*)$/;

/**
 * How many rows of a page are the first ones again, in the same order up to the last one. A carousel copies its slides,
 * a page may have its list twice, for narrow and for wide screens, and a copy of a table may have its fixed columns only.
 */
export function copiesIn(rows: readonly Row[], { fields }: Pick<StepOf<"get_list">, "fields">): number {
  const compared = fields.filter(({ attribute = "text" }) => !IMAGE.test(attribute));
  const names = (compared.length > 0 ? compared : fields).map(({ name }) => name);
  const areEqual = (row: Row, other: Row | undefined) => {
    const shared = names.filter((name) => row[name] !== undefined && other?.[name] !== undefined);
    return shared.length > 0 && shared.every((name) => row[name] === other?.[name]);
  };
  const cycle = rows.findIndex((row, index) => index > 0 && areEqual(row, rows[0]));
  const copies = rows.length - cycle;
  if (cycle < REPEATS.cycle || copies < REPEATS.copies) return 0;
  return rows.every((row, index) => areEqual(row, rows[index % cycle])) ? copies : 0;
}
/** What identifies a page of a list. */
export interface SeenPage {
  /** Absent where its address does not lead there. */
  url: string | undefined;
  /** A digest of what tells its rows from others. */
  digest: string;
  /** A digest of all that its rows hold. */
  texts?: string;
}

/**
 * The pages of a list so far. The list goes round when one of them comes again: the same page, or an equal one at
 * another address whose control leads to a page that was seen; the first page mostly has two addresses.
 * @param before the first pages of a list that is resumed
 */
export function createPagesSeen(before: readonly SeenPage[] = []) {
  const first = [...before];
  /** The addresses of pages, by the digest of their rows. */
  const pages = new Map(first.map(({ url, digest }) => [digest, new Set([url])]));
  const addresses = new Set(first.map(({ url }) => url));
  const allTexts = new Set(first.map(({ texts }) => texts));
  let latest: SeenPage | undefined;
  let last = "";
  let inARow = 0;
  return {
    /** The first pages, without the latest. Most lists that go round begin again with these. */
    first: (): SeenPage[] => [...first],
    /** Whether a page with this address, or with these rows, was noted. */
    has: ({ url, digest }: Partial<SeenPage>): boolean =>
      (url !== undefined && addresses.has(url)) || (digest !== undefined && pages.has(digest)),
    /**
     * Notes a page. `seen`: it came before. `similar`: it probably did, but something in its rows that is not read differs.
     * `alike`: another page had the same rows. `target` tells where its control leads.
     */
    async add(
      { url, digest, texts }: SeenPage,
      target: () => Promise<string | null> = async () => null,
    ): Promise<"new" | "alike" | "similar" | "seen"> {
      // Pages of few rows with the same values are no rarity in a long list. One that comes again is the last or a first one.
      const isKnown = allTexts.has(texts) || digest === last || first.some((page) => page.digest === digest);
      const alike = isKnown ? pages.get(digest) : undefined;
      inARow = digest === last ? inARow + 1 : 1;
      last = digest;
      if (alike) {
        if (inARow > REPEATS.pages) return "seen";
        if (url === undefined) return allTexts.has(texts) ? "seen" : "similar";
        if (alike.has(url)) return "seen";
        const next = await target();
        if (next !== null && addresses.has(next)) return "seen";
      }
      pages.set(digest, (pages.get(digest) ?? new Set()).add(url));
      addresses.add(url);
      allTexts.add(texts);
      if (latest && first.length < REPEATS.first) first.push(latest);
      latest = { url, digest, ...(texts !== undefined && { texts }) };
      return alike ? "alike" : "new";
    },
  };
}

/**
 * Returns what takes rows that are equal in all fields of `key` once, over all pages. A row in which all of these are empty
 * counts.
 */
export function uniqueBy(key: readonly string[]): (rows: readonly Row[]) => Row[] {
  const seen = new Set<string>();
  const isNew = (row: Row): boolean => {
    const values = key.map((name) => row[name] || null);
    const identity = JSON.stringify(values);
    const isKnown = seen.has(identity) && values.some((value) => value !== null);
    seen.add(identity);
    return !isKnown;
  };
  return (rows) => rows.filter(isNew);
}

/** A digest of each value of a row, null where it has none, to know the row again without its values. */
export type RowDigests = (string | null)[];

export const digestsOf = (row: Row, fields: readonly ListField[]): RowDigests =>
  fields.map(({ name }) =>
    row[name] ? createHash("sha256").update(JSON.stringify(row[name])).digest("base64").slice(0, 8) : null,
  );

/** Whether a row has at least half of the values of one before: some values change all the time. */
export function isLike(row: RowDigests, before: RowDigests): boolean {
  const same = before.filter((digest, index) => digest && digest === row[index]).length;
  return 2 * same >= before.filter(Boolean).length;
}
