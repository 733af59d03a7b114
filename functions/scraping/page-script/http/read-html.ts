/// <reference lib="dom" />

import { beginRows, nodesOf, withEnds } from "../lists/field-nodes.ts";
import { contentBy, fullContentOf } from "../lists/row-identity.ts";
import { wantTexts, withoutHeads } from "../lists/rows.ts";
import { fieldValue, kindOf, resolved, type ValueReader } from "../lists/values.ts";
import { portion } from "../portions.ts";
import type { FieldRequest, Json } from "../protocol.ts";
import { ownText } from "../text/rendered-text.ts";
import { BrowserRequired } from "./browser-required.ts";
import { isInert, sheetsOf, wordsOf } from "./markup.ts";
import { nextAddress } from "./next-link.ts";
import { baseOf, parseHtml } from "./parse-html.ts";
import { createHtmlReader, type HtmlReader } from "./plain-text.ts";
import type { HtmlAnswer, HtmlPage, HtmlRequest } from "./protocol.ts";

/** Elements that scripts define or fill. */
const hasUnknown = (row: Element): boolean =>
  [row, ...row.querySelectorAll("*")].some(
    ({ localName }) => localName.includes("-") || localName === "slot" || localName === "template",
  );

const withoutEngine = (selector: string) => selector.replace(/^\s*css=/, "");

interface Reading {
  reader: HtmlReader;
  base: string;
}

/** Attributes that are no more than what the property of that name began with. */
const STATES = /^(?:value|checked|selected)$/;

function cellOf(element: Element, field: FieldRequest, { reader, base }: Reading): string | null {
  const kind = kindOf(field);
  if (kind === "text") return reader.text(element);
  if (kind === "own_text") return ownText(element);
  const { attribute = "" } = field;
  if (STATES.test(attribute) && attribute in element)
    throw new BrowserRequired("only the browser knows the state of its form controls");
  const value = element.getAttribute(attribute);
  if (value === null) return null;
  const address = resolved(value, attribute, base);
  // Other encodings than UTF-8 write such characters in another way.
  if (address !== undefined && /[^\0-\x7f]/.test(value) && document.characterSet !== "UTF-8")
    throw new BrowserRequired("its encoding decides what an address says");
  return address ?? value;
}

/** The rows of a list, and the values of each. */
function readRows(page: Document, selector: string, fields: readonly FieldRequest[], reading: Reading) {
  const found = [...page.querySelectorAll(withoutEngine(selector))];
  const rows = fields.some(({ column }) => column !== undefined) ? withoutHeads(found) : found;
  if (rows.length === 0) throw new BrowserRequired("its HTML has no rows");
  if (wantTexts(fields) && rows.some((row) => !/\S/.test(row.textContent)))
    throw new BrowserRequired("its HTML has rows without text");
  if (rows.some(hasUnknown)) throw new BrowserRequired("its rows have elements that scripts fill");
  beginRows([]);
  const read: ValueReader = (node, field) => cellOf(node as Element, field, reading);
  const cells = rows.map((row) => fields.map((field) => fieldValue(nodesOf(row, field), field, read)));
  return { rows, cells };
}

/** The values of the whole page, as its only row. */
function readFields(page: Document, fields: readonly FieldRequest[], reading: Reading) {
  const values = fields.map((field) => {
    const selector = field.list?.selector ?? field.selector;
    const elements =
      selector === undefined ? [page.documentElement] : [...page.querySelectorAll(withoutEngine(selector))];
    return fieldValue(elements, field, (node, field) => {
      if (hasUnknown(node as Element))
        throw new BrowserRequired("its fields have elements that scripts fill");
      return cellOf(node as Element, field, reading);
    });
  });
  return { rows: [], cells: [values] };
}

function read(request: HtmlRequest): HtmlPage {
  const { url, selector, until, control } = request;
  const { fields } = selector === undefined ? request : withEnds({ selector, until, fields: request.fields });
  if (matchMedia("(scripting: none)").matches)
    throw new BrowserRequired("the site allows its pages no scripts");
  const page = parseHtml(request);
  const base = baseOf(page, url);
  const reader = createHtmlReader(page);
  const read =
    selector === undefined
      ? readFields(page, fields, { reader, base })
      : readRows(page, selector, fields, { reader, base });
  const rows: Element[] = read.rows;
  const { cells, rest, oversize } = portion(read.cells);
  if (rest > 0 || oversize) throw new BrowserRequired("its rows are too large");
  const inert = isInert(page);
  return {
    cells,
    content: fullContentOf(
      rows,
      fields,
      contentBy(
        rows.map((row) => row.textContent),
        rows,
        fields,
      ),
    ),
    target: control ? nextAddress(page, { control, rows: new Set(rows), reader, url, base }) : null,
    sheets: sheetsOf(page, base),
    isInert: inert,
    words: inert ? [] : wordsOf(page, base),
  };
}

/**
 * Reads a list, or the fields of the whole page, from the HTML of a page as the browser would show it, next to a page of
 * the same site that is open.
 */
export function readHtml(request: HtmlRequest): Json<HtmlAnswer> {
  let answer: HtmlAnswer;
  try {
    answer = read(request);
  } catch (error) {
    const { message, sheets } =
      error instanceof BrowserRequired ? error : new BrowserRequired(`its HTML can't be read (${error})`);
    answer = { browserRequired: message, sheets };
  }
  return JSON.stringify(answer);
}
