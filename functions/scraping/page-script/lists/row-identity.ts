/// <reference lib="dom" />
import { ALIKE, REPEATS, SAMPLE } from "../../limits.ts";
import type { FieldRequest, ListRequest } from "../protocol.ts";
import { elementOf, hasShadow } from "./field-nodes.ts";
import { attributeFields } from "./rows.ts";

/**
 * Which rows of a list were read before.
 *
 * On another document, none was. In a list that grows, a row is known by its element; if it was rendered anew, by its
 * position as long as the texts of such rows agree. In a list that keeps only a window of its rows, a row is known by its
 * position in the sequence (windows/follow-window.ts).
 */

/** What was last read of a list. */
export interface KnownList {
  rows: Element[];
  fields: readonly FieldRequest[];
  /** All rows that were ever read, from when the list first lost some of them. */
  seen: WeakSet<Element> | undefined;
  content: string;
}

/** By selector. */
const lists = new Map<string, KnownList>();

/** Between the contents of rows. */
const SEPARATOR = "\u0001";

/** Attributes that scripts also change on rows that stay: images that load, and how things look. */
const VOLATILE = /^(?:src|srcset|poster|style|class)$/;

/** What a list shows, to tell whether it changed: the texts of its rows, and the attributes that fields read. */
export function contentOf(rows: readonly Element[], fields: readonly FieldRequest[]): string {
  const inShadow = rows.slice(0, SAMPLE.shadow).some(hasShadow);
  const texts = rows.map((row) => (inShadow ? fullText(row) : row.textContent));
  const [first = ""] = texts;
  // Only attributes tell these rows apart, such as those of a gallery.
  const areAlike = texts.length > 1 ? texts.every((text) => text === first) : !/\S/.test(first);
  const telling = fields.filter(({ attribute = "" }) => areAlike || !VOLATILE.test(attribute));
  return [...texts, ...attributesOf(rows, telling)].join(SEPARATOR);
}

/** The values of the attributes that fields read, column by column. */
function attributesOf(rows: readonly Element[], fields: readonly FieldRequest[]): string[] {
  return attributeFields(fields).flatMap((field) =>
    rows.map((row) => elementOf(row, field)?.getAttribute(field.attribute ?? "") ?? ""),
  );
}

/** The text of an element, open shadow roots included. */
const fullText = (root: Element | ShadowRoot): string =>
  [root, ...root.querySelectorAll("*")].reduce(
    (text, at) => (at instanceof Element && at.shadowRoot ? text + fullText(at.shadowRoot) : text),
    root.textContent ?? "",
  );

/** What rows hold, links and all that fields read included, to recognize a page. */
export function fullContentOf(
  rows: readonly Element[],
  fields: readonly FieldRequest[],
  cells: readonly (string | null)[][],
): string {
  const values = cells.map((row) => JSON.stringify(row));
  const different = new Set(values).size;
  // A part of them that is not read may change all the time, such as how often something was viewed.
  const areTelling = different >= REPEATS.cycle && different > rows.length / 2;
  const parts = areTelling ? values : [contentOf(rows, fields), ...attributesOf(rows, fields)];
  for (const row of rows)
    for (const link of row.querySelectorAll("[href],[src]"))
      parts.push(link.getAttribute("href") ?? "", link.getAttribute("src") ?? "");
  return parts.join(SEPARATOR);
}

export const knownList = (selector: string): KnownList | undefined => lists.get(selector);

export function remember(
  { selector, fields }: Pick<ListRequest, "selector" | "fields">,
  rows: Element[],
  before?: KnownList,
): KnownList {
  const list = { rows, fields, seen: before?.seen, content: "" };
  if (list.seen) for (const row of rows) list.seen.add(row);
  lists.set(selector, list);
  return list;
}

/** What rows said before steps acted on them: a page that renders them anew may show them as they were. */
const textsBefore = new WeakMap<Element, string>();
const textBefore = (row: Element) => textsBefore.get(row) ?? row.textContent;

/** To be called before steps act on a row, and with the row that has come in its place. */
export function noteText(row: Element, instead = row): void {
  textsBefore.set(instead, row === instead ? row.textContent : textBefore(row));
}

/** Whether a list kept its rows since it was last read, as far as its ends tell. */
const onlyGrew = (rows: readonly Element[], { rows: known }: KnownList): boolean =>
  rows[0] === known[0] && rows[known.length - 1] === known.at(-1);

