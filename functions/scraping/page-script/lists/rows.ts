/// <reference lib="dom" />
import type { FieldRequest } from "../protocol.ts";
import { all } from "../query.ts";
import { isStatic } from "../static.ts";
import { createTextReader, type TextReader } from "../text/text.ts";
import { withValuesInView } from "./values-in-view.ts";

/** The values of rows, and rows that have none yet. */

const URL_ATTRIBUTES = new Set(
  "href src action formaction poster cite data background longdesc xlink:href".split(" "),
);
/** Whether the rows being read have anything to do with shadow roots. */
let inShadow = false;

function attributeOf(element: Element | null, attribute: string): string | null {
  if (element === null) return null;
  // Marks for selectors that only Playwright can evaluate are not the page's.
  if (attribute === "html") return element.innerHTML.replace(/ data-gleaner-mark(?:-\w+)?="[^"]*"/g, "");
  const value = element.getAttribute(attribute);
  if (value === null) return value;
  if (attribute === "href" && element instanceof HTMLAnchorElement) return element.href;
  return resolved(value, attribute, element.baseURI) ?? value;
}

/** The value of an attribute that holds an address, as an absolute one; undefined for other attributes. */
export const resolved = (value: string, attribute: string, base: string): string | undefined =>
  URL_ATTRIBUTES.has(attribute) ? (URL.parse(value, base)?.href ?? value) : undefined;

const readsText = (attribute: string | undefined): attribute is "text" | undefined =>
  attribute === undefined || attribute === "text";

/** The value of an element: its text, or the attribute that the field names. */
export const readValue = (
  element: Element | null,
  attribute: string | undefined,
  textOf: TextReader,
): string | null => (readsText(attribute) ? element && textOf(element) : attributeOf(element, attribute));

/** What a row's following siblings have, which no selector reaches from the row itself. */
function firstAfter(row: Element, selector: string): Element | null {
  let number = 1;
  for (let at = row.previousElementSibling; at; at = at.previousElementSibling) number += 1;
  return row.parentElement?.querySelector(`:scope > :nth-child(${number}) ${selector}`) ?? null;
}

/** The first element of a row that a selector matches. */
export function firstBelow(row: Element, selector: string): Element | null {
  const sibling = /^\s*(?::scope\s*)?([+~][\s\S]*)$/.exec(selector)?.[1];
  if (sibling !== undefined) return firstAfter(row, sibling);
  if (/^\s*(xpath=|\.{0,2}\/|\.\.|\()/.test(selector)) return all(row, selector)[0] ?? null;
  const found = row.querySelector(selector.replace(/^\s*css=/, ""));
  return found || !inShadow ? found : (all(row, selector)[0] ?? null);
}

export const hasShadow = (row: Element): boolean =>
  row.getRootNode() !== document ||
  row.shadowRoot !== null ||
  [...row.querySelectorAll("*")].some((element) => element.shadowRoot !== null);

/** The values of each row; null where a row has no such element. @throws NotPainted */
export function readRows(rows: Element[], fields: readonly FieldRequest[]): (string | null)[][] {
  inShadow = rows.slice(0, 20).some(hasShadow);
  const textOf = createTextReader();
  return rows.map((row) => {
    const values = fields.map(({ selector, attribute }) =>
      readValue(selector === undefined ? row : firstBelow(row, selector), attribute, textOf),
    );
    return withValuesInView(row, values);
  });
}

/** The fields that read texts. */
export const textFields = (fields: readonly FieldRequest[]): FieldRequest[] =>
  fields.filter(({ attribute }) => readsText(attribute));

/** The fields that read attributes; `html` is none. */
export const attributeFields = (fields: readonly FieldRequest[]) =>
  fields.flatMap(({ selector, attribute }) =>
    readsText(attribute) || attribute === "html" ? [] : { selector, attribute },
  );

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
