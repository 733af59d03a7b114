/// <reference lib="dom" />
import type { FieldDoubts, FieldRequest } from "../protocol.ts";
import { nodesOf } from "./field-nodes.ts";
import { shiftedRows } from "./table-columns.ts";
import { kindOf } from "./values.ts";

/** What makes the values of fields doubtful, although rows have them. */

/** So many rows tell whether a selector matches several elements. */
const SAMPLE = 100;
/** Selectors that count elements. */
const BY_POSITION = /:(nth|first|last|only)-|\[\s*(\d+|last\(\)|position\(\).*)\s*\]|\bt[dh]\s*\+/;

/** What tells apart the values of the elements that a field finds. */
function valuesOf(row: Element, field: FieldRequest): (string | null)[] {
  const isAttribute = kindOf(field) === "attribute";
  return nodesOf(row, field, false).map((node) =>
    isAttribute && node instanceof Element
      ? node.getAttribute(field.attribute as string)
      : (node.textContent ?? "").replace(/\s+/g, " ").trim(),
  );
}

/** In how many rows a field finds several values; 0 if it finds as many in each row. */
function severalIn(rows: readonly Element[], field: FieldRequest): number {
  if (field.selector === undefined || field.all !== undefined || field.list) return 0;
  const values = rows.map((row) => valuesOf(row, field));
  const counts = new Set(values.map(({ length }) => length).filter((length) => length > 0));
  return counts.size < 2 ? 0 : values.filter((found) => new Set(found.filter(Boolean)).size > 1).length;
}

/** @param rows those of a page of the list */
export function doubtsOf(rows: readonly Element[], fields: readonly FieldRequest[]): FieldDoubts {
  const sample = rows.slice(0, SAMPLE);
  const byPosition = fields.some(
    ({ selector, column }) => column === undefined && BY_POSITION.test(selector ?? ""),
  );
  return {
    several: fields.flatMap((field, index) => {
      const count = severalIn(sample, field);
      return count > 0 ? { field: index, count } : [];
    }),
    shifted: byPosition ? shiftedRows(rows) : 0,
  };
}
