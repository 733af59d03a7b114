/// <reference lib="dom" />
import { ANSWERS } from "../limits.ts";
import type { Json, Oversize, PageState, Portion } from "./protocol.ts";
import { isFinal } from "./static.ts";

/** Answers of the page script: rows are handed over in answers of limited size. */

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

/** The rows that fit into one answer. */
const cut = (cells: (string | null)[][]): Portion => {
  let [size, count] = [0, 0];
  while (count < cells.length) {
    size += sizeOf(cells[count] as (string | null)[]);
    if (count > 0 && size > ANSWERS.answer) break;
    count += 1;
  }
  rest = cells.slice(count);
  return { cells: rest.length > 0 ? cells.slice(0, count) : cells, rest: rest.length };
};

/** As many rows as fit into one answer; `readRest` has the others. */
export function portion(cells: (string | null)[][]): Portion {
  rest = [];
  const sizes = cells.map(sizeOf);
  const tooLarge = (oversize: Oversize): Portion => ({ cells: [], rest: 0, oversize });
  const row = sizes.findIndex((size) => size > ANSWERS.row);
  if (row >= 0) {
    const lengths = (cells[row] as (string | null)[]).map((value) => value?.length ?? 0);
    const size = Math.max(...lengths);
    return tooLarge({ row, field: lengths.indexOf(size), size });
  }
  const size = sizes.reduce((sum, one) => sum + one, 0);
  return size > ANSWERS.all ? tooLarge({ row: cells.length, field: null, size }) : cut(cells);
}

export const readRest = (): Json<Portion> => JSON.stringify(cut(rest));

/** An answer about the document that is open. */
export const answer = <T extends object>(said: T): Json<PageState & { url: string } & T> =>
  JSON.stringify({ ...pageState(), url: location.href, ...said });

export const pageState = (): PageState => ({
  isFinal: isFinal(),
  isLoading: document.readyState === "loading",
  isBlank: isBlank(document.body),
  language: (document.body?.lang || document.documentElement?.lang || "").slice(0, ANSWERS.language),
});

const isBlank = (body: HTMLElement | null): boolean =>
  body === null || (body.childElementCount === 0 && !/\S/.test(body.textContent));
