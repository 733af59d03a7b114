/// <reference lib="dom" />
import type { FieldRequest, ListRequest } from "../protocol.ts";
import { all } from "../query.ts";
import { isStatic } from "../static.ts";
import { createTextReader } from "../text/text.ts";
import { withoutErrors } from "./declared-size.ts";
import { beginRows, hasShadow, nodesOf } from "./field-nodes.ts";
import { forgetTables, isHead } from "./table-columns.ts";
import { fieldValue, kindOf, readsText, readValue, type ValueReader } from "./values.ts";

/** The values of rows, and rows that have none yet. */

/** The rows of a list. Where fields name columns, rows that repeat these names are none. */
export function listRows({ selector, fields }: Pick<ListRequest, "selector" | "fields">): Element[] {
  const rows = withoutErrors(all(document, selector));
  return fields.some(({ column }) => column !== undefined) ? withoutHeads(rows) : rows;
}

export function withoutHeads(rows: Element[]): Element[] {
  forgetTables();
  return rows.filter((row) => !isHead(row));
}

/** The values of each row; null where a row has no such element. */
export function readRows(rows: Element[], fields: readonly FieldRequest[]): (string | null)[][] {
  beginRows(rows);
  forgetTables();
  const textOf = createTextReader();
  const read: ValueReader = (node, field) => readValue(node, field, textOf);
  return rows.map((row) =>
    withValuesInView(
      row,
      fields.map((field) => fieldValue(nodesOf(row, field), field, read)),
    ),
  );
}

export const textFields = (fields: readonly FieldRequest[]): FieldRequest[] => fields.filter(readsText);

/** The fields that read attributes; `html` is none. */
export const attributeFields = (fields: readonly FieldRequest[]) =>
  fields.filter((field) => kindOf(field) === "attribute");

export const wantTexts = (fields: readonly FieldRequest[]): boolean => textFields(fields).length > 0;

export const isBlank = (row: Element) =>
  !/[^\s\u200b-\u200d\u2060\ufeff]/.test(row.textContent) && !hasShadow(row);

/** Whether all rows are placeholders that a script has yet to fill: their texts are wanted, and none has any. */
export const arePlaceholders = (rows: readonly Element[], fields: readonly FieldRequest[]): boolean =>
  rows.length > 0 && rows.every(isBlank) && wantTexts(fields) && !isStatic();

/** Rows without the placeholders at their end. */
export function withoutPlaceholders(rows: Element[], fields: readonly FieldRequest[]): Element[] {
  const count = rows.findLastIndex((row) => !isBlank(row)) + 1;
  return count < rows.length && arePlaceholders(rows.slice(count), fields) ? rows.slice(0, count) : rows;
}

/** Values that elements have only while they are in view: some pages take them away again. */

/** A number that a script may count up, such as "0", "$0.00" or "0 sold". */
const ZERO = /^[^\p{L}\p{N}]*0[^1-9]{0,20}$/u;

type Values = readonly (string | null)[];

interface Noting {
  items: readonly Element[];
  valuesOf: (items: readonly Element[]) => readonly Values[];
  /** Called with what an element had before it came into view, and what it has there. */
  note: (item: Element, before: Values, inView: Values) => void;
}

/** Returns what notes the values of elements that are in view. */
export function createValueNoter({ items, valuesOf, note }: Noting): () => void {
  const before = new Map<Element, Values>();
  for (const [index, values] of valuesOf(items).entries()) before.set(items[index] as Element, values);
  return () => {
    const shown = items.filter(isInView);
    for (const [at, values] of valuesOf(shown).entries()) {
      const item = shown[at] as Element;
      const known = before.get(item) ?? [];
      if (!areSame(values, known)) note(item, known, values);
    }
  };
}

export const isZero = (value: string | null | undefined): boolean => ZERO.test(value ?? "");

export function isInView(element: Element): boolean {
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
