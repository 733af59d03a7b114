/// <reference lib="dom" />
import { topIn, viewHeight } from "../scroller.ts";

/** Whether a list that is scrolled keeps its rows, or uses them for others. */

/** Rows at each end of a list that are compared to tell whether it recycles them. */
const SAMPLE = 40;

/** How many rows are left, where only rows at the end have gone: those were no rows, but said that more come. */
export function countKept(rows: readonly Element[]): number {
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
  const ends = new Set([...rows.slice(0, SAMPLE), ...rows.slice(-SAMPLE)]);
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
