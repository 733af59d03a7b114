/// <reference lib="dom" />

import { SAMPLE, SCROLL, WINDOW } from "../../limits.ts";
import { answer, portion } from "../answers.ts";
import { settle } from "../host.ts";
import { areValues } from "../json/reader.ts";
import { releaseLayout } from "../layout.ts";
import type { Json, ListAnswer, ScrollRequest, WithoutRows, WithRows } from "../protocol.ts";
import { first } from "../query.ts";
import { boxesOf, namedScroller, pageScroller, type Scroller, scrollerOf, wheelTo } from "../scroller.ts";
import {
  beginWindow,
  createWindow,
  type ListWindow,
  nextWindow,
  readWindow,
  rewindWindow,
  type WindowRow,
} from "../windows/follow-window.ts";
import { isWindowed, shownRows } from "../windows/windowed.ts";
import { withEnds } from "./field-nodes.ts";
import { forgetErrors } from "./load-error.ts";
import { forgetLastRows, notePart } from "./read-parts.ts";
import { type KnownList, keepsPlaces, knownList, newRows, remember, rowsAdded } from "./row-identity.ts";
import { listRows, withoutPlaceholders } from "./rows.ts";
import { readInView } from "./unseen.ts";

/** By selector. */
const lists = new Map<string, ScrolledList>();

/** Scrolls on and reads the rows that this brings. */
export async function scrollAndRead(asked: ScrollRequest): Promise<Json<ListAnswer>> {
  const request = withEnds(asked);
  releaseLayout();
  const isLocked = lists.get(request.selector)?.scroller.isLocked ?? false;
  const result = await scrollList(request);
  if (result.state === "same" && listRows(request).length === 0) return answer(nothing("missing"));
  if (result.state !== "rows") return answer(result);
  const list = lists.get(request.selector);
  if (list && isLocked) list.hasGrownLocked = true;
  const windowed = list?.kind === "window";
  const hasGap = list?.window?.hasGap ?? false;
  return answer({ ...result, ...portion(result.cells), windowed, hasGap });
}

async function scrollList(request: ScrollRequest): Promise<ScrollResult> {
  const { selector, box } = request;
  const named = box === undefined ? undefined : first(box);
  if (named === null) return nothing("no_control");
  if (request.begin) return beginFollowing(request, named);
  const list = lists.get(selector) ?? (await beginList(request, named));
  lists.set(selector, list);
  if (list.kind !== "window") {
    const brought = await scrollGrowing(request, list);
    if (brought) return brought;
  }
  return scrollWindow(request, list);
}

/** The first window of a list, from its top. */
async function beginFollowing(request: ScrollRequest, named: Element | undefined): Promise<ScrollResult> {
  const { selector, limit } = request;
  const rows = listRows(request);
  const scroller = named ? namedScroller(named, rows) : scrollerOf(rows);
  const beganBelow = isBelowTop(scroller);
  const hasGrown = growthOf(scroller);
  lists.delete(selector);
  const begun = await beginWindow(request, scroller);
  if (begun === "whole") {
    lists.set(selector, { ...(await beginList(request, named)), beganBelow, isWhole: true });
    return nothing("whole");
  }
  forgetLastRows();
  forgetErrors();
  const window = { kind: "window", window: begun.list, beganBelow, hasOlder: hasGrown() } as const;
  lists.set(selector, { ...listOf(rows, scroller), ...window });
  return { state: "rows", cells: cellsOf(begun.rows).slice(0, limit) };
}

async function scrollWindow(request: ScrollRequest, list: ScrolledList): Promise<ScrollResult> {
  forgetLastRows();
  list.window ??= createWindow(list.scroller);
  const next = await nextWindow(request, list.window);
  if (next !== "none") {
    forgetErrors();
    return { state: "rows", cells: cellsOf(next).slice(0, request.limit) };
  }
  if (request.rewind) await rewindWindow(request, list.window);
  return nothing("same");
}

/** Notes that a row of a windowed list has other values now: it is known by them. */
export function noteInWindow(
  selector: string,
  before: readonly (string | null)[],
  cells: (string | null)[],
): void {
  const known = lists.get(selector)?.window?.known ?? [];
  const key = JSON.stringify(before);
  const at = known.findIndex((row) => row.key === key);
  if (at >= 0) known[at] = { ...(known[at] as WindowRow), cells, key: JSON.stringify(cells) };
}

const cellsOf = (rows: readonly WindowRow[]) => rows.flatMap(({ cells }) => (cells ? [cells] : []));

const listOf = (rows: Element[], scroller: Scroller): ScrolledList => ({
  // What a response has brought stays.
  kind: areValues(rows) ? "growing" : "unknown",
  isWhole: false,
  scroller,
  beganBelow: isBelowTop(scroller),
  hasOlder: false,
  hasGrownLocked: false,
  window: undefined,
});

/** Whether a box does not show its beginning: chats begin at their end, and a link may lead into the middle of a list. */
const isBelowTop = ({ box, isScrollable, position }: Scroller): boolean =>
  isScrollable && (getComputedStyle(box).flexDirection === "column-reverse" || position > SCROLL.slack);

