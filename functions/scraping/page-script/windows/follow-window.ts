/// <reference lib="dom" />

import { contentOf, numbersOf, remember } from "../lists/row-identity.ts";
import { readRows } from "../lists/rows.ts";
import { freshMarks } from "../marks.ts";
import { waitUntilPainted } from "../painting.ts";
import type { ScrollRequest } from "../protocol.ts";
import { all } from "../query.ts";
import { scrollTo, viewHeight } from "../scroller.ts";
import { FRAMES, waitFramesAndTime, waitUntil } from "../waiting.ts";
import { fillColumns } from "./columns.ts";
import { createWindow, filled, isEmptyAbove, type Lack, type ListWindow, lackOf } from "./list-window.ts";
import { GAP, overlap, type WindowRow } from "./overlap.ts";
import {
  commonMembers,
  leastSpace,
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

/** What stays in view when a window is scrolled on, as a part of the view. */
const KEPT = 0.2;
/** How many views before its end a list may be whole. */
const NEAR_END = 3;
/** Longest wait for rows where a list keeps space free for them, in ms. */
const SPACE_MS = 1_000;
/** Longest wait for a list to show that it replaces its rows, in ms. */
const SHOW_MS = 600;
/** How many frames a list may take to stand still. */
const STILL_FRAMES = 20;
/** How often one scroll is shortened. */
const RETRIES = 4;
/** Rows that are kept to find out which ones are known. */
const KNOWN_MIN = 60;
/** How often a list may stop at the same position: at the second time, it is waited for. */
const STOPS = 2;
const STOPS_MAX = 6;

/** What a list shows at one position. */
interface Shown {
  rows: ShownRow[];
  lack: Lack | undefined;
}

/** The rows that a list shows, and what its selector leaves out between them. */
function rowsShown({ selector }: ScrollRequest, list: ListWindow): ShownRow[] {
  const rows = all(document, selector);
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
    const rows = new Set(all(document, request.selector));
    return members.flatMap(({ element }) => (rows.has(element) ? element : []));
  };
  const rows = rowsAmong(shown);
  const cells = readRows(rows, request.fields);
  const numbers = numbersOf(shown.map(({ element }) => element));
  const look = async () => {
    await freshMarks(request);
    return rowsAmong(rowsShown(request, list));
  };
  await fillColumns(list.columns, look, request.fields, cells);
  const cellsOf = new Map(rows.map((row, index) => [row, cells[index] ?? []]));
  return shown.map(({ element, top, height }, index) => {
    const values = cellsOf.get(element) ?? null;
    const key = JSON.stringify(values ?? element.textContent);
    return { element, cells: values, key, top, height, number: numbers[index] };
  });
}

export interface Begun {
  list: ListWindow;
  rows: WindowRow[];
}

/**
 * The first window of a list, from its top; `whole` where all of the list turns out to exist, `lacking` where its rows
 * are not ready in time.
 */
export async function beginWindow(
  request: ScrollRequest,
  scroller: Element,
): Promise<Begun | "whole" | "lacking"> {
  await waitUntilPainted();
  const list = createWindow(scroller, []);
  const before = signature(rowsShown(request, list));
  list.isNudged = scroller.scrollTop === 0;
  scrollTo(scroller, 0);
  const { rows, lack } = await waitUntilStable(request, list);
  if (lack && !request.acceptPlaceholders) return "lacking";
  if (lack) list.accepted.add(lack);
  list.hasGap = isEmptyAbove(rows, scroller);
  const read = await readWindow(request, list, filled(rows, request, list));
  const top = signature(rowsShown(request, list));
  list.known = read;
  list.from = scroller.scrollTop;
  list.furthest = scroller.scrollTop;
  await scrollOn(list, rows);
  list.isScrolled = true;
  const isReplaced = () => signature(rowsShown(request, list)) !== top;
  const isWindow =
    before !== top || (list.columns.positions?.size ?? 0) > 0 || (await waitUntil(isReplaced, SHOW_MS));
  return isWindow ? { list, rows: read } : "whole";
}

/** The next members of a list; `none` at its end, `lacking` where rows are not ready in time. */
export async function nextWindow(
  request: ScrollRequest,
  list: ListWindow,
): Promise<WindowRow[] | "none" | "lacking"> {
  const { scroller } = list;
  await waitUntilPainted();
  if (request.again) {
    list.known = list.knownBefore;
    list.isScrolled = true;
  }
  for (;;) {
    if (!list.isScrolled) await scrollOn(list, rowsShown(request, list));
    list.isScrolled = true;
    const shown = await waitUntilStable(request, list);
    if (shown.lack && !request.acceptPlaceholders) return "lacking";
    if (shown.lack) list.accepted.add(shown.lack);
    const read = await readWindow(request, list, filled(shown.rows, request, list));
    const count = overlap(list.known, read, viewHeight(scroller));
    if (count === GAP && list.retries < RETRIES && Math.abs(scroller.scrollTop - list.from) > 1) {
      list.retries += 1;
      scrollTo(scroller, (list.from + scroller.scrollTop) / 2);
      continue;
    }
    list.hasGap ||= count === GAP;
    const fresh = read.slice(Math.max(0, count));
    join(list, read, fresh);
    if (fresh.length > 0) return fresh;
    if (list.stops < STOPS) continue;
    const before = signature(rowsShown(request, list));
    const isChanged = () => signature(rowsShown(request, list)) !== before;
    if (list.stops >= STOPS_MAX || !(await waitUntil(isChanged, request.endMs))) return "none";
  }
}

