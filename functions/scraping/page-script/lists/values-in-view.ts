/// <reference lib="dom" />

/** Values that elements have only while they are in view: some pages take them away again. */

/** A number that a script may count up, such as "0", "$0.00" or "0 sold". */
const ZERO = /^[^\p{L}\p{N}]*0[^1-9]{0,20}$/u;

type Values = readonly (string | null)[];

interface Noting {
  items: readonly Element[];
  valuesOf: (items: readonly Element[]) => Promise<readonly Values[]>;
  /** Called with what an element had before it came into view, and what it has there. */
  note: (item: Element, before: Values, inView: Values) => void;
}

/** Returns what notes the values of elements that are in view. */
export async function createValueNoter({ items, valuesOf, note }: Noting): Promise<() => Promise<void>> {
  const before = new Map<Element, Values>();
  for (const [index, values] of (await valuesOf(items)).entries())
    before.set(items[index] as Element, values);
  return async () => {
    const shown = items.filter(isInView);
    for (const [at, values] of (await valuesOf(shown)).entries()) {
      const item = shown[at] as Element;
      const known = before.get(item) ?? [];
      if (!areSame(values, known)) note(item, known, values);
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
