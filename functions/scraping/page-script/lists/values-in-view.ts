/// <reference lib="dom" />
/** Values that rows have only while they are in view: some pages take them away again. */

type Values = readonly (string | null)[];

/** What rows had before they came into view, and what they had there. */
let known: WeakMap<Element, { before: Values; inView: Values }> | undefined;

export const areSame = (some: Values, others: Values): boolean =>
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
