/// <reference lib="dom" />
import type { FieldRequest, ListRequest } from "../protocol.ts";
import { all } from "../query.ts";
import { isStatic } from "../static.ts";
import { createTextReader } from "../text/text.ts";
import { beginRows, hasShadow, nodesOf } from "./field-nodes.ts";
import { forgetTables, isHead } from "./table-columns.ts";
import { fieldValue, kindOf, readsText, readValue, type ValueReader } from "./values.ts";
import { withValuesInView } from "./values-in-view.ts";

/** The values of rows, and rows that have none yet. */

/** The rows of a list. Where fields name columns, rows that repeat these names are none. */
export function listRows({ selector, fields }: Pick<ListRequest, "selector" | "fields">): Element[] {
  const rows = all(document, selector);
  return fields.some(({ column }) => column !== undefined) ? withoutHeads(rows) : rows;
}

export function withoutHeads(rows: Element[]): Element[] {
  forgetTables();
  return rows.filter((row) => !isHead(row));
}

/** The values of each row; null where a row has no such element. @throws NotPainted */
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

/** The fields that read texts. */
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
