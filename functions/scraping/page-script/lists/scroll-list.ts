/// <reference lib="dom" />

import { SAMPLE, WINDOW } from "../../limits.ts";
import { answer, portion } from "../answers.ts";
import { settle } from "../host.ts";
import { areValues } from "../json/reader.ts";
import { releaseLayout } from "../layout.ts";
import type { Json, ListAnswer, ScrollRequest, WithoutRows, WithRows } from "../protocol.ts";
import { all, first } from "../query.ts";
import {
  isScrollable,
  scrollerOf,
  scrollTo,
  showBehind,
  showLast,
  topIn,
  viewHeight,
  wheelTo,
} from "../scroller.ts";
import {
  beginWindow,
  createWindow,
  type ListWindow,
  nextWindow,
  readWindow,
  rewindWindow,
} from "../windows/follow-window.ts";
import type { WindowRow } from "../windows/overlap.ts";
import { isWindowed, shownRows } from "../windows/windowed.ts";
import { withEnds } from "./field-nodes.ts";
import { forgetLastRows, notePart } from "./read-parts.ts";
import { type KnownList, keepsPlaces, knownList, remember, rowsAdded } from "./row-identity.ts";
import { listRows, readRows, withoutPlaceholders } from "./rows.ts";
import { findLazyImages, mayBeUnseen, mayChangeInView, reveal } from "./unseen.ts";

/** By selector. */
const lists = new Map<string, ScrolledList>();

/** Scrolls on and reads the rows that this brings. */
export async function scrollAndRead(asked: ScrollRequest): Promise<Json<ListAnswer>> {
  const request = withEnds(asked);
  releaseLayout();
  const result = await scrollList(request);
  if (result.state !== "rows") return answer(result);
  const list = lists.get(request.selector);
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
  const scroller = named ?? scrollerOf(rows.at(-1));
  const beganAtEnd = isAtEnd(scroller);
  lists.delete(selector);
  const begun = await beginWindow(request, scroller);
  if (begun === "whole") {
    lists.set(selector, { ...(await beginList(request, named)), beganAtEnd, isWhole: true });
    return nothing("whole");
  }
  forgetLastRows();
  lists.set(selector, { ...listOf(rows, scroller), kind: "window", window: begun.list });
  return { state: "rows", cells: cellsOf(begun.rows).slice(0, limit) };
}

