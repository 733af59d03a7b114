/// <reference lib="dom" />
import type { FieldRequest } from "../protocol.ts";
import { isStatic } from "../static.ts";
import { firstBelow, isBlank, resolved, wantTexts } from "./rows.ts";

/** Rows that look as if a script filled them once they come into view. */

/** Rows of a list as they were read. */
export interface ReadRows {
  rows: Element[];
  fields: readonly FieldRequest[];
  /** Whether the list had rows before these. */
  isPart: boolean;
}
type Cells = readonly (readonly (string | null)[])[];

const IMAGE = /^(src|srcset|poster)$/;
/** Where pages keep the address of an image until it comes into view; `src` stands for the attribute itself. */
const LAZY = ["data-src", "data-lazy-src", "data-lazy", "data-original", "data-echo"];
/** So many rows that say the same at the end of a list may all be waiting to be filled. */
const ALIKE = 3;
/** Longer texts are no placeholders. */
const TEXT_MAX = 40;
/** A text that stands for one that is yet to come. */
const PLACEHOLDER = /^(?:[^\p{L}\p{N}\p{S}]*|loading\P{L}*)$/iu;
/** Of more rows than this, the texts are not compared. */
const ROWS_MAX = 5_000;

/** Whether rows look as if they were waiting to come into view. */
export const mayBeUnseen = (read: ReadRows, cells: Cells): boolean => unseenRows(read, cells).size > 0;

/** The rows that look as if they were waiting to come into view, with the selector of what each lacks. */
export function unseenRows(
  { rows, fields, isPart }: ReadRows,
  cells: Cells,
): Map<Element, string | undefined> {
  const unseen = new Map<Element, string | undefined>();
  if (isStatic()) return unseen;
  for (const [index, field] of fields.entries()) {
    const column = cells.map((values) => values[index] ?? "");
    const isImage = field.attribute !== undefined && IMAGE.test(field.attribute);
    const start = placeholdersFrom(column, {
      isPart,
      lengthMax: isImage ? Number.POSITIVE_INFINITY : TEXT_MAX,
    });
    for (const [at, row] of rows.entries())
      if (at >= start || (isImage && lacksImage(row, field, column[at] as string)))
        unseen.set(row, field.selector);
  }
  if (!wantTexts(fields) || rows.length < ALIKE || rows.length > ROWS_MAX) return unseen;
  const blank = rows.filter(isBlank);
  const hidden = rows.filter((row, index) => !cells[index]?.some(Boolean) && isInvisible(row));
  // Where all rows are like that, it is not because of their place.
  const some = [blank, hidden].filter(({ length }) => length < rows.length);
  for (const row of [...some.flat(), ...alikeRows(rows)]) unseen.set(row, undefined);
  return unseen;
}

/** Whether an image of a row has no address yet, or one that stands for another. */
function lacksImage(row: Element, { selector, attribute = "" }: FieldRequest, value: string): boolean {
  if (value === "" || value.startsWith("data:")) return true;
  const image = selector === undefined ? row : firstBelow(row, selector);
  return LAZY.some((name) => {
    const later = image?.getAttribute(name.replace(/src$/, attribute));
    return later && resolved(later, attribute, row.baseURI) !== value;
  });
}

/**
 * Where the rows begin that have the same value up to the end, unlike all rows before them: only those in view may be
 * filled. The number of rows where there are no such.
 */
function placeholdersFrom(
  column: readonly string[],
  { isPart, lengthMax }: { isPart: boolean; lengthMax: number },
): number {
  const last = column.at(-1) ?? "";
  const start = column.findLastIndex((value) => value !== last) + 1;
  const isAlone = start > 0 ? !column.slice(0, start).includes(last) : isPart && PLACEHOLDER.test(last);
  const isPlaceholder = isAlone && last.length <= lengthMax && column.length - start >= ALIKE;
  return isPlaceholder ? start : column.length;
}

/** The rows with the same short text as the last ones. */
function alikeRows(rows: readonly Element[]): Element[] {
  const textOf = (row: Element | undefined) => row?.textContent.trim() ?? "";
  const text = textOf(rows.at(-1));
  if (text.length > TEXT_MAX || rows.slice(-ALIKE).some((row) => textOf(row) !== text)) return [];
  return rows.filter((row) => textOf(row) === text);
}

/** Whether a row has text and a place, but nothing of it can be seen. */
const isInvisible = (row: Element) => !isBlank(row) && row.getClientRects().length > 0;
