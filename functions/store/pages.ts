import { PAGE_SIZE } from "../contract/route.ts";
import { addGaps, type Extent, type ListKeys, numberAt, readExtent } from "./gaps.ts";
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

/** What a range of numbers has: items, and what is left of deleted ones. */
export type Found<T> = (Numbered<T> | { number: number; item: undefined })[];

export interface NumberedList<T> {
  keys: ListKeys;
  /** Reads what there is with the numbers `oldest` to `newest`, newest first: `most` of it. `more`: whether there is more. */
  read(oldest: number, newest: number, most: number): Promise<{ found: Found<T>; more: boolean }>;
}

/** A number that has no item for so long will never have one: longer than an Idempotency-Key can still create its run. */
const NEVER_AFTER_MS = 25 * 60 * 60 * 1000;

/**
 * One page of a numbered list, newest first. Every page reads as many numbers as it has items, and one more to see whether
 * there is a following page. Where a number turns out to have no item, the page is filled up with older ones, and the list
 * learns of the gap.
 */
export async function readPage<T>(
  table: Table,
  list: NumberedList<T>,
  page: number,
  now: Date,
): Promise<Page<T>> {
  const extent = await readExtent(table, list.keys);
  const items: T[] = [];
  const dead: number[] = [];
  let hasNext = false;
  for (let top = numberAt(extent, (page - 1) * PAGE_SIZE); top >= 1 && !hasNext; ) {
    const left = PAGE_SIZE - items.length;
    const bottom = Math.max(1, lowest(extent, top, left + 1));
    const { found, more } = await list.read(bottom, top, left);
    for (const { item } of found) if (item !== undefined) items.push(item);
    // What was not read is not known to be missing.
    dead.push(...unused(extent, more ? (found.at(-1)?.number ?? top) : bottom, top, found, now));
    hasNext = more && items.length === PAGE_SIZE;
    top = more ? (found.at(-1)?.number ?? top + 1) - 1 : bottom - 1;
  }
  if (dead.length > 0) await addGaps(table, list.keys, dead);
  return { items, nextPage: hasNext ? page + 1 : null };
}

/** The number of the `size`th item from `top` on, counting the gaps that are known. */
function lowest({ gaps }: Extent, top: number, size: number): number {
  const below = gaps
    .filter(([from]) => from <= top)
    .map(([from, to]): [number, number] => [from, Math.min(to, top)]);
  return numberAt({ count: top, gaps: below }, size - 1);
}

/** The numbers in this range that turn out to have no item, and will never have one. */
function unused<T>({ gaps }: Extent, bottom: number, top: number, found: Found<T>, now: Date): number[] {
  const isOld = (created: string) => now.getTime() - Date.parse(created) > NEVER_AFTER_MS;
  const live = found.filter((one): one is Numbered<T> => one.item !== undefined);
  const newestOld = live.find(({ created_at }) => isOld(created_at))?.number ?? 0;
  const byNumber = new Map(found.map((one) => [one.number, one]));
  const numbers: number[] = [];
  for (let number = bottom; number <= top; number += 1) {
    const one = byNumber.get(number);
    const isDead = one === undefined ? number < newestOld : one.item === undefined;
    if (isDead && !gaps.some(([from, to]) => from <= number && number <= to)) numbers.push(number);
  }
  return numbers;
}
