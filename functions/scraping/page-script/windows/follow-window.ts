/// <reference lib="dom" />

import { ALIKE, WINDOW } from "../../limits.ts";
import { settle } from "../host.ts";
import { contentOf, numbersOf, remember } from "../lists/row-identity.ts";
import { isBlank, listRows, readRows, wantTexts } from "../lists/rows.ts";
import type { FieldRequest, ScrollRequest } from "../protocol.ts";
import { clipOf, type Scroller, sidewaysScrollerOf, wheelOn } from "../scroller.ts";
import {
  absentFields,
  commonMembers,
  isHidden,
  leastSpace,
  type Members,
  membersOf,
  type ShownRow,
  shownRows,
  signature,
  spaceBeyond,
  withoutStrays,
} from "./windowed.ts";

/*
 * Follows a list of which only a window exists: scrolls by less than its rows cover, and joins what it shows to what it
 * showed before.
 */

/** The rows that a list shows, and what its selector leaves out between them. */
function rowsShown(request: ScrollRequest, list: ListWindow): readonly ShownRow[] {
  const rows = listRows(request);
  list.members ??= commonMembers(rows);
  return withoutStrays(shownRows(membersOf(rows, list.members), list.scroller), list.scroller);
}

/** Reads rows, and the columns that are out of view. */
export async function readWindow(
  request: ScrollRequest,
  list: ListWindow,
  shown: readonly ShownRow[],
): Promise<WindowRow[]> {
  const rowsAmong = (members: readonly ShownRow[]) => {
    const rows = new Set(listRows(request));
    return members.flatMap(({ element }) => (rows.has(element) ? element : []));
  };
  const rows = rowsAmong(shown);
  const cells = readRows(rows, request.fields);
  const numbers = numbersOf(shown.map(({ element }) => element));
  const look = () => rowsAmong(filled(rowsShown(request, list), request, list));
  if (!list.scroller.isSideways) await fillColumns(list, look, request.fields, cells);
  const cellsOf = new Map(rows.map((row, index) => [row, cells[index] ?? []]));
  return shown.map(({ element, start, size }, index) => {
    const values = cellsOf.get(element) ?? null;
    const key = JSON.stringify(values ?? element.textContent);
    return { element, cells: values, key, start: start + list.shift, size, number: numbers[index] };
  });
}

/** The first window of a list, from its top; `whole` where all of the list turns out to exist. */
export async function beginWindow(
  request: ScrollRequest,
  scroller: Scroller,
): Promise<{ list: ListWindow; rows: WindowRow[] } | "whole"> {
  const list = createWindow(scroller);
  const before = signature(rowsShown(request, list));
  list.isNudged = scroller.position === 0;
  scroller.scrollTo(0);
  const rows = await rowsAtRest(request, list);
  list.hasGap = isEmptyAbove(rows, scroller);
  const read = await readWindow(request, list, filled(rows, request, list));
  const top = signature(rowsShown(request, list));
  list.known = read;
  list.from = scroller.position;
  list.furthest = scroller.position;
  await scrollOn(list, filled(rows, request, list));
  list.isScrolled = true;
  await settle({ scrolled: true });
  const isWindow =
    before !== top || (list.columns?.length ?? 0) > 0 || signature(rowsShown(request, list)) !== top;
  return isWindow ? { list, rows: read } : "whole";
}

/** The next members of a list; `none` at its end. */
export async function nextWindow(request: ScrollRequest, list: ListWindow): Promise<WindowRow[] | "none"> {
  const { scroller } = list;
  for (;;) {
    const shown = rowsShown(request, list);
    const before = filled(shown, request, list);
    const textsBefore = withTexts(list.isWheeled ? before : []);
    // Before a list turned out to recycle its rows, those below the view were read, too.
    const last = (list.known.at(-1)?.start ?? Number.POSITIVE_INFINITY) - list.shift;
    const end = shown.findIndex(({ start }) => start > last - 1) + 1;
    if (!list.isScrolled) await scrollOn(list, end > 0 ? shown.slice(0, end) : before);
    list.isScrolled = true;
    const rows = filled(await rowsAtRest(request, list), request, list);
    // The page may scroll it back to its top, such as with new data.
    if (scroller.position < list.from - scroller.view && list.retries < WINDOW.retries) {
      list.retries += 1;
      scroller.scrollTo(list.from);
      continue;
    }
    if (list.isWheeled) list.shift += movedBy(textsBefore, withTexts(rows));
    const read = await readWindow(request, list, rows);
    const { count, isSure, shift } = overlap(list.known, read, scroller.view, list.isEstimate);
    if (!isSure && list.retries < WINDOW.retries && Math.abs(scroller.position - list.from) > 1) {
      list.retries += 1;
      scroller.scrollTo((list.from + scroller.position) / 2);
      continue;
    }
    list.hasGap ||= !isSure;
    list.isEstimate ||= isSure && shift > WINDOW.stands;
    const fresh = read.slice(Math.max(0, count));
    join(list, read, fresh);
    if (fresh.length > 0) return fresh;
    if (list.stops >= WINDOW.stops) return "none";
  }
}

