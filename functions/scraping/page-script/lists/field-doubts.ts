/// <reference lib="dom" />
import { SAMPLE } from "../../limits.ts";
import type { FieldDoubts, FieldRequest } from "../protocol.ts";
import { isShown } from "../visibility.ts";
import { nodesOf } from "./field-nodes.ts";
import { columnsMeant, shiftedRows } from "./table-columns.ts";
import { kindOf } from "./values.ts";

type Several = FieldDoubts["several"][number];

/** What makes the values of fields doubtful, although rows have them. */

/** Selectors that count elements. */
const BY_POSITION = /:(nth|first|last|only)-|\[\s*(\d+|last\(\)|position\(\).*)\s*\]|\bt[dh]\s*\+/;

/** How many different values the nodes have that a field finds. One alone is not looked at: it may be very long. */
function differentIn(nodes: readonly Node[], field: FieldRequest): number {
  if (nodes.length < 2) return nodes.length;
  const read = (node: Node) =>
    kindOf(field) === "attribute" && node instanceof Element
      ? node.getAttribute(field.attribute as string)
      : (node.textContent ?? "").replace(/\s+/g, " ").trim();
  return new Set(nodes.map(read).filter(Boolean)).size;
}

const isVisible = (node: Node): boolean => node instanceof Element && isShown(node);

/** Whether the first node, which counts, is hidden, and another one is shown, as where a page has copies for small screens. */
const isFirstHidden = ([first, ...others]: readonly Node[]): boolean =>
  first instanceof Element && !document.head?.contains(first) && !isShown(first) && others.some(isVisible);

/** The rows in which a field finds several values, if it finds fewer in others, or a hidden one before one that is shown. */
function severalIn(rows: readonly Element[], field: FieldRequest): Pick<Several, "count" | "isHidden"> {
  if ((field.selector ?? field.path) === undefined || field.all !== undefined || field.list)
    return { count: 0, isHidden: false };
  const found = rows.map((row) => nodesOf(row, field, false));
  const doubtful = found.filter((nodes) => differentIn(nodes, field) > 1);
  const hidden = doubtful.filter(isFirstHidden);
  if (hidden.length > 0) return { count: hidden.length, isHidden: true };
  const counts = new Set(found.map(({ length }) => length).filter((length) => length > 0));
  return { count: counts.size < 2 ? 0 : doubtful.length, isHidden: false };
}

/**
 * Fields of a page that find several elements with different values, and may be those of a list: at least two of them find
 * as many. Or the first of them is hidden, and another one is shown.
 * @param find the nodes of a field
 */
export function listedFields(
  fields: readonly FieldRequest[],
  find: (field: FieldRequest) => readonly Node[],
): FieldDoubts["several"] {
  const found = fields.flatMap((field, index) => {
    if (field.selector === undefined || field.all !== undefined || field.list) return [];
    const nodes = find(field);
    const count = differentIn(nodes, field);
    return count > 1 ? [{ field: index, count, isHidden: isFirstHidden(nodes) }] : [];
  });
  return found.filter(
    ({ count, isHidden }) => isHidden || found.filter((other) => other.count === count).length > 1,
  );
}

/** The columns that the name of a field may mean, if their cells differ in some rows; undefined if it means one. */
function columnsOf(rows: readonly Element[], { column, all }: FieldRequest) {
  if (column === undefined || all === false) return undefined;
  const meant = rows.map((row) => columnsMeant(row, column));
  const names = meant[0]?.map(({ name }) => name) ?? [];
  if (names.length < 2) return undefined;
  const textOf = (cell: Element | undefined) => (cell?.textContent ?? "").replace(/\s+/g, " ").trim();
  const count = meant.filter((cells) => new Set(cells.map(({ cell }) => textOf(cell))).size > 1).length;
  return count > 0 ? { names, count } : undefined;
}

/** @param rows those of a page of the list */
export function doubtsOf(rows: readonly Element[], fields: readonly FieldRequest[]): FieldDoubts {
  const sample = rows.slice(0, SAMPLE.several);
  const byPosition = fields.some(
    ({ selector, column }) => column === undefined && BY_POSITION.test(selector ?? ""),
  );
  return {
    several: fields.flatMap((field, index) => {
      const found = severalIn(sample, field);
      return found.count > 0 ? { field: index, ...found } : [];
    }),
    columns: fields.flatMap((field, index) => {
      const found = columnsOf(sample, field);
      return found ? { field: index, ...found } : [];
    }),
    shifted: byPosition ? shiftedRows(rows) : 0,
  };
}
