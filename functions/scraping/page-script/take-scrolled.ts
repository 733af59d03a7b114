/// <reference lib="dom" />
import { releaseLayout, stopPainting } from "./layout.ts";
import { painted, readPainted } from "./painting.ts";
import { portion } from "./portions.ts";
import type { FieldRequest, Json, ScrollRequest, TakeAnswer } from "./protocol.ts";
import { all, first } from "./query.ts";
import { knownList, overlap, type WindowRow } from "./row-identity.ts";
import { arePlaceholders, readRows, withoutPlaceholders } from "./rows.ts";
import { frames, isAllThere, isAtEnd, scrollerOf, topIn, viewHeight } from "./scroller.ts";
import { listAnswer } from "./take-list.ts";
import { until } from "./waiting.ts";

/** A list that is scrolled: one that keeps its rows grows; one that recycles them shows a window of itself. */
interface ScrolledList {
  kind: "unknown" | "growing" | "window";
  /** Its rows up to the last one that was read. */
  count: number;
  last: Element | undefined;
  taken: WeakSet<Element>;
  /** Whether placeholders were waited for in vain. */
  hasBlanks: boolean;
  scroller: Element;
  /** What the last window showed, by position. */
  shown: WindowRow[];
}

/** By selector. */
const lists = new Map<string, ScrolledList>();
/** Rows at each end of a list that are compared to tell whether it recycles them. */
const SAMPLE = 40;
/** Least distance of one scroll, in pixels. */
const SCROLL_MIN = 20;

/** Scrolls on and reads what that brings. */
export async function takeScrolled(request: ScrollRequest): Promise<Json<TakeAnswer>> {
  const started = performance.now();
  releaseLayout();
  stopPainting();
  return readPainted(async () => {
    const { state, cells } = await scrollList(request);
    return listAnswer(state, { ...portion(cells), waited: performance.now() - started });
  });
}

/** What a scroll brought. */
interface Brought {
  state: TakeAnswer["state"];
  cells: (string | null)[][];
}
const nothing = (state: TakeAnswer["state"]): Brought => ({ state, cells: [] });

async function scrollList(request: ScrollRequest): Promise<Brought> {
  const { selector, box } = request;
  const named = box === undefined ? undefined : first(box);
  if (named === null) return nothing("no_control");
  const list = lists.get(selector) ?? beginList(request, named);
  lists.set(selector, list);
  if (list.kind !== "window") {
    const brought = await scrollGrowing(request, list);
    if (brought) return brought;
  }
  return request.marked ? nothing("recycled") : scrollWindow(request, list);
}

function beginList({ selector, fields }: ScrollRequest, named: Element | undefined): ScrolledList {
  const rows = all(document, selector);
  const scroller = named ?? scrollerOf(rows.at(-1));
  const shown = windowOf(rows.slice(-SAMPLE * 2), fields, scroller);
  // More rows may have come since the list was read.
  const before = knownList(selector)?.rows;
  const isSame = before && before.length > 0 && rows[before.length - 1] === before.at(-1);
  const taken = isSame ? rows.slice(0, before.length) : rows;
  const count = withoutPlaceholders(taken, fields).length;
  return {
    kind: "unknown",
    count,
    last: rows[count - 1],
    taken: new WeakSet(taken),
    hasBlanks: false,
    scroller,
    shown,
  };
}

function windowOf(rows: Element[], fields: readonly FieldRequest[], scroller: Element): WindowRow[] {
  const cells = readRows(rows, fields);
  return rows
    .map((row, index) => ({
      cells: cells[index] ?? [],
      key: JSON.stringify(cells[index]),
      top: topIn(row, scroller),
      left: row.getBoundingClientRect().left,
    }))
    .sort((a, b) => a.top - b.top || a.left - b.left);
}

/** The new rows of a list that keeps its old ones. */
function createGrowth(request: ScrollRequest, list: ScrolledList) {
  const { selector, fields, limit, ahead, acceptPlaceholders } = request;
  const { scroller } = list;
  let rows = all(document, selector);
  /** Rows that came since, after the others or between them, while old ones may have gone. */
  const came = (): Element[] => {
    const { count, last, taken } = list;
    if (rows[count - 1] === last) return rows.slice(count);
    return last?.isConnected ? rows.filter((row) => !taken.has(row)) : [];
  };
  const wanted = () =>
    acceptPlaceholders ? came().filter((row) => !list.taken.has(row)) : withoutPlaceholders(came(), fields);
  return {
    rows: () => rows,
    hasNew: () => wanted().length > 0,
    hasGrown() {
      rows = all(document, selector);
      return wanted().length > 0;
    },
    hasPlaceholders: () => came().some((row) => !list.taken.has(row)),
    take(): Brought {
      const fresh = wanted().slice(0, limit);
      const cells = readRows(fresh, fields);
      for (const row of fresh) list.taken.add(row);
      list.count = rows.findLastIndex((row) => list.taken.has(row)) + 1;
      list.last = rows[list.count - 1];
      // After reading: a scroll may change the rows. More is asked for while the answer is under way.
      if (ahead && fresh.length < limit)
        setTimeout(() => {
          scroller.scrollTop = scroller.scrollHeight;
        });
      return { state: "rows", cells };
    },
  };
}