/** Tells whether a box has got longer since by several rows; positions that are estimates change by less. */
function growthOf(scroller: Scroller): () => boolean {
  const { length, view } = scroller;
  return () => scroller.length > length + view / 4;
}

/**
 * Why a list that was scrolled down may have other rows; null where nothing tells so. `locked`: its page has stopped a person
 * from scrolling it. `above`: it began below its top, and gets more rows when it is scrolled there.
 */
export async function heldBack({
  selector,
}: Pick<ScrollRequest, "selector">): Promise<"locked" | "above" | null> {
  const list = lists.get(selector);
  if (!list) return null;
  if (list.scroller.isLocked && !list.hasGrownLocked) return "locked";
  if (!list.beganBelow) return null;
  if (list.hasOlder) return "above";
  const hasGrown = growthOf(list.scroller);
  // In a reversed box, the top has a negative position.
  list.scroller.scrollTo(-list.scroller.length);
  await settle({ scrolled: true });
  return hasGrown() ? "above" : null;
}

async function beginList(request: ScrollRequest, named: Element | undefined): Promise<ScrolledList> {
  const { selector, fields } = request;
  const rows = listRows(request);
  const scroller = named ? namedScroller(named, rows) : scrollerOf(rows);
  // More rows may have come since the list was read, and known ones may have been rendered anew.
  const known = knownList(selector);
  const before = new Set(known?.rows);
  const added = known && rowsAdded(rows, known);
  const fresh = added && new Set(added);
  const kept = rows.filter((row) => (fresh ? !fresh.has(row) : before.has(row)));
  const taken = kept.length > 0 ? kept : rows;
  const window = createWindow(scroller);
  // Scrolling has replaced all rows, so some may never have been shown.
  window.hasGap = kept.length === 0 && before.size > 0;
  remember(request, withoutPlaceholders(taken, fields), known);
  return { ...listOf(taken, scroller), window };
}

/** The same list, scrolled by another box. */
function scrolledBy(list: ScrolledList, scroller: Scroller): ScrolledList {
  list.scroller = scroller;
  if (list.window) list.window.scroller = scroller;
  return list;
}

/** Notes the last rows as they are now: if the next scroll renders all rows anew, those that it adds are told by them. */
async function noteShown(
  request: ScrollRequest,
  { window, scroller }: ScrolledList,
  rows: Element[],
): Promise<void> {
  if (window) window.known = await readWindow(request, window, shownRows(rows.slice(-WINDOW.last), scroller));
}

/** Scrolls a list that may grow. Returns undefined where it turns out to recycle its rows. */
async function scrollGrowing(request: ScrollRequest, list: ScrolledList): Promise<ScrollResult | undefined> {
  const { scroller } = list;
  const growth = createGrowth(request);
  if (growth.wanted().length > 0) return growth.take();
  if (growth.hasKnown()) await noteShown(request, list, growth.rows());
  // A jump would skip the rows that are not there yet.
  const isUndecided = list.kind === "unknown" && !list.isWhole;
  if (isUndecided && isWindowed(growth.rows(), request.fields, [])) {
    list.kind = "window";
    return undefined;
  }
  const from = scroller.position;
  // A list that has grown before is not suspected any more, unless its last row goes.
  const suspected = list.kind === "growing" ? [] : withoutPlaceholders(growth.rows(), request.fields);
  const isRecycled = watchRecycling(suspected, scroller, growth.rows, request.selector);
  const takeGrown = () => {
    list.kind = "growing";
    return growth.take();
  };
  if (list.kind === "unknown") {
    // A short way first: a list that recycles its rows would lose those that a long jump skips.
    scroller.scrollTo(from + scroller.view / 2);
    await settle({ scrolled: true });
    const hasGrown = growth.hasGrown();
    if (isRecycled()) {
      list.kind = "window";
      return undefined;
    }
    if (hasGrown) return takeGrown();
  }
  if (scroller.showBehind(growth.rows().at(-1))) {
    await settle({ scrolled: true });
    if (growth.hasGrown()) return takeGrown();
  }
  await scroller.showLast(growth.rows().at(-1));
  await settle({ scrolled: true });
  if (growth.hasGrown()) return takeGrown();
  if (isRecycled()) {
    list.kind = "window";
    scroller.scrollTo(from);
    await settle({ scrolled: true });
    return undefined;
  }
  if (request.once) return nothing("same");
  // Some pages only notice a scroll that comes from above.
  scroller.scrollTo(Math.max(0, scroller.length - 2 * scroller.view));
  await settle({ scrolled: true });
  await scroller.showLast(growth.rows().at(-1));
  await settle({ scrolled: true });
  if (growth.hasGrown()) return takeGrown();
  for (const other of request.box === undefined ? boxesOf(growth.rows()) : []) {
    if (other.scroller.box === scroller.box) continue;
    await other.scroller.showLast(other.rows.at(-1));
    await settle({ scrolled: true });
    if (growth.hasGrown()) return takeGrown();
  }
  if (scroller.isSideways) {
    // Rows beside one another may be the first line of a list that goes on below.
    if (list.kind === "unknown") return scrollGrowing(request, scrolledBy(list, pageScroller()));
  } else if (await wheelTo(growth.rows().at(-1), isRecycled)) {
    list.kind = "window";
    if (list.window) list.window.isWheeled = true;
    return undefined;
  }
  return growth.hasGrown() ? takeGrown() : growth.take(growth.came);
}