/** Scrolls back to the top, and notes what the list shows there: what another page of it has to differ from. */
export async function rewindWindow(request: ScrollRequest, list: ListWindow): Promise<void> {
  scrollTo(list.scroller, 0);
  await waitUntilStable(request, list);
  const rows = all(document, request.selector);
  remember(request.selector, rows).content = contentOf(rows, request.fields);
}

function join(list: ListWindow, read: WindowRow[], fresh: WindowRow[]): void {
  const { scroller, known } = list;
  const before = known.slice(0, Math.max(0, known.length - (read.length - fresh.length)));
  const most = Math.max(KNOWN_MIN, 2 * read.length);
  list.knownBefore = known;
  // Those that are still shown may have moved.
  if (fresh.length > 0) list.known = [...before, ...read].slice(-most);
  const isFurther = scroller.scrollTop > list.furthest + 1;
  list.stops = fresh.length > 0 || isFurther ? 0 : list.stops + 1;
  list.furthest = Math.max(list.furthest, scroller.scrollTop);
  list.from = scroller.scrollTop;
  list.retries = 0;
  list.isScrolled = false;
  list.isNudged = false;
  if (fresh.length > 0) list.accepted.delete("rows");
}

/** Scrolls so far that some of the last row stays in view; where rows end, to the end. */
async function scrollOn({ scroller, stops, columns }: ListWindow, shown: readonly ShownRow[]): Promise<void> {
  const view = viewHeight(scroller);
  const last = shown.at(-1);
  const isWhole = last && spaceBeyond(last.element, scroller, "below") <= leastSpace(shown);
  // What follows the last row may be a heading, which the selector leaves out.
  const isNearEnd = scroller.scrollHeight - scroller.scrollTop <= NEAR_END * view;
  // Some pages only notice a scroll that comes from above, and some only if it is drawn.
  if (stops > 0) {
    scrollTo(scroller, scroller.scrollTop - view / 2);
    // A list that draws its columns anew would show them in another way than before.
    if ((columns.positions?.size ?? 0) === 0) await waitFramesAndTime(2);
  }
  if (isWhole && isNearEnd) {
    scrollTo(scroller, scroller.scrollHeight);
    return;
  }
  const bottom = last ? last.top + last.height : 0;
  const kept = Math.min(view / 2, Math.max(KEPT * view, last?.height ?? 0));
  const most = scroller.scrollTop + (1 - KEPT) * view;
  scrollTo(scroller, bottom - kept > scroller.scrollTop + 1 ? bottom - kept : most);
}

/** Waits until the rows are the same in two frames, and lack nothing. */
async function waitUntilStable(request: ScrollRequest, list: ListWindow): Promise<Shown> {
  const started = performance.now();
  let before: string | undefined;
  for (let count = 1; ; count += 1) {
    const isStill = request.marked === true && (await standsStill(list));
    if (!isStill) await waitFramesAndTime(1);
    await freshMarks(request);
    const rows = rowsShown(request, list);
    const now = signature(rows);
    const lack = lackOf(rows, request, list);
    // Where no data is under way any more, a list may have taken no notice of a scroll so soon after another one.
    const mayNudge = !list.isNudged || request.acceptPlaceholders;
    if (lack === "rows" && count === FRAMES && mayNudge) {
      list.isNudged = true;
      await nudge(list.scroller);
      continue;
    }
    const waited = performance.now() - started;
    const [mostMs, least] =
      lack === "rows" ? [Math.min(SPACE_MS, request.waitMs), 2 * FRAMES] : [request.waitMs, FRAMES];
    const isLate = waited >= mostMs && count >= least;
    if (((isStill || now === before) && lack === undefined) || isLate) return { rows, lack };
    before = now;
  }
}

/** Scrolls a little and back: a list that was scrolled there and back between two frames was not told of it. */
async function nudge(scroller: Element): Promise<void> {
  const top = scroller.scrollTop;
  scrollTo(scroller, top > 0 ? top - 1 : 1);
  await waitFramesAndTime(1);
  scrollTo(scroller, top);
}

/** Waits until a list shows the same in two frames, where that can be told without new marks, which take time. */
async function standsStill({ members, scroller }: ListWindow): Promise<boolean> {
  let before: string | undefined;
  for (let count = 0; members && count < STILL_FRAMES; count += 1) {
    await waitFramesAndTime(1);
    const now = signature(shownRows(membersOf([], members), scroller));
    if (now === before) return true;
    before = now;
  }
  return false;
}
