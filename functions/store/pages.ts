import { PAGE_SIZE } from "../contract/route.ts";
import { addGaps, type Extent, type ListKeys, numberAt, type Ranges, readExtent } from "./runs/gaps.ts";
import type { Table } from "./table.ts";

/** One page of a list; `nextPage` is null on the last page. */
export interface Page<T> {
  items: T[];
  nextPage: number | null;
}

/** An item of a list, with the number that it has there. */
export interface Numbered<T> {
  number: number;
  /** When it was created, ISO 8601. */
  created_at: string;
  item: T;
}

/** What is stored under a range of numbers: items, and the marks of deleted ones. */
export type Found<T> = (Numbered<T> | { number: number; item: undefined })[];

export interface NumberedList<T> {
  keys: ListKeys;
  /** Reads at most `most` items with the numbers `oldest` to `newest`, newest first. `more`: whether there are more. */
  read(oldest: number, newest: number, most: number): Promise<{ found: Found<T>; more: boolean }>;
}

/**
 * A number without an item will never get one after this time, because its Idempotency-Key has expired by then.
 */
export const NEVER_AFTER_MS = 25 * 60 * 60 * 1000;

/**
 * One page of a numbered list, newest first. Every page reads as many numbers as it has items, and one more to see whether
 * there is a following page. Where a number turns out to have no item, the page is filled up with older ones, and the list
 * learns of the gap. Such gaps may be long, because runs expire.
 */
export async function readPage<T>(
  table: Table,
  list: NumberedList<T>,
  page: number,
  now: Date,
): Promise<Page<T>> {
  const extent = await readExtent(table, list.keys);
  const oldest = oldestOf(extent);
  const items: T[] = [];
  const dead: Ranges = [];
  let hasNext = false;
  let newestOld = 0;
  let isFilledUp = false;
  for (let top = numberAt(extent, (page - 1) * PAGE_SIZE); top >= oldest && !hasNext; isFilledUp = true) {
    const left = PAGE_SIZE - items.length;
    const bottom = isFilledUp ? oldest : Math.max(oldest, lowest(extent, top, left + 1));
    const { found, more } = await list.read(bottom, top, left);
    const live = found.filter((one): one is Numbered<T> => one.item !== undefined);
    items.push(...live.map(({ item }) => item));
    newestOld ||= live.find(({ created_at }) => isOld(created_at, now))?.number ?? 0;
    // A number that was not read may still have an item.
    const end = more ? (found.at(-1)?.number ?? top + 1) : bottom;
    dead.push(...unused(found, end, top, newestOld));
    hasNext = more && items.length === PAGE_SIZE;
    top = more ? (found.at(-1)?.number ?? top + 1) - 1 : bottom - 1;
  }
  const unknown = dead.filter(([from, to]) => !extent.gaps.some((gap) => gap[0] <= from && to <= gap[1]));
  if (unknown.length > 0) await addGaps(table, list.keys, unknown);
  return { items, nextPage: hasNext ? page + 1 : null };
}

/** The lowest number that may have an item. */
const oldestOf = ({ gaps: [lowest] }: Extent) => (lowest?.[0] === 1 ? lowest[1] + 1 : 1);

/** The number of the `size`th item from `top` on, counting the gaps that are known. */
function lowest({ gaps }: Extent, top: number, size: number): number {
  const below = gaps
    .filter(([from]) => from <= top)
    .map(([from, to]): [number, number] => [from, Math.min(to, top)]);
  return numberAt({ count: top, gaps: below }, size - 1);
}

const isOld = (created: string, now: Date) => now.getTime() - Date.parse(created) > NEVER_AFTER_MS;

/**
 * The numbers from `bottom` to `top` that have no item and will never have one: those of deleted items, and those below an
 * old item, `newestOld`.
 */
function unused<T>(found: Found<T>, bottom: number, top: number, newestOld: number): Ranges {
  const ranges: Ranges = [];
  const addUpTo = (from: number, to: number) => {
    if (from <= to) ranges.push([from, to]);
  };
  let above = top;
  for (const { number, item } of found) {
    addUpTo(number + 1, Math.min(above, newestOld - 1));
    if (item === undefined) ranges.push([number, number]);
    above = number - 1;
  }
  addUpTo(bottom, Math.min(above, newestOld - 1));
  return ranges;
}