const withTexts = (rows: readonly ShownRow[]) =>
  rows.map(({ element, start }) => ({ element, start, text: element.textContent }));

/** How far a script has moved the rows that still say the same, in pixels. */
function movedBy(before: ReturnType<typeof withTexts>, after: ReturnType<typeof withTexts>): number {
  const now = new Map(after.map(({ element, text, start }) => [text, { element, start }]));
  const areDrawnAnew = !before.some(({ element }) => element.isConnected);
  const kept = before.findLast(({ element, text }) =>
    areDrawnAnew ? now.has(text) : now.get(text)?.element === element,
  );
  return kept ? kept.start - (now.get(kept.text)?.start ?? kept.start) : 0;
}

/** Scrolls back to the top, and notes what the list shows there: what another page of it has to differ from. */
export async function rewindWindow(request: ScrollRequest, list: ListWindow): Promise<void> {
  list.scroller.scrollTo(0);
  await settle({ scrolled: true });
  const rows = listRows(request);
  remember(request, rows).content = contentOf(rows, request.fields);
}

function join(list: ListWindow, read: WindowRow[], fresh: WindowRow[]): void {
  const { scroller, known } = list;
  const before = known.slice(0, Math.max(0, known.length - (read.length - fresh.length)));
  const most = Math.max(WINDOW.known, 2 * read.length);
  // Those that are still shown may have moved.
  if (fresh.length > 0) list.known = [...before, ...read].slice(-most);
  const position = scroller.position + list.shift;
  list.stops = fresh.length > 0 || position > list.furthest + 1 ? 0 : list.stops + 1;
  list.furthest = Math.max(list.furthest, position);
  list.from = scroller.position;
  list.retries = 0;
  list.isScrolled = false;
  list.isNudged = false;
}

/** Scrolls so far that some of the last row stays in view; where rows end, to the end. */
async function scrollOn(
  { scroller, stops, columns, isWheeled }: ListWindow,
  shown: readonly ShownRow[],
): Promise<void> {
  const { view } = scroller;
  const last = shown.at(-1);
  if (isWheeled && last) return wheelOn(last.element);
  const isWhole = last && spaceBeyond(last.element, scroller, "after") <= leastSpace(shown);
  // What follows the last row may be a heading, which the selector leaves out.
  const isNearEnd = scroller.length - scroller.position <= WINDOW.nearEnd * view;
  // Some pages only notice a scroll that comes from above, and some only if it is drawn.
  if (stops > 0) {
    scroller.scrollTo(scroller.position - view / 2);
    // A list that draws its columns anew would show them in another way than before.
    if ((columns?.length ?? 0) === 0) await settle({ scrolled: true });
  }
  if (isWhole && isNearEnd) {
    scroller.showEnd();
    return;
  }
  const end = last ? last.start + last.size : 0;
  const kept = Math.min(view / 2, Math.max(WINDOW.kept * view, last?.size ?? 0));
  const most = scroller.position + (1 - WINDOW.kept) * view;
  scroller.scrollTo(end - kept > scroller.position + 1 ? end - kept : most);
}

/** What a list shows once it has reacted to a scroll. */
async function rowsAtRest(request: ScrollRequest, list: ListWindow): Promise<readonly ShownRow[]> {
  await settle({ scrolled: true });
  const rows = rowsShown(request, list);
  if (list.isNudged || list.isWheeled || !lacksRows(rows, list)) return rows;
  list.isNudged = true;
  await nudge(list.scroller);
  return rowsShown(request, list);
}