/** Whether a list has lost its last rows since it was last read, and nothing else. */
export const isCut = (rows: readonly Element[], { rows: known }: KnownList): boolean =>
  rows.length > 0 && rows.length < known.length && rows.every((row, at) => row === known[at]);

/** The rows that are new since the list was last read. In a list that only grew, the old ones are not looked at. */
export function newRows(rows: Element[], before: KnownList | undefined): Element[] {
  if (!before) return rows;
  if (onlyGrew(rows, before)) return rows.slice(before.rows.length);
  const added = rowsAdded(rows, before);
  if (added) return added;
  const seen = before.seen ?? new WeakSet(before.rows);
  before.seen = seen;
  return rows.filter((row) => !seen.has(row));
}

/**
 * The rows that a list got when it, or some of its rows, were rendered anew; undefined where none were, or where it may be
 * another list.
 */
export function rowsAdded(rows: Element[], { rows: known, fields }: KnownList): Element[] | undefined {
  const hasPlaces =
    rows.length >= known.length && known.every((row, at) => row === rows[at] || !row.isConnected);
  if (!hasPlaces) return undefined;
  // Some of them may show what steps have brought, and others what they showed before.
  const isSame = (row: Element, now = row) =>
    row.textContent === now.textContent || textBefore(row) === textBefore(now);
  if (known.every((row, at) => row.isConnected || isSame(row, rows[at]))) return rows.slice(known.length);
  const added = addedBy((row) => row.textContent, rows, known);
  if (added) return added;
  // A part of them that is not read may change all the time, such as how long ago something was.
  const valuesOf = (row: Element) =>
    fields.map((field) => elementOf(row, field)?.textContent ?? "").join(SEPARATOR);
  const different = new Set(known.map(valuesOf)).size;
  return different > known.length / 2 ? addedBy(valuesOf, rows, known) : undefined;
}

/** The same, by what rows are known by. */
function addedBy(
  identityOf: (row: Element) => string,
  rows: Element[],
  known: readonly Element[],
): Element[] | undefined {
  const count = known.length;
  const gone = known.flatMap((row, at) =>
    row.isConnected ? [] : [{ identity: identityOf(row), now: rows[at] }],
  );
  const same = gone.filter(({ identity, now }) => now && identityOf(now) === identity).length;
  if (same === gone.length) return rows.slice(count);
  // Their order may be another one.
  const left = new Map<string, number>();
  for (const { identity } of gone) left.set(identity, (left.get(identity) ?? 0) + 1);
  const added = rows.filter((row, at) => {
    if (row === known[at]) return false;
    const identity = identityOf(row);
    const times = left.get(identity) ?? 0;
    if (times > 0) left.set(identity, times - 1);
    return times === 0;
  });
  if (added.length === rows.length - count) return added;
  return same >= ALIKE * gone.length ? rows.slice(count) : undefined;
}

/** Whether the rows that were read are still in their places, or others with the same texts. */
export const keepsPlaces = (rows: Element[], before: KnownList | undefined): boolean =>
  before !== undefined && (onlyGrew(rows, before) || rowsAdded(rows, before) !== undefined);

/** Whether rows that look new may be known rows that were rendered again with other texts, followed by more rows. */
export const mayBeKnown = (rows: Element[], before: KnownList): boolean =>
  rows.length > before.rows.length &&
  !before.rows.some((row) => row.isConnected) &&
  rowsAdded(rows, before) === undefined;

export const hasChanged = (rows: Element[], before: KnownList, fields: readonly FieldRequest[]): boolean =>
  rows.length !== before.rows.length ||
  rows.some((row, index) => row !== before.rows[index]) ||
  contentOf(rows, fields) !== before.content;

/** Attributes that may number a row, on the row itself or on the element around it. */
const NUMBERS =
  "aria-rowindex aria-posinset row-index data-rowindex data-row-index data-item-index data-index".split(" ");

/** The numbers that the page gives to rows, where these increase from row to row. */
export function numbersOf(rows: readonly Element[]): (number | undefined)[] {
  for (const isInside of [false, true]) {
    for (const name of NUMBERS) {
      const numbers = rows.map((row) => {
        const value = (isInside ? row.parentElement : row)?.getAttribute(name) ?? "";
        return /^\d+$/.test(value) ? Number(value) : Number.NaN;
      });
      const increase = numbers.every(
        (number, index) => index === 0 || number > (numbers[index - 1] as number),
      );
      if (increase && !numbers.some(Number.isNaN)) return numbers;
    }
  }
  return rows.map(() => undefined);
}
