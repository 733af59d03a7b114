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
  columns: { positions: undefined },
});

/** Whether nothing is drawn where rows have to be: the page shows those of another position. */
export function isEmptyAbove(rows: readonly ShownRow[], scroller: Element): boolean {
  const [first] = rows;
  const isBelow = first && first.top >= scroller.scrollTop + viewHeight(scroller);
  return isBelow === true && spaceBeyond(first.element, scroller, "above") > leastSpace(rows);
}

/** Whether nothing is drawn in a part of the view where rows have to be. */
export function lacksRows(rows: readonly ShownRow[], { scroller }: ListWindow): boolean {
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