async function scrollWindow(request: ScrollRequest, list: ScrolledList): Promise<ScrollResult> {
  forgetLastRows();
  list.window ??= createWindow(list.scroller, []);
  const next = await nextWindow(request, list.window);
  if (next !== "none") return { state: "rows", cells: cellsOf(next).slice(0, request.limit) };
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

const listOf = (rows: Element[], scroller: Element): ScrolledList => ({
  // What a response has brought stays.
  kind: areValues(rows) ? "growing" : "unknown",
  count: rows.length,
  last: rows.at(-1),
  alreadyRead: new WeakSet(rows),
  known: undefined,
  isWhole: false,
  scroller,
  beganAtEnd: isAtEnd(scroller),
  window: undefined,
});

/** Whether a box shows its end, as those of chats do at first. */
const isAtEnd = (scroller: Element): boolean =>
  isScrollable(scroller) &&
  (getComputedStyle(scroller).flexDirection === "column-reverse" ||
    scroller.scrollTop + viewHeight(scroller) >= scroller.scrollHeight - 1);

/** Whether a list that began at its end gets other first rows when it is scrolled to its top. */
export async function growsUpwards({ selector }: Pick<ScrollRequest, "selector">): Promise<boolean> {
  const list = lists.get(selector);
  if (!list?.beganAtEnd || list.kind === "window") return false;
  const firstText = () => all(document, selector)[0]?.textContent;
  const before = firstText();
  // In a reversed box, the top has a negative position.
  scrollTo(list.scroller, -list.scroller.scrollHeight);
  await settle({ scrolled: true });
  return firstText() !== before;
}

async function beginList(request: ScrollRequest, named: Element | undefined): Promise<ScrolledList> {
  const { selector, fields } = request;
  const rows = listRows(request);
  const scroller = named ?? scrollerOf(rows.at(-1));
  // More rows may have come since the list was read, and known ones may have been rendered anew.
  const known = knownList(selector);
  const before = new Set(known?.rows);
  const added = known && rowsAdded(rows, known);
  const fresh = added && new Set(added);
  const kept = rows.filter((row) => (fresh ? !fresh.has(row) : before.has(row)));
  const taken = kept.length > 0 ? kept : rows;
  const window = createWindow(scroller, []);
  // Scrolling has replaced all rows, so some may never have been shown.
  window.hasGap = kept.length === 0 && before.size > 0;
  window.known = await readWindow(request, window, shownRows(taken.slice(-WINDOW.last), scroller));
  const count = withoutPlaceholders(taken, fields).length;
  return { ...listOf(taken, scroller), known, count, last: taken[count - 1], window };
}

/** Takes in what was read otherwise since the list was last scrolled. */
function update(list: ScrolledList, selector: string): void {
  const known = knownList(selector);
  if (!known || known === list.known) return;
  for (const row of known.rows) list.alreadyRead.add(row);
  list.known = known;
  list.count = known.count;
  list.last = known.rows.at(-1);
}

/** Scrolls a list that may grow. Returns undefined where it turns out to recycle its rows. */
async function scrollGrowing(request: ScrollRequest, list: ScrolledList): Promise<ScrollResult | undefined> {
  const { scroller } = list;
  update(list, request.selector);
  const growth = createGrowth(request, list);
  if (growth.hasNew()) return growth.take();
  // A jump would skip the rows that are not there yet.
  const isUndecided = list.kind === "unknown" && !list.isWhole;
  if (isUndecided && isWindowed(growth.rows(), request.fields, [])) {
    list.kind = "window";
    return undefined;
  }
  const from = scroller.scrollTop;
  // A list that has grown before is not suspected any more, unless its last row goes.
  const suspected = list.kind === "growing" ? [] : withoutPlaceholders(growth.rows(), request.fields);
  const isRecycled = watchRecycling(suspected, scroller, {
    isKept: () => isKept(list),
    keepsPlaces: () => keepsPlaces(growth.rows(), list.known),
  });
  const takeGrown = () => {
    list.kind = "growing";
    return growth.take();
  };
  if (list.kind === "unknown") {
    // A short way first: a list that recycles its rows would lose those that a long jump skips.
    scroller.scrollTop = from + viewHeight(scroller) / 2;
    await settle({ scrolled: true });
    const hasGrown = growth.hasGrown();
    if (isRecycled()) {
      list.kind = "window";
      return undefined;
    }
    if (hasGrown) return takeGrown();
  }
  if (showBehind(growth.rows().at(-1), scroller)) {
    await settle({ scrolled: true });
    if (growth.hasGrown()) return takeGrown();
  }
  await showLast(growth.rows().at(-1), scroller);
  await settle({ scrolled: true });
  if (growth.hasGrown()) return takeGrown();
  if (isRecycled()) {
    list.kind = "window";
    scroller.scrollTop = from;
    await settle({ scrolled: true });
    return undefined;
  }
  if (request.once) return nothing("same");
  // Some pages only notice a scroll that comes from above.
  scroller.scrollTop = Math.max(0, scroller.scrollHeight - 2 * viewHeight(scroller));
  await settle({ scrolled: true });
  await showLast(growth.rows().at(-1), scroller);
  await settle({ scrolled: true });
  if (growth.hasGrown()) return takeGrown();
  if (await wheelTo(growth.rows().at(-1), isRecycled)) {
    list.kind = "window";
    if (list.window) list.window.isWheeled = true;
    return undefined;
  }
  return growth.hasGrown() ? takeGrown() : growth.takeBlank();
}

/** A list that is scrolled: one that keeps its rows grows; one that recycles them shows a window of itself. */
interface ScrolledList {
  kind: "unknown" | "growing" | "window";
  /** Its rows up to the last one that was read. */
  count: number;
  last: Element | undefined;
  alreadyRead: WeakSet<Element>;
  /** What is known of it outside: a button may have brought rows, too. */
  known: KnownList | undefined;
  /** Whether it was found to keep no rows back, although it keeps space free. */
  isWhole: boolean;
  scroller: Element;
  /** Whether its box showed its end at first. */
  beganAtEnd: boolean;
  /** How it is followed where it recycles its rows. */
  window: ListWindow | undefined;
}

/** What a scroll has shown. */
type ScrollResult =
  | WithoutRows
  | ({ state: "rows"; cells: (string | null)[][] } & Pick<WithRows, "unfilled">);
const nothing = (state: WithoutRows["state"]): WithoutRows => ({ state });

/** The new rows of a list that keeps its old ones. */
function createGrowth(request: ScrollRequest, list: ScrolledList) {
  const { selector, fields, limit } = request;
  let rows = listRows(request);
  /** Rows that came since, after the others or between them, while old ones may have gone. */
  const came = (): Element[] => {
    const { count, last, alreadyRead: taken } = list;
    if (rows[count - 1] === last) return rows.slice(count);
    return isKept(list) ? rows.filter((row) => !taken.has(row)) : [];
  };
  const notRead = () => came().filter((row) => !list.alreadyRead.has(row));
  /** Whether rows without any text count, because nothing has filled them. */
  let takesBlank = false;
  const wanted = () => (takesBlank ? notRead() : withoutPlaceholders(came(), fields));
  return {
    rows: () => rows,
    hasNew: () => wanted().length > 0,
    hasGrown() {
      rows = listRows(request);
      return wanted().length > 0;
    },
    /** At the end of the list. */
    takeBlank(): Promise<ScrollResult> | ScrollResult {
      takesBlank = true;
      return wanted().length > 0 ? this.take() : nothing("same");
    },
    async take(): Promise<ScrollResult> {
      let fresh = wanted().slice(0, limit);
      let cells = readRows(fresh, fields);
      const isUnseen = () => mayBeUnseen({ rows: fresh, fields, isPart: true }, cells);
      let isUnfilled = isUnseen();
      const isRevealed = isUnfilled || mayChangeInView(fresh);
      const revealed = isRevealed ? await reveal({ rows: fresh, fields, isPart: true }) : undefined;
      if (revealed) {
        // Others may have come in their place.
        if (!fresh.every((row) => row.isConnected)) {
          rows = listRows(request);
          fresh = wanted().slice(0, limit);
        }
        if (fresh.length === 0) return nothing("same");
        cells = readRows(fresh, fields);
        isUnfilled = isUnseen();
      }
      for (const row of fresh) list.alreadyRead.add(row);
      list.count = rows.findLastIndex((row) => list.alreadyRead.has(row)) + 1;
      list.last = rows[list.count - 1];
      notePart(request, fresh, cells);
      list.known = remember(selector, rows.slice(0, list.count), list.known);
      if (!isUnfilled) return { state: "rows", cells };
      const lazyImages = findLazyImages({ rows: fresh, fields, isPart: true }, cells);
      return { state: "rows", cells, unfilled: { hasUnseen: revealed?.isCut === true, lazyImages } };
    },
  };
}

/** Whether a list still has the rows that were read. */
const isKept = ({ last, known }: ScrolledList): boolean =>
  last !== undefined && (last.isConnected || countKept(known?.rows ?? []) > 0);

/** How many rows are left, where only rows at the end have gone: those were no rows, but said that more come. */
function countKept(rows: readonly Element[]): number {
  const count = rows.findLastIndex((row) => row.isConnected) + 1;
  return rows.slice(0, count).every((row) => row.isConnected) ? count : 0;
}

/**
 * Tells whether a list recycled its rows since this was called.
 * @param isKept whether it still has the rows that were read
 * @param keepsPlaces whether others with the same texts are in place of those that are gone
 */
function watchRecycling(
  rows: Element[],
  scroller: Element,
  { isKept, keepsPlaces }: { isKept: () => boolean; keepsPlaces: () => boolean },
): () => boolean {
  const ends = new Set([...rows.slice(0, SAMPLE.recycled), ...rows.slice(-SAMPLE.recycled)]);
  const sample = [...ends].map((row) => ({
    row,
    text: row.textContent,
    top: topIn(row, scroller),
  }));
  const counts = new Map<string, number>();
  for (const { text } of sample) counts.set(text, (counts.get(text) ?? 0) + 1);
  const isRecycled = ({ row, text, top }: (typeof sample)[number]) => {
    const hasMoved = Math.abs(topIn(row, scroller) - top) > viewHeight(scroller) / 4;
    // Rows that say the same may be waiting to come into view; one that says something else than all others, and still
    // does, makes room for rows before it. Some get a part of their text once they come into view.
    if (counts.get(text) !== 1) return hasMoved;
    return row.textContent !== text && (hasMoved || !row.textContent.includes(text.trim()));
  };
  return () => {
    if (!isKept()) return true;
    const kept = sample.slice(0, countKept(sample.map(({ row }) => row)));
    if (sample.length > 0 && kept.length === 0) return !keepsPlaces();
    return kept.some(isRecycled);
  };
}
