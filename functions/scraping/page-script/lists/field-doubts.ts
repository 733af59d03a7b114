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

/** What tells apart the values of the nodes that a field finds. */
const distinguishing = (node: Node, field: FieldRequest): string | null =>
  kindOf(field) === "attribute" && node instanceof Element
    ? node.getAttribute(field.attribute as string)
    : (node.textContent ?? "").replace(/\s+/g, " ").trim();

/** In how many rows a field finds several values; 0 if it finds as many in each row. */
function severalIn(rows: readonly Element[], field: FieldRequest): number {
  if (field.selector === undefined || field.all !== undefined || field.list) return 0;
  const values = rows.map((row) => nodesOf(row, field, false).map((node) => distinguishing(node, field)));
  const counts = new Set(values.map(({ length }) => length).filter((length) => length > 0));
  return counts.size < 2 ? 0 : values.filter((found) => new Set(found.filter(Boolean)).size > 1).length;
}

/**
 * Fields of a page that may be those of a list: at least two of them find as many elements with different values.
 * @param find the nodes of a field
 */
export function listedFields(
  fields: readonly FieldRequest[],
  find: (field: FieldRequest) => readonly Node[],
): FieldDoubts["several"] {
  const found = fields.flatMap((field, index) => {
    if (field.selector === undefined || field.all !== undefined || field.list) return [];
    const values = new Set(find(field).map((node) => distinguishing(node, field)));
    return values.size > 1 ? [{ field: index, count: values.size }] : [];
  });
  return found.filter(({ count }) => found.filter((other) => other.count === count).length > 1);
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