/** Scrolls a little and back: a list may have taken no notice of a scroll so soon after another one. */
async function nudge(scroller: Scroller): Promise<void> {
  const { position } = scroller;
  scroller.scrollTo(position > 0 ? position - 1 : 1);
  await settle({ scrolled: true });
  scroller.scrollTo(position);
  await settle({ scrolled: true });
}

export type ListWindow = ReturnType<typeof createWindow>;

/** A list of which only a window exists, and what its rows lack. */
export const createWindow = (scroller: Scroller) => ({
  scroller,
  members: undefined as Members | undefined,
  /** The last rows that were read. */
  known: [] as WindowRow[],
  /** Whether it was scrolled since a window was read. */
  isScrolled: false,
  /** Whether it was scrolled there once more, because rows did not come. */
  isNudged: false,
  /** The scroll position of the last window that was read, and the furthest one, with how far the wheel has moved the list. */
  from: scroller.position,
  furthest: scroller.position,
  /** How often in a row scrolling changed nothing. */
  stops: 0,
  /** How often in a row the scrolling was too far. */
  retries: 0,
  /** Whether its rows have stood elsewhere before: it only estimates their positions. */
  isEstimate: false,
  /** Whether rows between those that were read may never have been shown. */
  hasGap: false,
  /** Whether a script moves it by the wheel, and how far that has moved it, in pixels. */
  isWheeled: false,
  shift: 0,
  /** Scroll positions that show columns which no other one shows; undefined: not searched yet. */
  columns: undefined as number[] | undefined,
});

/** Rows that a script is about to fill in. */
const LOADING = "[aria-busy=true],[class*=loading i],[class*=skeleton i],[class*=shimmer i]";

/** Whether nothing is drawn where rows have to be: the page shows those of another position. */
function isEmptyAbove(rows: readonly ShownRow[], scroller: Scroller): boolean {
  const [first] = rows;
  const isBelow = first && first.start >= scroller.position + scroller.view;
  return isBelow === true && spaceBeyond(first.element, scroller, "before") > leastSpace(rows);
}

/** Whether nothing is drawn in a part of the view where rows have to be. */
function lacksRows(rows: readonly ShownRow[], { scroller }: ListWindow): boolean {
  const end = scroller.position + scroller.view;
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return true;
  const least = leastSpace(rows);
  const isShort = last.start + last.size < end - 2;
  if (isShort && spaceBeyond(last.element, scroller, "after") > least) return true;
  // The rows of the position before stay until the page draws others.
  return first.start > scroller.position + 2 && spaceBeyond(first.element, scroller, "before") > least;
}

/**
 * Rows that can be read: none beyond the last one in view, which may have no content yet, or still that of another row. Those
 * before the view may have no content any more.
 */
export function filled(
  rows: readonly ShownRow[],
  { fields }: ScrollRequest,
  { scroller, isWheeled }: ListWindow,
): ShownRow[] {
  const view = scroller.viewOf(isWheeled ? clipOf(rows[0]?.element) : null);
  const isUnfilled = ({ element }: ShownRow) =>
    (wantTexts(fields) && isBlank(element)) || element.matches(LOADING);
  const isInView = (row: ShownRow) => row.start < view.end && row.start + row.size > view.start;
  const visible = rows.filter(({ element }) => !isHidden(element));
  const first = visible.findIndex(isInView);
  let from = Math.max(0, first);
  while (from > 0 && !isUnfilled(visible[from - 1] as ShownRow)) from -= 1;
  if (first >= 0) return visible.slice(from, visible.findLastIndex(isInView) + 1);
  const end = visible.findIndex(isUnfilled);
  return end < 0 ? visible : visible.slice(0, end);
}

/**
 * Fills in the values of fields that no row has where it stands: some columns are in the document only while they are in
 * view.
 * @param look the rows, in order
 */
