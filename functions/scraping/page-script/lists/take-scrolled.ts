/// <reference lib="dom" />

import { watchChanges } from "../changes.ts";
import { releaseLayout, stopPainting } from "../layout.ts";
import { continueMarked, freshMarks, marksWanted, untilSeen } from "../marks.ts";
import { readPainted } from "../painting.ts";
import { portion } from "../portions.ts";
import { noteAct } from "../promptness.ts";
import type { Json, ScrollRequest, TakeAnswer } from "../protocol.ts";
import { all, first } from "../query.ts";
import { isAllThere, isScrollable, scrollerOf, showLast, viewHeight, wheelTo } from "../scroller.ts";
import { moments } from "../waiting.ts";
import { beginWindow, nextWindow, readWindow, rewindWindow } from "../windows/follow-window.ts";
import { createWindow, type ListWindow } from "../windows/list-window.ts";
import { isWindowed, shownRows } from "../windows/windowed.ts";
import { watchRecycling } from "./kept-rows.ts";
import { listAnswer } from "./list-answer.ts";
import { type Brought, createGrowth, isKept, nothing, type ScrolledList } from "./list-growth.ts";
import { knownList, type WindowRow } from "./row-identity.ts";
import { withoutPlaceholders } from "./rows.ts";

/** By selector. */
const lists = new Map<string, ScrolledList>();
/** Rows at the end of a list that are known where it turns out to recycle its rows. */
const LAST_ROWS = 80;

let answer: Promise<Json<TakeAnswer>>;

/** Scrolls on and reads what that brings; where new marks are needed meanwhile, `takeMarked` continues. */
export function takeScrolled(request: ScrollRequest): Promise<Json<TakeAnswer>> {
  if (request.marked) watchChanges();
  answer = scrollAndRead(request);
  return answerOrMarks();
}

/** To be called when new marks are set. */
export function takeMarked(): Promise<Json<TakeAnswer>> {
  continueMarked();
  return answerOrMarks();
}

const answerOrMarks = () => Promise.race([answer, marksWanted().then(() => listAnswer("unmarked"))]);

async function scrollAndRead(request: ScrollRequest): Promise<Json<TakeAnswer>> {
  releaseLayout();
  stopPainting();
  return readPainted(async () => {
    const { state, cells, ...filling } = await scrollList(request);
    const list = lists.get(request.selector);
    const windowed = list?.kind === "window";
    const gap = list?.window?.hasGap ?? false;
    return listAnswer(state, { ...portion(cells), windowed, gap, ...filling });
  });
}

async function scrollList(request: ScrollRequest): Promise<Brought> {
  const { selector, box } = request;
  const named = box === undefined ? undefined : first(box);
  if (named === null) return nothing("no_control");
  if (request.begin) return beginFollowing(request, named);
  // Components may make the box that scrolls only after their rows.
  const isMisplaced = (list: ScrolledList) =>
    !named && !isScrollable(list.scroller) && scrollerOf(all(document, selector).at(-1)) !== list.scroller;
  const known = lists.get(selector);
  const list = known && !isMisplaced(known) ? known : await beginList(request, named);
  lists.set(selector, list);
  const brought = await scrollKnown(request, list);
  return brought.state === "same" && isMisplaced(list) ? scrollList(request) : brought;
}

async function scrollKnown(request: ScrollRequest, list: ScrolledList): Promise<Brought> {
  if (list.kind !== "window") {
    const brought = await scrollGrowing(request, list);
    if (brought) return brought;
  }
  return scrollWindow(request, list);
}

/** The first window of a list, from its top. */
async function beginFollowing(request: ScrollRequest, named: Element | undefined): Promise<Brought> {
  const { selector, limit } = request;
  const rows = all(document, selector);
  const scroller = named ?? scrollerOf(rows.at(-1));
  lists.delete(selector);
  const begun = await beginWindow(request, scroller);
  if (begun === "lacking") return nothing("placeholder");
  if (begun === "whole") {
    lists.set(selector, { ...(await beginList(request, named)), isWhole: true });
    return nothing("whole");
  }
  lists.set(selector, { ...listOf(rows, scroller), kind: "window", window: begun.list });
  return { state: "rows", cells: cellsOf(begun.rows).slice(0, limit) };
}

