/// <reference lib="dom" />

import { isBlank, wantTexts } from "../lists/rows.ts";
import type { ScrollRequest } from "../protocol.ts";
import { viewHeight } from "../scroller.ts";
import type { Columns } from "./columns.ts";
import type { WindowRow } from "./overlap.ts";
import { isHidden, leastSpace, type Members, type ShownRow, spaceBeyond } from "./windowed.ts";

/** A list of which only a window exists, and what its rows lack. */
export interface ListWindow {
  scroller: Element;
  members: Members | undefined;
  /** The last rows that were read. */
  known: WindowRow[];
  /** The same before the last window was read. */
  knownBefore: WindowRow[];
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
  /** What was waited for in vain. */
  accepted: Set<Lack>;
  columns: Columns;
}

/** What rows in view may lack: texts, their final state, or other rows beside them. */
export type Lack = "text" | "data" | "rows";

/** Rows that a script is about to fill in. */
const LOADING = "[aria-busy=true],[class*=loading i],[class*=skeleton i],[class*=shimmer i]";
export const createWindow = (scroller: Element, known: WindowRow[]): ListWindow => ({
  scroller,
  members: undefined,
  known,
  knownBefore: known,
  isScrolled: false,
  isNudged: false,
  from: scroller.scrollTop,
  furthest: scroller.scrollTop,
  stops: 0,
  retries: 0,
  hasGap: false,
  accepted: new Set(),
  columns: { positions: undefined },
});

/** Whether nothing is drawn where rows have to be: the page shows those of another position. */
export function isEmptyAbove(rows: readonly ShownRow[], scroller: Element): boolean {
  const [first] = rows;
  const isBelow = first && first.top >= scroller.scrollTop + viewHeight(scroller);
  return isBelow === true && spaceBeyond(first.element, scroller, "above") > leastSpace(rows);
}

/** What the rows in view lack that may yet come. */
export function lackOf(
  rows: readonly ShownRow[],
  { fields }: ScrollRequest,
  list: ListWindow,
): Lack | undefined {
  const { scroller, accepted } = list;
  const bottom = scroller.scrollTop + viewHeight(scroller);
  const inView = rows.filter((row) => row.top < bottom && row.top + row.height > scroller.scrollTop);
  const isUnfilled = ({ element }: ShownRow) => isHidden(element) || (wantTexts(fields) && isBlank(element));
  if (!accepted.has("text") && inView.some(isUnfilled)) return "text";
  const isLoading = ({ element }: ShownRow) => element.matches(LOADING) || element.querySelector(LOADING);
  if (!accepted.has("data") && inView.some(isLoading)) return "data";
  if (accepted.has("rows")) return undefined;
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return "rows";
  const least = leastSpace(rows);
  const isShort = last.top + last.height < bottom - 2;
  if (isShort && spaceBeyond(last.element, scroller, "below") > least) return "rows";
  // The rows of the position before stay until the page draws others.
  const isLate = first.top > scroller.scrollTop + 2;
  return isLate && spaceBeyond(first.element, scroller, "above") > least ? "rows" : undefined;
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
