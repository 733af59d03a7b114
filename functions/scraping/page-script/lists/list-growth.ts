/// <reference lib="dom" />
import { SAMPLE } from "../../limits.ts";
import type { ScrollRequest, WithoutRows, WithRows } from "../protocol.ts";
import { topIn, viewHeight } from "../scroller.ts";
import type { ListWindow } from "../windows/follow-window.ts";
import { notePart } from "./read-parts.ts";
import { type KnownList, remember } from "./row-identity.ts";
import { listRows, readRows, withoutPlaceholders } from "./rows.ts";
import { findLazyImages, mayBeUnseen, mayChangeInView, reveal } from "./unseen.ts";

/** A list that is scrolled: one that keeps its rows grows; one that recycles them shows a window of itself. */
export interface ScrolledList {
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
export type ScrollResult =
  | WithoutRows
  | ({ state: "rows"; cells: (string | null)[][] } & Pick<WithRows, "unfilled">);
export const nothing = (state: WithoutRows["state"]): WithoutRows => ({ state });

/** The new rows of a list that keeps its old ones. */
export function createGrowth(request: ScrollRequest, list: ScrolledList) {
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
export const isKept = ({ last, known }: ScrolledList): boolean =>
  last !== undefined && (last.isConnected || countKept(known?.rows ?? []) > 0);

/** Whether a list that is scrolled keeps its rows, or uses them for others. */

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
export function watchRecycling(
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
