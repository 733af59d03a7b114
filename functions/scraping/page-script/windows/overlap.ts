/// <reference lib="dom" />

import { ALIKE } from "../../limits.ts";
/** Joins the windows of a list: where the end of one is the beginning of the next. Needs no document. */

/** A row that a window shows. */
export interface WindowRow {
  element: Element;
  /** Null where the selector leaves it out. */
  cells: (string | null)[] | null;
  /** What it holds, as one string. */
  key: string;
  /** Its position in the scrolled content, and its height, in pixels. */
  top: number;
  height: number;
  /** Its number in the whole list, if the page states one. */
  number: number | undefined;
}

/** How `overlap` says that rows between the known ones and those of the window were never shown. */
export const GAP = -1;

/**
 * How many rows of a window are known: they are its first ones.
 * @param known the last rows that were read, without gaps
 * @param view the height of what is in view, in pixels
 */
export function overlap(known: readonly WindowRow[], now: readonly WindowRow[], view: number): number {
  if (known.length === 0 || now.length === 0) return 0;
  return overlapByNumber(known, now, view) ?? overlapByContent(known, now, view);
}

/** The same by the numbers that the page gives; undefined where there are none, or where they contradict the rows. */
function overlapByNumber(
  known: readonly WindowRow[],
  now: readonly WindowRow[],
  view: number,
): number | undefined {
  const last = known.at(-1)?.number;
  const start = now[0]?.number;
  if (last === undefined || start === undefined) return undefined;
  const byNumber = new Map(known.map((row) => [row.number, row]));
  const pairs = now.flatMap((row) => {
    const same = byNumber.get(row.number);
    return same ? { same, row } : [];
  });
  const equal = pairs.filter(({ same, row }) => same.key === row.key).length;
  const shift = median(pairs.map(({ same, row }) => Math.abs(same.top - row.top)));
  // Some pages number the rows of each window from the start. Others move their rows instead of scrolling.
  const isMoved = shift > view / 2 && equal < pairs.length;
  if (pairs.length > 0 && (equal < pairs.length / 2 || isMoved)) return undefined;
  const count = now.filter(({ number = 0 }) => number <= last).length;
  return count === 0 && start > last + 1 ? GAP : count;
}

/** One way to lay a window over the known rows: its first row is the one with the index `from`. */
interface Fit {
  from: number;
  size: number;
  /** How far the rows have moved, in pixels. */
  shift: number;
  /** The share of rows that have the same content, and the same element. */
  equal: number;
  same: number;
}

function overlapByContent(known: readonly WindowRow[], now: readonly WindowRow[], view: number): number {
  const fits = known
    .map((_, from) => fitAt(known, now, from))
    // One equal row may be another one.
    .filter(({ equal, size, shift }) => equal === 1 && (size > 2 || shift < view));
  const best = fits.length > 1 ? likeliest(fits, now) : (fits[0] ?? changedFit(known, now));
  return best?.size ?? GAP;
}

function fitAt(known: readonly WindowRow[], now: readonly WindowRow[], from: number): Fit {
  const size = Math.min(now.length, known.length - from);
  const shifts: number[] = [];
  let [equal, same] = [0, 0];
  for (let index = 0; index < size; index += 1) {
    const [before, row] = [known[from + index] as WindowRow, now[index] as WindowRow];
    if (before.key === row.key) equal += 1;
    if (before.element === row.element) same += 1;
    shifts.push(Math.abs(before.top - row.top));
  }
  return { from, size, shift: median(shifts), equal: equal / size, same: same / size };
}

/** Equal rows fit in more than one way: then their positions decide, and their elements where positions are estimates. */
function likeliest(fits: readonly Fit[], now: readonly WindowRow[]): Fit | undefined {
  const nearest = fits.reduce((best, fit) => (fit.shift < best.shift ? fit : best));
  if (nearest.shift <= 0.3 * median(now.map(({ height }) => height))) return nearest;
  const kept = fits.reduce((best, fit) => (fit.same > best.same ? fit : best));
  return kept.same > 0.5 ? kept : nearest;
}

/** Where rows have changed since they were read, most of them and their positions still agree. */
function changedFit(known: readonly WindowRow[], now: readonly WindowRow[]): Fit | undefined {
  const near = 0.3 * median(now.map(({ height }) => height));
  const fits = known
    .map((_, from) => fitAt(known, now, from))
    .filter(({ equal, size, shift }) => size > 2 && equal >= ALIKE && shift <= near);
  return fits.sort((a, b) => b.equal - a.equal)[0];
}

const median = (values: readonly number[]): number =>
  values.length === 0 ? 0 : (values.toSorted((a, b) => a - b)[values.length >> 1] as number);
