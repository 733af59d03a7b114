/// <reference lib="dom" />

import { WINDOW } from "../../limits.ts";
import { settle } from "../host.ts";
import { contentOf, numbersOf, remember } from "../lists/row-identity.ts";
import { isBlank, listRows, readRows, wantTexts } from "../lists/rows.ts";
import type { FieldRequest, ScrollRequest } from "../protocol.ts";
import { scrollTo, sidewaysScrollerOf, viewHeight, wheelOn } from "../scroller.ts";
import { GAP, overlap, type WindowRow } from "./overlap.ts";
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
} from "./windowed.ts";

/*
 * Follows a list of which only a window exists: scrolls by less than its rows cover, and joins what it shows to what it
 * showed before.
 */

/** The rows that a list shows, and what its selector leaves out between them. */
function rowsShown(request: ScrollRequest, list: ListWindow): ShownRow[] {
  const rows = listRows(request);
  list.members ??= commonMembers(rows);
  return shownRows(membersOf(rows, list.members), list.scroller);
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
  const look = async () => rowsAmong(rowsShown(request, list));
  await fillColumns(list.columns, look, request.fields, cells);
  const cellsOf = new Map(rows.map((row, index) => [row, cells[index] ?? []]));
  return shown.map(({ element, top, height }, index) => {
    const values = cellsOf.get(element) ?? null;
    const key = JSON.stringify(values ?? element.textContent);
    return { element, cells: values, key, top: top + list.shift, height, number: numbers[index] };
  });
}

interface Begun {
  list: ListWindow;
  rows: WindowRow[];
}

/** The first window of a list, from its top; `whole` where all of the list turns out to exist. */
export async function beginWindow(request: ScrollRequest, scroller: Element): Promise<Begun | "whole"> {
  const list = createWindow(scroller, []);
  const before = signature(rowsShown(request, list));
  list.isNudged = scroller.scrollTop === 0;
  scrollTo(scroller, 0);
  const rows = await rowsAtRest(request, list);
  list.hasGap = isEmptyAbove(rows, scroller);
  const read = await readWindow(request, list, filled(rows, request, list));
  const top = signature(rowsShown(request, list));
  list.known = read;
  list.from = scroller.scrollTop;
  list.furthest = scroller.scrollTop;
  await scrollOn(list, rows);
  list.isScrolled = true;
  await settle({ scrolled: true });
  const isWindow =
    before !== top || (list.columns.positions?.size ?? 0) > 0 || signature(rowsShown(request, list)) !== top;
  return isWindow ? { list, rows: read } : "whole";
}

/** The next members of a list; `none` at its end. */
export async function nextWindow(request: ScrollRequest, list: ListWindow): Promise<WindowRow[] | "none"> {
  const { scroller } = list;
  for (;;) {
    const before = withTexts(list.isWheeled ? rowsShown(request, list) : []);
    if (!list.isScrolled) await scrollOn(list, rowsShown(request, list));
    list.isScrolled = true;
    const rows = await rowsAtRest(request, list);
    if (list.isWheeled) list.shift += movedBy(before, withTexts(rows));
    const read = await readWindow(request, list, filled(rows, request, list));
    const count = overlap(list.known, read, viewHeight(scroller));
    if (count === GAP && list.retries < WINDOW.retries && Math.abs(scroller.scrollTop - list.from) > 1) {
      list.retries += 1;
      scrollTo(scroller, (list.from + scroller.scrollTop) / 2);
      continue;
    }
    list.hasGap ||= count === GAP;
    const fresh = read.slice(Math.max(0, count));
    join(list, read, fresh);
    if (fresh.length > 0) return fresh;
    if (list.stops >= WINDOW.stops) return "none";
  }
}

const withTexts = (rows: readonly ShownRow[]) =>
  rows.map(({ element, top }) => ({ element, top, text: element.textContent }));

/** How far a script has moved the rows that still say the same, in pixels. */
function movedBy(before: ReturnType<typeof withTexts>, after: ReturnType<typeof withTexts>): number {
  const tops = new Map(after.map(({ element, text, top }) => [text, { element, top }]));
  const kept = before.findLast(({ element, text }) => tops.get(text)?.element === element);
  return kept ? kept.top - (tops.get(kept.text)?.top ?? kept.top) : 0;
}

/** Scrolls back to the top, and notes what the list shows there: what another page of it has to differ from. */
export async function rewindWindow(request: ScrollRequest, list: ListWindow): Promise<void> {
  scrollTo(list.scroller, 0);
  await settle({ scrolled: true });
  const rows = listRows(request);
  remember(request.selector, rows).content = contentOf(rows, request.fields);
}