async function fillColumns(
  list: ListWindow,
  look: () => Element[],
  fields: readonly FieldRequest[],
  cells: (string | null)[][],
): Promise<void> {
  const absent = () => absentFields(fields, cells);
  const isNeeded = absent().length > 0 && list.columns?.length !== 0;
  const scroller = isNeeded ? sidewaysScrollerOf(look()[0]) : undefined;
  if (!scroller) return;
  const fill = () => {
    const rows = look();
    if (rows.length !== cells.length) return;
    const missing = absent();
    const values = readRows(
      rows,
      missing.map((index) => fields[index] as FieldRequest),
    );
    for (const [row, ofRow] of values.entries())
      for (const [at, index] of missing.entries())
        (cells[row] as (string | null)[])[index] ??= ofRow[at] ?? null;
  };
  const start = scroller.scrollLeft;
  const useful: number[] = [];
  for (const left of list.columns ?? leftsOf(scroller)) {
    const before = absent().length;
    if (before === 0) break;
    await scrollSideways(scroller, left);
    fill();
    const isUseful = absent().length < before;
    if (isUseful) useful.push(left);
    if (isUseful || !list.columns) continue;
    // The list has not noticed the scroll.
    await scrollSideways(scroller, left === 0 ? signOf(scroller) : left - Math.sign(left));
    fill();
  }
  list.columns ??= useful;
  await scrollSideways(scroller, start);
  if (absent().length > 0) fill();
}

/** Where a box is written from right to left, its positions are negative. */
const signOf = (scroller: Element): number => (getComputedStyle(scroller).direction === "rtl" ? -1 : 1);

function leftsOf(scroller: Element): number[] {
  const { scrollWidth, clientWidth } = scroller;
  const count = Math.ceil((scrollWidth - clientWidth) / (WINDOW.columns * clientWidth));
  const sign = signOf(scroller);
  return Array.from(
    { length: count + 1 },
    (_, index) => sign * Math.min(index * WINDOW.columns * clientWidth, scrollWidth - clientWidth),
  );
}

async function scrollSideways(scroller: Element, left: number): Promise<void> {
  if (scroller.scrollLeft === left) return;
  scroller.scrollTo({ left, behavior: "instant" });
  await settle({ scrolled: true });
}

/* Joins the windows of a list: where the end of one is the beginning of the next. Needs no document. */

/** A row that a window shows. */
export interface WindowRow {
  element: Element;
  /** Null where the selector leaves it out. */
  cells: (string | null)[] | null;
  /** What it holds, as one string. */
  key: string;
  /** Its position in the scrolled content, and its length, in pixels. */
  start: number;
  size: number;
  /** Its number in the whole list, if the page states one. */
  number: number | undefined;
}

/** How a window continues the known rows. */
interface Overlap {
  /** How many of its rows are known: they are its first ones. */
  count: number;
  /** Whether nothing else is possible: else rows may have been left out, or be known already. */
  isSure: boolean;
  /** How far the known ones have moved, in pixels. */
  shift: number;
}

const sure = (count: number, shift = 0): Overlap => ({ count, isSure: true, shift });
/** Rows between the known ones and those of the window were never shown. */
const GAP: Overlap = { count: 0, isSure: false, shift: 0 };

/**
 * @param known the last rows that were read, without gaps
 * @param view the length of what is in view, in pixels
 * @param isEstimate whether the positions of rows are estimates
 */
export function overlap(
  known: readonly WindowRow[],
  now: readonly WindowRow[],
  view: number,
  isEstimate = false,
): Overlap {
  if (known.length === 0 || now.length === 0) return sure(0);
  return overlapByNumber(known, now, view) ?? overlapByContent(known, now, view, isEstimate);
}

/** The same by the numbers that the page gives; undefined where there are none, or where they contradict the rows. */
function overlapByNumber(
  known: readonly WindowRow[],
  now: readonly WindowRow[],
  view: number,
): Overlap | undefined {
  const last = known.at(-1)?.number;
  const first = now[0]?.number;
  if (last === undefined || first === undefined) return undefined;
  const byNumber = new Map(known.map((row) => [row.number, row]));
  const pairs = now.flatMap((row) => {
    const same = byNumber.get(row.number);
    return same ? { same, row } : [];
  });
  const equal = pairs.filter(({ same, row }) => same.key === row.key).length;
  const shift = median(pairs.map(({ same, row }) => Math.abs(same.start - row.start)));
  // Some pages number the rows of each window from the start. Others move their rows instead of scrolling.
  const isMoved = shift > view / 2 && equal < pairs.length;
  if (pairs.length > 0 && (equal < pairs.length / 2 || isMoved)) return undefined;
  const count = now.filter(({ number = 0 }) => number <= last).length;
  return count === 0 && first > last + 1 ? GAP : sure(count);
}