/** Tells whether a list recycled its rows since this was called. */
function watchRecycling(rows: Element[], list: ScrolledList): () => boolean {
  const { scroller } = list;
  const sample = [...rows.slice(0, SAMPLE), ...rows.slice(-SAMPLE)].map((row) => ({
    row,
    text: row.textContent,
    top: topIn(row, scroller),
  }));
  return () =>
    !list.last?.isConnected ||
    sample.some(
      ({ row, text, top }) =>
        !row.isConnected ||
        row.textContent !== text ||
        Math.abs(topIn(row, scroller) - top) > viewHeight(scroller) / 4,
    );
}

/** Scrolls a list that may grow. Returns undefined where it turns out to recycle its rows. */
async function scrollGrowing(request: ScrollRequest, list: ScrolledList): Promise<Brought | undefined> {
  const { scroller } = list;
  const growth = createGrowth(request, list);
  if (growth.hasNew()) return growth.take();
  const from = scroller.scrollTop;
  // A list that has grown before is not suspected any more, unless its last row goes.
  const suspected = list.kind === "growing" ? [] : withoutPlaceholders(growth.rows(), request.fields);
  const isRecycled = watchRecycling(suspected, list);
  const takeGrown = () => {
    list.kind = "growing";
    return growth.take();
  };
  if (list.kind === "unknown" && !isAllThere(growth.rows(), scroller)) {
    // A short way first: a list that recycles its rows would lose those that a long jump skips.
    scroller.scrollTop = from + viewHeight(scroller) / 2;
    await frames();
    if (isRecycled()) {
      list.kind = "window";
      return undefined;
    }
    if (growth.hasGrown()) return takeGrown();
  }
  scroller.scrollTop = scroller.scrollHeight;
  if (await until(() => growth.hasGrown() || isRecycled(), request.waitMs / 2)) {
    if (growth.hasGrown()) return takeGrown();
    list.kind = "window";
    scroller.scrollTop = from;
    await frames();
    return undefined;
  }
  // Some pages only notice a scroll that comes from above.
  scroller.scrollTop = Math.max(0, scroller.scrollHeight - 2 * viewHeight(scroller));
  await frames();
  scroller.scrollTop = scroller.scrollHeight;
  if (await until(growth.hasGrown, request.waitMs / 2)) return growth.take();
  return nothing(growth.hasPlaceholders() ? "placeholder" : "same");
}

/** Scrolls a list that recycles its rows, and joins what it shows to what it showed before. */
async function scrollWindow(request: ScrollRequest, list: ScrolledList): Promise<Brought> {
  const { selector, fields, limit, waitMs } = request;
  const { scroller } = list;
  const look = () => all(document, selector);
  // Rows have to be readable as soon as they appear: scrolled on, they are gone.
  await painted();
  for (;;) {
    const before = list.shown.at(-1)?.key;
    const end = isAtEnd(scroller);
    scroller.scrollTop += Math.max(SCROLL_MIN, viewHeight(scroller) / 2);
    await frames();
    const changed = () => {
      const now = windowOf(look(), fields, scroller);
      return now.length > 0 && (now.at(-1)?.key !== before || overlap(list.shown, now) < now.length)
        ? now
        : undefined;
    };
    let now = changed();
    if (!now && end) {
      await until(() => changed() !== undefined, waitMs);
      now = changed();
      if (!now) return nothing("same");
    }
    if (!now) continue;
    const isFilled = () => !look().some((row) => arePlaceholders([row], fields));
    if (!list.hasBlanks && !isFilled()) {
      list.hasBlanks = !(await until(isFilled, waitMs));
      now = changed() ?? now;
    }
    const fresh = now.slice(overlap(list.shown, now)).slice(0, limit);
    list.shown = now;
    if (fresh.length > 0) return { state: "rows", cells: fresh.map((row) => row.cells) };
    if (end) return nothing("same");
  }
}