function join(list: ListWindow, read: WindowRow[], fresh: WindowRow[]): void {
  const { scroller, known } = list;
  const before = known.slice(0, Math.max(0, known.length - (read.length - fresh.length)));
  const most = Math.max(WINDOW.known, 2 * read.length);
  // Those that are still shown may have moved.
  if (fresh.length > 0) list.known = [...before, ...read].slice(-most);
  const isFurther = scroller.scrollTop > list.furthest + 1;
  list.stops = fresh.length > 0 || isFurther ? 0 : list.stops + 1;
  list.furthest = Math.max(list.furthest, scroller.scrollTop);
  list.from = scroller.scrollTop;
  list.retries = 0;
  list.isScrolled = false;
  list.isNudged = false;
}

/** Scrolls so far that some of the last row stays in view; where rows end, to the end. */
async function scrollOn(
  { scroller, stops, columns, isWheeled }: ListWindow,
  shown: readonly ShownRow[],
): Promise<void> {
  const view = viewHeight(scroller);
  const last = shown.at(-1);
  if (isWheeled && last) return wheelOn(last.element);
  const isWhole = last && spaceBeyond(last.element, scroller, "below") <= leastSpace(shown);
  // What follows the last row may be a heading, which the selector leaves out.
  const isNearEnd = scroller.scrollHeight - scroller.scrollTop <= WINDOW.nearEnd * view;
  // Some pages only notice a scroll that comes from above, and some only if it is drawn.
  if (stops > 0) {
    scrollTo(scroller, scroller.scrollTop - view / 2);
    // A list that draws its columns anew would show them in another way than before.
    if ((columns.positions?.size ?? 0) === 0) await settle({ scrolled: true });
  }
  if (isWhole && isNearEnd) {
    scrollTo(scroller, scroller.scrollHeight);
    return;
  }
  const bottom = last ? last.top + last.height : 0;
  const kept = Math.min(view / 2, Math.max(WINDOW.kept * view, last?.height ?? 0));
  const most = scroller.scrollTop + (1 - WINDOW.kept) * view;
  scrollTo(scroller, bottom - kept > scroller.scrollTop + 1 ? bottom - kept : most);
}

/** What a list shows once it has reacted to a scroll. */
async function rowsAtRest(request: ScrollRequest, list: ListWindow): Promise<ShownRow[]> {
  await settle({ scrolled: true });
  const rows = rowsShown(request, list);
  if (list.isNudged || list.isWheeled || !lacksRows(rows, list)) return rows;
  list.isNudged = true;
  await nudge(list.scroller);
  return rowsShown(request, list);
}

/** Scrolls a little and back: a list may have taken no notice of a scroll so soon after another one. */
async function nudge(scroller: Element): Promise<void> {
  const top = scroller.scrollTop;
  scrollTo(scroller, top > 0 ? top - 1 : 1);
  await settle({ scrolled: true });
  scrollTo(scroller, top);
  await settle({ scrolled: true });
}

/** A list of which only a window exists, and what its rows lack. */
export interface ListWindow {
  scroller: Element;
  members: Members | undefined;
  /** The last rows that were read. */
  known: WindowRow[];
  /** Whether it was scrolled since a window was read. */
  isScrolled: boolean;
  /** Whether it was scrolled there once more, because rows did not come. */
  isNudged: boolean;
  /** The scroll position of the last window that was read, and the furthest one. */
  from: number;
  furthest: number;
  /** How often in a row scrolling changed nothing. */
  stops: number;
  /** How often in a row the scrolling was too far. */
  retries: number;
  /** Whether rows between those that were read may never have been shown. */
  hasGap: boolean;
  /** Whether a script moves it by the wheel, and how far that has moved it, in pixels. */
  isWheeled: boolean;
  shift: number;
  columns: Columns;
}

/** Rows that a script is about to fill in. */
const LOADING = "[aria-busy=true],[class*=loading i],[class*=skeleton i],[class*=shimmer i]";
export const createWindow = (scroller: Element, known: WindowRow[]): ListWindow => ({
  scroller,
  members: undefined,
  known,
  isScrolled: false,
  isNudged: false,
  from: scroller.scrollTop,
  furthest: scroller.scrollTop,
  stops: 0,
  retries: 0,
  hasGap: false,
  isWheeled: false,
  shift: 0,
  columns: { positions: undefined },
});

/** Whether nothing is drawn where rows have to be: the page shows those of another position. */
function isEmptyAbove(rows: readonly ShownRow[], scroller: Element): boolean {
  const [first] = rows;
  const isBelow = first && first.top >= scroller.scrollTop + viewHeight(scroller);
  return isBelow === true && spaceBeyond(first.element, scroller, "above") > leastSpace(rows);
}

/** Whether nothing is drawn in a part of the view where rows have to be. */
function lacksRows(rows: readonly ShownRow[], { scroller }: ListWindow): boolean {
  const bottom = scroller.scrollTop + viewHeight(scroller);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return true;
  const least = leastSpace(rows);
  const isShort = last.top + last.height < bottom - 2;
  if (isShort && spaceBeyond(last.element, scroller, "below") > least) return true;
  // The rows of the position before stay until the page draws others.
  return first.top > scroller.scrollTop + 2 && spaceBeyond(first.element, scroller, "above") > least;
}

