/// <reference lib="dom" />
import { REST_MS } from "../show-each.ts";
import { delay } from "../waiting.ts";

/** Values that elements have only while they are in view: some pages take them away again. */

/** A number that a script may count up, such as "0", "$0.00" or "0 sold". */
const ZERO = /^[^\p{L}\p{N}]*0[^1-9]{0,20}$/u;
/** How long numbers that begin with zero may take to count up, in ms. Small ones stay the same for long meanwhile. */
export const COUNTING_MS = 5_000;
/** How often a view whose values change rests once more. */
const MORE_RESTS = 20;

type Values = readonly (string | null)[];

interface Noting {
  items: readonly Element[];
  valuesOf: (items: readonly Element[]) => Promise<readonly Values[]>;
  /** Called with what an element had before it came into view, and what it has there. */
  note: (item: Element, before: Values, inView: Values) => void;
  /** Whether there may be numbers among the values that are counted up. */
  mayCount: boolean;
}

/** Returns what notes the values of elements that are in view, once these stay the same. */
export async function createValueNoter({
  items,
  valuesOf,
  note,
  mayCount,
}: Noting): Promise<() => Promise<void>> {
  const before = new Map<Element, Values>();
  for (const [index, values] of (await valuesOf(items)).entries())
    before.set(items[index] as Element, values);
  return async () => {
    if (mayCount) await delay(COUNTING_MS);
    const shown = items.filter(isInView);
    const beforeOf = (at: number) => before.get(shown[at] as Element) ?? [];
    let now = await valuesOf(shown);
    let isStill = now.every((values, at) => areSame(values, beforeOf(at)));
    for (let round = 0; round < MORE_RESTS && !isStill; round += 1) {
      await delay(REST_MS);
      const last = now;
      now = await valuesOf(shown);
      isStill = now.every((values, at) => areSame(values, last[at] ?? []));
    }
    for (const [at, item] of shown.entries()) {
      const values = now[at] ?? [];
      if (!areSame(values, beforeOf(at))) note(item, beforeOf(at), values);
    }
  };
}

export const isZero = (value: string | null | undefined): boolean => ZERO.test(value ?? "");

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/** What rows had before they came into view, and what they had there. */
let known: WeakMap<Element, { before: Values; inView: Values }> | undefined;

const areSame = (some: Values, others: Values): boolean =>
  some.length === others.length && some.every((value, index) => value === others[index]);

export function noteValues(row: Element, before: Values, inView: Values): void {
  known ??= new WeakMap();
  known.set(row, { before, inView });
}

/** The values that a row had in view, where it now has the same as before that; else those that it has. */
export function withValuesInView(row: Element, values: (string | null)[]): (string | null)[] {
  const noted = known?.get(row);
  return noted && areSame(noted.before, values) ? [...noted.inView] : values;
}

/** To be called before another list is read, or another page of it: it may use the same elements. */
export function forgetValues(): void {
  known = undefined;
}