async function scrollWindow(request: ScrollRequest, list: ScrolledList): Promise<Brought> {
  list.window ??= createWindow(list.scroller, []);
  const { known } = list.window;
  // The rows that were taken may not have been drawn then.
  if (known.length === 0) list.window.known = await readTaken(request, list, list.window);
  const next = await nextWindow(request, list.window);
  if (next === "lacking") return nothing("placeholder");
  if (next !== "none") return { state: "rows", cells: cellsOf(next).slice(0, request.limit) };
  if (request.rewind) await rewindWindow(request, list.window);
  return nothing("same");
}

const readTaken = (request: ScrollRequest, list: ScrolledList, window: ListWindow) => {
  const taken = all(document, request.selector).filter((row) => list.taken.has(row));
  return readWindow(request, window, shownRows(taken, list.scroller));
};

const cellsOf = (rows: readonly WindowRow[]) => rows.flatMap(({ cells }) => (cells ? [cells] : []));

const listOf = (rows: Element[], scroller: Element): ScrolledList => ({
  kind: "unknown",
  count: rows.length,
  last: rows.at(-1),
  taken: new WeakSet(rows),
  known: undefined,
  isWhole: false,
  hasHidden: false,
  scroller,
  isWheeled: false,
  window: undefined,
});

async function beginList(request: ScrollRequest, named: Element | undefined): Promise<ScrolledList> {
  const { selector, fields } = request;
  const rows = all(document, selector);
  const scroller = named ?? scrollerOf(rows.at(-1));
  // More rows may have come since the list was read.
  const before = new Set(knownList(selector)?.rows);
  const kept = rows.filter((row) => before.has(row));
  const taken = kept.length > 0 ? kept : rows;
  const window = createWindow(scroller, []);
  window.known = await readWindow(request, window, shownRows(taken.slice(-LAST_ROWS), scroller));
  const count = withoutPlaceholders(taken, fields).length;
  return { ...listOf(taken, scroller), known: knownList(selector), count, last: taken[count - 1], window };
}

/** Takes in what was read otherwise since the list was last scrolled. */
function update(list: ScrolledList, selector: string): void {
  const known = knownList(selector);
  if (!known || known === list.known) return;
  for (const row of known.rows) list.taken.add(row);
  list.known = known;
  list.count = known.count;
  list.last = known.rows.at(-1);
}

/** Scrolls a list that may grow. Returns undefined where it turns out to recycle its rows. */
async function scrollGrowing(request: ScrollRequest, list: ScrolledList): Promise<Brought | undefined> {
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
  noteAct();
  const from = scroller.scrollTop;
  // A list that has grown before is not suspected any more, unless its last row goes.
  const suspected = list.kind === "growing" ? [] : withoutPlaceholders(growth.rows(), request.fields);
  const isRecycled = watchRecycling(suspected, scroller, () => isKept(list));
  const takeGrown = () => {
    list.kind = "growing";
    return growth.take();
  };
  if (list.kind === "unknown" && !isAllThere(growth.rows(), scroller)) {
    // A short way first: a list that recycles its rows would lose those that a long jump skips.
    scroller.scrollTop = from + viewHeight(scroller) / 2;
    await moments(2);
    await freshMarks(request);
    if (isRecycled()) {
      list.kind = "window";
      return undefined;
    }
    if (growth.hasGrown()) return takeGrown();
  }
  const last = growth.rows().at(-1);
  await showLast(last, scroller);
  if (list.isWheeled) await wheelTo(last);
  if (await untilSeen(request, () => growth.hasGrown() || isRecycled(), request.waitMs / 2)) {
    if (growth.hasGrown()) return takeGrown();
    list.kind = "window";
    scroller.scrollTop = from;
    await moments(2);
    return undefined;
  }
  if (request.once) return nothing("same");
  // Some pages only notice a scroll that comes from above.
  scroller.scrollTop = Math.max(0, scroller.scrollHeight - 2 * viewHeight(scroller));
  await moments(2);
  await showLast(growth.rows().at(-1), scroller);
  if (await untilSeen(request, growth.hasGrown, request.waitMs / 2)) return growth.take();
  list.isWheeled ||= await wheelTo(growth.rows().at(-1));
  if (list.isWheeled && (await untilSeen(request, growth.hasGrown, request.waitMs / 2))) return growth.take();
  return nothing(growth.hasPlaceholders() ? "placeholder" : "same");
}