/** A list that is scrolled: one that keeps its rows grows; one that recycles them shows a window of itself. */
interface ScrolledList {
  kind: "unknown" | "growing" | "window";
  /** Whether it was found to keep no rows back, although it keeps space free. */
  isWhole: boolean;
  scroller: Scroller;
  /** Whether its box did not show its beginning at first, and got longer when it was scrolled from there to its top. */
  beganBelow: boolean;
  hasOlder: boolean;
  /** Whether it got rows although a person could not scroll it. */
  hasGrownLocked: boolean;
  /** How it is followed where it recycles its rows. */
  window: ListWindow | undefined;
}

/** What a scroll has shown. */
type ScrollResult =
  | WithoutRows
  | ({ state: "rows"; cells: (string | null)[][] } & Pick<WithRows, "unfilled">);
const nothing = (state: WithoutRows["state"]): WithoutRows => ({ state });

/** The new rows of a list that keeps its old ones. */
function createGrowth(request: ScrollRequest) {
  const { selector, fields, limit } = request;
  const known = () => knownList(selector);
  let rows = listRows(request);
  let isScrolled = false;
  /** Whether the known rows are there, or were rendered anew in their places: scrolling shows others there in some lists. */
  const hasKnown = () => isKept(known()) || (!isScrolled && keepsPlaces(rows, known()));
  /** Rows that came since, after the others or between them, while old ones may have gone. */
  const came = () => (hasKnown() ? newRows(rows, known()) : []);
  const wanted = () => withoutPlaceholders(came(), fields);
  const lookAgain = (look: () => Element[]) => {
    rows = listRows(request);
    return look();
  };
  return {
    rows: () => rows,
    wanted,
    hasKnown,
    /** To be asked after a scroll. */
    hasGrown: () => {
      isScrolled = true;
      return lookAgain(wanted).length > 0;
    },
    /** Reads rows that came: `wanted`, or at the end of the list those that nothing has filled. */
    async take(look = wanted): Promise<ScrollResult> {
      const asked = { rows: look().slice(0, limit), fields, isPart: true };
      const read = await readInView(asked, () => lookAgain(look));
      if (read.rows.length === 0) return nothing("same");
      notePart(request, read.rows, read.cells);
      const before = known();
      const taken = new Set(read.rows);
      const end = rows.findLastIndex((row) => taken.has(row) || before?.seen?.has(row)) + 1;
      remember(request, rows.slice(0, end), before);
      return { state: "rows", cells: read.cells, unfilled: read.unfilled };
    },
    came,
  };
}

/** Whether a list still has the rows that were read. */
const isKept = (known: KnownList | undefined): boolean =>
  known?.rows.at(-1)?.isConnected === true || countKept(known?.rows ?? []) > 0;

/** How many rows are left, where only rows at the end have gone: those were no rows, but said that more come. */
function countKept(rows: readonly Element[]): number {
  const count = rows.findLastIndex((row) => row.isConnected) + 1;
  return rows.slice(0, count).every((row) => row.isConnected) ? count : 0;
}

/**
 * Tells whether a list recycled its rows since this was called.
 * @param now the rows that it has now
 */
function watchRecycling(
  rows: Element[],
  scroller: Scroller,
  now: () => Element[],
  selector: string,
): () => boolean {
  const ends = new Set([...rows.slice(0, SAMPLE.recycled), ...rows.slice(-SAMPLE.recycled)]);
  const sample = [...ends].map((row) => ({
    row,
    text: row.textContent,
    start: scroller.startOf(row),
  }));
  const counts = new Map<string, number>();
  for (const { text } of sample) counts.set(text, (counts.get(text) ?? 0) + 1);
  const isRecycled = ({ row, text, start }: (typeof sample)[number]) => {
    // It is shown further down. A list that a script moves in its box goes up as a whole.
    const hasMoved = scroller.startOf(row) - start > scroller.view / 4;
    // Rows that say the same may be waiting to come into view; one that says something else than all others, and still
    // does, makes room for rows before it. Some get a part of their text once they come into view.
    if (counts.get(text) !== 1) return hasMoved;
    return row.textContent !== text && (hasMoved || !row.textContent.includes(text.trim()));
  };
  return () => {
    if (!isKept(knownList(selector))) return true;
    const kept = sample.slice(0, countKept(sample.map(({ row }) => row)));
    // Others with the same texts may be in place of those that are gone.
    if (sample.length > 0 && kept.length === 0) return !keepsPlaces(now(), knownList(selector));
    return kept.some(isRecycled);
  };
}
