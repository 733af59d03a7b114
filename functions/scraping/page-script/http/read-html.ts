/// <reference lib="dom" />
import { contentBy, fullContentOf } from "../lists/row-identity.ts";
import { firstBelow, resolved, wantTexts } from "../lists/rows.ts";
import { portion } from "../portions.ts";
import type { FieldRequest, HtmlAnswer, HtmlPage, HtmlRequest, Json } from "../protocol.ts";
import { BrowserRequired } from "./browser-required.ts";
import { isInert, sheetsOf, wordsOf } from "./markup.ts";
import { nextAddress } from "./next-link.ts";
import { baseOf, parseHtml } from "./parse-html.ts";
import { createHtmlReader, type HtmlReader } from "./plain-text.ts";

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

function cellOf(element: Element, attribute: string | undefined, { reader, base }: Reading): string | null {
  if (attribute === undefined || attribute === "text") return reader.text(element);
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
  const rows = [...page.querySelectorAll(withoutEngine(selector))];
  if (rows.length === 0) throw new BrowserRequired("its HTML has no rows");
  if (wantTexts(fields) && rows.some((row) => !/\S/.test(row.textContent)))
    throw new BrowserRequired("its HTML has rows without text");
  if (rows.some(hasUnknown)) throw new BrowserRequired("its rows have elements that scripts fill");
  const cells = rows.map((row) =>
    fields.map(({ selector, attribute }) => {
      const element = selector === undefined ? row : firstBelow(row, selector);
      return element && cellOf(element, attribute, reading);
    }),
  );
  return { rows, cells };
}

/** The values of the whole page, as its only row. */
function readFields(page: Document, fields: readonly FieldRequest[], reading: Reading) {
  const values = fields.map(({ selector, attribute }) => {
    const element =
      selector === undefined ? page.documentElement : page.querySelector(withoutEngine(selector));
    if (!element) return null;
    if (hasUnknown(element)) throw new BrowserRequired("its fields have elements that scripts fill");
    return cellOf(element, attribute, reading);
  });
  return { rows: [], cells: [values] };
}

function read(request: HtmlRequest): HtmlPage {
  const { url, selector, fields, control } = request;
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
