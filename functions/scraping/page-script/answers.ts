/// <reference lib="dom" />
import type { Json, Oversize, PageState, Portion } from "./protocol.ts";
import { isFinal } from "./static.ts";

/** Answers of the page script: rows are handed over in answers of limited size. */

/** Characters of one row, of one answer (which has at least one row), and of all rows read together. */
const ROW_MAX = 16 * 1024 * 1024;
const ANSWER_MAX = 1024 * 1024;
const ALL_MAX = 64 * 1024 * 1024;
/** Characters of a language. Longer ones are none. */
const LANGUAGE_MAX = 35;
let rest: (string | null)[][] = [];

const sizeOf = (row: (string | null)[]): number => {
  let size = 0;
  for (const value of row) {
    if (value === null) continue;
    // A form control named "textContent" takes that property's place.
    if (typeof value !== "string") throw new TypeError("the controls of a form hide what it holds");
    size += value.length;
  }
  return size;
};

const oversizeOf = (cells: (string | null)[][]): Oversize | undefined => {
  let total = 0;
  for (let row = 0; row < cells.length; row += 1) {
    const values = cells[row] as (string | null)[];
    const size = sizeOf(values);
    total += size;
    if (size > ROW_MAX) {
      const sizes = values.map((value) => value?.length ?? 0);
      const largest = Math.max(...sizes);
      return { row, field: sizes.indexOf(largest), size: largest };
    }
  }
  return total > ALL_MAX ? { row: cells.length, field: null, size: total } : undefined;
};

/** The rows that fit into one answer. */
const cut = (cells: (string | null)[][]): Portion => {
  let size = 0;
  let count = 0;
  while (count < cells.length) {
    size += sizeOf(cells[count] as (string | null)[]);
    if (count > 0 && size > ANSWER_MAX) break;
    count += 1;
  }
  rest = cells.slice(count);
  return { cells: rest.length > 0 ? cells.slice(0, count) : cells, rest: rest.length };
};

/** As many rows as fit into one answer; `readRest` has the others. */
export function portion(cells: (string | null)[][]): Portion {
  rest = [];
  const oversize = oversizeOf(cells);
  return oversize ? { cells: [], rest: 0, oversize } : cut(cells);
}

export const readRest = (): Json<Portion> => JSON.stringify(cut(rest));

/** An answer about the document that is open. */
export const answer = <T extends object>(said: T): Json<PageState & { url: string } & T> =>
  JSON.stringify({ ...pageState(), url: location.href, ...said });

export const pageState = (): PageState => ({
  isFinal: isFinal(),
  isLoading: document.readyState === "loading",
  isBlank: isBlank(document.body),
  language: (document.body?.lang || document.documentElement?.lang || "").slice(0, LANGUAGE_MAX),
});

const isBlank = (body: HTMLElement | null): boolean =>
  body === null || (body.childElementCount === 0 && !/\S/.test(body.textContent));
