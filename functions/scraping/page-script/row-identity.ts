/// <reference lib="dom" />
/**
 * Which rows of a list were read before.
 *
 * On another document, none was. In a list that grows, a row is known by its element; in one that was rendered anew, by
 * its position as long as the texts before agree. In a list that keeps only a window of its rows, a row is known by its
 * position in the sequence: windows are joined where the end of one is the beginning of the next.
 */

/** What was last read of a list. */
export interface KnownList {
  rows: Element[];
  /** All rows that were ever read, from when the list first lost some of them. */
  seen: WeakSet<Element> | undefined;
  count: number;
  content: string;
}

/** By selector. */
const lists = new Map<string, KnownList>();

const SEPARATOR = "\u0001";

/** What a list shows, to tell whether it changed. */
export const contentOf = (rows: readonly Element[]): string =>
  rows.map((row) => row.textContent).join(SEPARATOR);

/** What rows hold, links included, to recognize a page. */
export function fullContentOf(rows: readonly Element[], content: string): string {
  const parts = [content];
  for (const row of rows)
    for (const link of row.querySelectorAll("[href],[src]"))
      parts.push(link.getAttribute("href") ?? "", link.getAttribute("src") ?? "");
  return parts.join(SEPARATOR);
}

export const knownList = (selector: string): KnownList | undefined => lists.get(selector);

export function remember(selector: string, rows: Element[], before?: KnownList): KnownList {
  const list = { rows, seen: before?.seen, count: rows.length, content: "" };
  if (list.seen) for (const row of rows) list.seen.add(row);
  lists.set(selector, list);
  return list;
}

/** The rows that are new since the list was last read. In a list that only grew, the old ones are not looked at. */
export function newRows(rows: Element[], before: KnownList | undefined): Element[] {
  if (!before) return rows;
  const { count } = before;
  const onlyGrew =
    count > 0 &&
    rows.length >= count &&
    rows[0] === before.rows[0] &&
    rows[count - 1] === before.rows[count - 1];
  if (onlyGrew) return rows.slice(count);
  const isRenderedAnew = !before.rows.some((row) => row.isConnected) && rows.length >= count;
  if (isRenderedAnew && before.rows.every((row, index) => row.textContent === rows[index]?.textContent))
    return rows.slice(count);
  const seen = before.seen ?? new WeakSet(before.rows);
  before.seen = seen;
  return rows.filter((row) => !seen.has(row));
}

export const hasChanged = (rows: Element[], before: KnownList): boolean =>
  rows.length !== before.count ||
  rows.some((row, index) => row !== before.rows[index]) ||
  contentOf(rows) !== before.content;

/** A row that a window shows, with its position in the scrolled content. */
export interface WindowRow {
  cells: (string | null)[];
  /** Its cells as one string. */
  key: string;
  top: number;
}

/** How many rows of a window were in the one before: they are its first ones. */
export function overlap(before: readonly WindowRow[], now: readonly WindowRow[]): number {
  const fits: number[] = [];
  for (let size = Math.min(before.length, now.length); size > 0; size -= 1) {
    const from = before.length - size;
    if (now.slice(0, size).every((row, index) => row.key === before[from + index]?.key)) fits.push(size);
  }
  // A window may also still hold rows from before the beginning of the last one.
  const [start] = now;
  const inside = start ? before.findIndex((row) => row.key === start.key) : -1;
  if (fits.length === 0 && inside >= 0 && now.every((row, index) => before[inside + index]?.key === row.key))
    return now.length;
  // Equal rows fit in more than one way: then positions decide.
  const bottom = before.at(-1)?.top ?? 0;
  const byPosition = now.filter((row) => row.top <= bottom + 1).length;
  return fits.includes(byPosition) ? byPosition : (fits[0] ?? 0);
}