/** Rows that can be read: those beyond the view may have no content yet, and those before it none any more. */
export function filled(
  rows: readonly ShownRow[],
  { fields }: ScrollRequest,
  { scroller }: ListWindow,
): ShownRow[] {
  const bottom = scroller.scrollTop + viewHeight(scroller);
  const isUnfilled = ({ element }: ShownRow) =>
    (wantTexts(fields) && isBlank(element)) || element.matches(LOADING);
  const isInView = (row: ShownRow) => row.top < bottom && row.top + row.height > scroller.scrollTop;
  const visible = rows.filter(({ element }) => !isHidden(element));
  const isReadable = (row: ShownRow) => isInView(row) || !isUnfilled(row);
  const first = visible.findIndex(isInView);
  let from = Math.max(0, first);
  while (from > 0 && isReadable(visible[from - 1] as ShownRow)) from -= 1;
  let to = from;
  while (to < visible.length && isReadable(visible[to] as ShownRow)) to += 1;
  return visible.slice(from, to);
}

/** Columns that are in the document only while they are in view: read by scrolling sideways. */

/** The fields of a list that each scroll position shows, by their indexes; undefined: not searched yet. */
interface Columns {
  positions: Map<number, number[]> | undefined;
}

/**
 * Fills in the values of fields that no row has where it stands.
 * @param look the rows, in order
 */
async function fillColumns(
  columns: Columns,
  look: () => Promise<Element[]>,
  fields: readonly FieldRequest[],
  cells: (string | null)[][],
): Promise<void> {
  const absent = absentFields(fields, cells);
  const scroller =
    absent.length > 0 && columns.positions?.size !== 0 ? sidewaysScrollerOf((await look())[0]) : undefined;
  if (!scroller) return;
  const start = scroller.scrollLeft;
  const filler = createFiller(scroller, look, fields, cells);
  if (!columns.positions) {
    const found = await search(scroller, filler);
    const atStart = fields.map((_, index) => index).filter((index) => !absent.includes(index));
    columns.positions = found.size > 0 ? found.set(start, [...(found.get(start) ?? []), ...atStart]) : found;
  } else if (!(await fillKnown(columns.positions, filler))) {
    // A scroll to where it stands already would not be noticed.
    await scrollSideways(scroller, scroller.scrollLeft + (scroller.scrollLeft > 0 ? -1 : 1));
    await fillKnown(columns.positions, filler);
  }
  await scrollSideways(scroller, start);
}

interface Filler {
  /** The fields that no row has yet. */
  absent(): number[];
  /** Fills in what a position shows. */
  fillAt(left: number): Promise<void>;
}

function createFiller(
  scroller: Element,
  look: () => Promise<Element[]>,
  fields: readonly FieldRequest[],
  cells: (string | null)[][],
): Filler {
  const absent = () => absentFields(fields, cells);
  const fill = async () => {
    const rows = await look();
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
  return {
    absent,
    async fillAt(left) {
      await scrollSideways(scroller, left);
      await fill();
    },
  };
}

/** Fills in what all positions show. Returns the fields of those that are of use. */
async function search(scroller: Element, { absent, fillAt }: Filler): Promise<Map<number, number[]>> {
  const positions = new Map<number, number[]>();
  for (const left of leftsOf(scroller)) {
    const before = absent();
    if (before.length === 0) break;
    await fillAt(left);
    const after = absent();
    const shown = before.filter((index) => !after.includes(index));
    if (shown.length > 0) positions.set(left, shown);
  }
  return positions;
}

/** Fills in what is absent at the positions that have shown it before. Returns whether all of it came. */
async function fillKnown(
  positions: ReadonlyMap<number, readonly number[]>,
  { absent, fillAt }: Filler,
): Promise<boolean> {
  const isAbsent = (fields: readonly number[]) => absent().some((index) => fields.includes(index));
  for (const [left, fields] of positions) if (isAbsent(fields)) await fillAt(left);
  return ![...positions.values()].some(isAbsent);
}

function leftsOf(scroller: Element): number[] {
  const { scrollWidth, clientWidth } = scroller;
  const count = Math.ceil((scrollWidth - clientWidth) / (WINDOW.columns * clientWidth));
  return Array.from({ length: count + 1 }, (_, index) =>
    Math.min(index * WINDOW.columns * clientWidth, scrollWidth - clientWidth),
  );
}

async function scrollSideways(scroller: Element, left: number): Promise<void> {
  if (scroller.scrollLeft === left) return;
  scroller.scrollTo({ left, behavior: "instant" });
  await settle({ scrolled: true });
}