type Fit = ReturnType<typeof fitAt>;

function overlapByContent(
  known: readonly WindowRow[],
  now: readonly WindowRow[],
  view: number,
  isEstimate: boolean,
): Overlap {
  const repeats = new Set(known.map(({ key }) => key)).size < known.length;
  const fits = known
    .map((_, from) => fitAt(known, now, from))
    // Rows that have moved by more than what is in view may be other ones, that a list repeats. A single one may always be.
    .filter(({ equal, size, shift }) => equal === 1 && (shift < view || (size > 2 && !repeats)));
  const isTelling = (fit: Fit) => chanceOf(fit, known) < WINDOW.chance;
  const inPlace = isEstimate ? undefined : fits.find(({ shift }) => shift <= WINDOW.stands);
  if (inPlace && isTelling(inPlace)) return sure(inPlace.size, inPlace.shift);
  const [telling, other] = fits.filter(isTelling);
  // Values that come again in the same order agree where the rows do not stand, too.
  if (telling && !other) return inPlace ? { ...GAP, count: inPlace.size } : sure(telling.size, telling.shift);
  const nearest = fits.toSorted((a, b) => a.shift - b.shift)[0] ?? changedFit(known, now);
  if (!nearest) return GAP;
  // Where all rows stand where they stood, the list has not moved.
  const isAtPlace = nearest.shift <= WINDOW.stands && (!isEstimate || nearest.size === now.length);
  if (isAtPlace || nearest.equal < 1) return sure(nearest.size, nearest.shift);
  return { count: likeliest(fits, nearest, now).size, isSure: false, shift: 0 };
}

/** One way to lay a window over the known rows: its first row is the one with the index `from`. */
function fitAt(known: readonly WindowRow[], now: readonly WindowRow[], from: number) {
  const size = Math.min(now.length, known.length - from);
  const shifts: number[] = [];
  let [equal, same] = [0, 0];
  for (let index = 0; index < size; index += 1) {
    const [before, row] = [known[from + index] as WindowRow, now[index] as WindowRow];
    if (before.key === row.key) equal += 1;
    if (before.element === row.element) same += 1;
    shifts.push(Math.abs(before.start - row.start));
  }
  return {
    from,
    size,
    /** How far the rows have moved, in pixels. */
    shift: median(shifts),
    /** The share of rows that have the same content, and the same element. */
    equal: equal / size,
    same: same / size,
  };
}

/** Equal rows fit in more than one way: then their positions decide, and their elements where positions are estimates. */
function likeliest(fits: readonly Fit[], nearest: Fit, now: readonly WindowRow[]): Fit {
  if (nearest.shift <= 0.3 * median(now.map(({ size }) => size))) return nearest;
  const kept = fits.reduce((best, fit) => (fit.same > best.same ? fit : best));
  return kept.same > 0.5 ? kept : nearest;
}

/**
 * How likely it is that rows agree by chance, from 0 to 1: each one by how many are like it, in a list that repeats its rows
 * as much as this one (after Good and Turing).
 */
function chanceOf({ from, size }: Fit, known: readonly WindowRow[]): number {
  const counts = Map.groupBy(known, ({ key }) => key);
  const repeated = known.filter(({ key }) => (counts.get(key)?.length ?? 0) > 1).length / known.length;
  const chanceOfRow = ({ key }: WindowRow) => ((counts.get(key)?.length ?? 0) / known.length) * repeated;
  return known.slice(from, from + size).reduce((chance, row) => chance * chanceOfRow(row), 1);
}

/** Where rows have changed since they were read, most of them and their positions still agree. */
function changedFit(known: readonly WindowRow[], now: readonly WindowRow[]): Fit | undefined {
  const near = 0.3 * median(now.map(({ size }) => size));
  const fits = known
    .map((_, from) => fitAt(known, now, from))
    .filter(({ equal, size, shift }) => size > 2 && equal >= ALIKE && shift <= near);
  return fits.sort((a, b) => b.equal - a.equal)[0];
}

const median = (values: readonly number[]): number =>
  values.length === 0 ? 0 : (values.toSorted((a, b) => a - b)[values.length >> 1] as number);
