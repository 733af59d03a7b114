/// <reference lib="dom" />

import { IN_VIEW, PLACEHOLDERS, ROWS_COMPARED, VIEWS } from "../../limits.ts";
import { areValues } from "../json/reader.ts";
import { releaseLayout } from "../layout.ts";
import { type FieldRequest, type LazyImages, OBSERVED, type WithRows } from "../protocol.ts";
import { showEach } from "../show-each.ts";
import { isStatic } from "../static.ts";
import { hiddenTexts } from "../visibility.ts";
import { isToldOfScroll } from "../windows/windowed.ts";
import { elementOf } from "./field-nodes.ts";
import { forgetErrors } from "./load-error.ts";
import {
  createValueNoter,
  isBlank,
  isInView,
  isZero,
  noteValues,
  readRows,
  textFields,
  wantTexts,
} from "./rows.ts";
import { resolved } from "./values.ts";

/** Rows that look as if a script fills them when they come into view. */

/** Rows of a list that are read. */
interface Reading {
  rows: Element[];
  fields: readonly FieldRequest[];
  /** Whether the list had rows before these. */
  isPart: boolean;
}
type Cells = (string | null)[][];

/** Rows, their values, and what these lack because of the view. */
interface Read extends Pick<WithRows, "unfilled"> {
  rows: Element[];
  cells: Cells;
  /** Whether rows were brought into view. */
  isRevealed: boolean;
}

/**
 * Reads rows, and brings those into view that wait for that, or look like it.
 * @param lookAgain the rows that came in place of those that are gone
 * @param mayReveal whether that is allowed
 */
export async function readInView(
  { rows: first, ...reading }: Reading,
  lookAgain: () => Element[],
  mayReveal: (cells: Cells) => boolean = () => true,
): Promise<Read> {
  if (first.length > 0) forgetErrors();
  let rows = first;
  let cells = readRows(rows, reading.fields);
  const isUnseen = () => unseenRows({ rows, ...reading }, cells).size > 0;
  let isUnfilled = isUnseen();
  const mayChange = (isUnfilled || mayChangeInView(rows)) && mayReveal(cells);
  const revealed = mayChange ? await reveal({ rows, ...reading }) : undefined;
  if (revealed) {
    if (rows.some((row) => !row.isConnected)) rows = lookAgain().slice(0, rows.length);
    cells = readRows(rows, reading.fields);
    isUnfilled = isUnseen();
  }
  const hasUnseen = revealed?.isCut === true;
  const unfilled = (isUnfilled || hasUnseen) && {
    hasUnseen,
    lazyImages: findLazyImages({ rows, ...reading }, cells),
  };
  return { rows, cells, isRevealed: revealed !== undefined, ...(unfilled && { unfilled }) };
}

const IMAGE = /^(src|srcset|poster)$/;
/** Attributes in which pages keep the address of an image until it comes into view. `src` stands for the field's attribute. */
const LAZY = ["data-src", "data-lazy-src", "data-lazy", "data-original", "data-echo"];
const ADDRESS = /^(?:https?:)?\/\S+$|^\S+\.(?:avif|gif|jpe?g|png|svg|webp)(?:\?\S*)?$/i;
/** A value that stands for an image or a text that is yet to come. */
const PLACEHOLDER = /^(?:data:.*|[^\p{L}\p{N}\p{S}]*|loading\P{L}*)$/isu;

export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value) || isZero(value);

/** The rows that look as if they wait to come into view, each with the field that it lacks. */
function unseenRows({ rows, fields, isPart }: Reading, cells: Cells): Map<Element, FieldRequest | undefined> {
  const unseen = new Map<Element, FieldRequest | undefined>();
  if (isStatic() || areValues(rows)) return unseen;
  const isLong = rows.length > ROWS_COMPARED;
  for (const [index, field] of fields.entries()) {
    const column = cells.map((values) => values[index] ?? "");
    const isImage = field.attribute !== undefined && IMAGE.test(field.attribute);
    const start = placeholdersFrom(column, {
      isPart,
      lengthMax: isImage ? Number.POSITIVE_INFINITY : PLACEHOLDERS.text,
    });
    for (const [at, row] of rows.entries()) {
      const value = column[at] as string;
      const isUnseen =
        at >= start || (isImage && (isNoImage(value) || (!isLong && hasOther(row, field, value))));
      if (isUnseen) unseen.set(row, field);
    }
  }
  if (!wantTexts(fields) || isLong) return unseen;
  for (const [row, field] of hiddenRows(rows, fields)) unseen.set(row, field);
  if (rows.length < PLACEHOLDERS.alike) return unseen;
  const blank = rows.filter(isBlank);
  const hidden = rows.filter((row, index) => !cells[index]?.some(Boolean) && isInvisible(row));
  // If all rows are like that, their position is not the reason.
  const some = [blank, hidden].filter(({ length }) => length < rows.length);
  for (const row of [...some.flat(), ...alikeRows(rows)]) unseen.set(row, undefined);
  return unseen;
}

/** Whether the page wants to be told when an element, or something in it, comes into view. */
const isObserved = (element: Element): boolean =>
  !element.dispatchEvent(new Event(OBSERVED, { cancelable: true, composed: true }));

/**
 * Whether rows out of view may get other values once they come into view: the page wants to be told of that. It wants to
 * be told of a last row alone to add more rows. Most pages that are told of scrolling do something else: one view shows that.
 */
function mayChangeInView(rows: readonly Element[]): boolean {
  const last = rows.at(-1);
  const before = rows.at(-2);
  if (isStatic() || !last || !before) return false;
  if (isObserved(last)) return !isInView(last) && (isInView(before) || isObserved(before));
  return inVain === 0 && isToldOfScroll(last) && !isInView(last);
}

/** The rows with a text that is hidden in its place, and the field of that text. */
function* hiddenRows(
  rows: readonly Element[],
  fields: readonly FieldRequest[],
): Generator<[Element, FieldRequest]> {
  for (const field of textFields(fields))
    for (const row of rows) {
      const element = elementOf(row, field);
      if (element && hiddenTexts(element).length > 0) yield [row, field];
    }
}

/** Lazy-loaded images whose address is not in the attribute that a field reads. */
function findLazyImages({ rows, fields }: Reading, cells: Cells): LazyImages[] {
  if (isStatic() || rows.length > ROWS_COMPARED) return [];
  return fields.flatMap((request, field) => {
    const { attribute } = request;
    if (attribute === undefined || !IMAGE.test(attribute)) return [];
    const names = rows.flatMap((row, index) => {
      if (!isNoImage(cells[index]?.[field] ?? "")) return [];
      const image = elementOf(row, request);
      const other = [...(image?.attributes ?? [])].find(
        (one) => /^data-/.test(one.name) && ADDRESS.test(one.value),
      );
      return other ? [other.name] : [];
    });
    return names[0] === undefined ? [] : [{ field, attribute: names[0], count: names.length }];
  });
}

const isNoImage = (address: string): boolean => address === "" || address.startsWith("data:");

/** Whether an image of a row has another address for when it comes into view. */
function hasOther(row: Element, field: FieldRequest, address: string): boolean {
  const { attribute = "" } = field;
  const image = elementOf(row, field);
  return LAZY.some((name) => {
    const later = image?.getAttribute(name.replace(/src$/, attribute));
    return later && (resolved(later, attribute, row.baseURI) ?? later) !== address;
  });
}

/**
 * The index of the first row whose value may still be a placeholder: from there on, all rows have the same value, which no
 * row before them has. 0 if all values are zeros. The number of rows if there are no placeholders.
 */
function placeholdersFrom(
  column: readonly string[],
  { isPart, lengthMax }: { isPart: boolean; lengthMax: number },
): number {
  const last = column.at(-1) ?? "";
  if (column.every(isZero)) return 0;
  const start = column.findLastIndex((value) => value !== last) + 1;
  const isAlone = start > 0 ? !column.slice(0, start).includes(last) : isPart && isPlaceholder(last);
  const isEnough = last === "" || (last.length <= lengthMax && column.length - start >= PLACEHOLDERS.alike);
  return isAlone && isEnough ? start : column.length;
}

/** The rows with the same short text as the last ones. */
function alikeRows(rows: readonly Element[]): Element[] {
  const textOf = (row: Element | undefined) => row?.textContent.trim() ?? "";
  const text = textOf(rows.at(-1));
  if (text.length > PLACEHOLDERS.text || rows.slice(-PLACEHOLDERS.alike).some((row) => textOf(row) !== text))
    return [];
  return rows.filter((row) => textOf(row) === text);
}

/** Whether a row has text and a place, but nothing of it can be seen. */
const isInvisible = (row: Element) => !isBlank(row) && row.getClientRects().length > 0;

let inVain = 0;

/**
 * Brings rows into view that wait for that, or look like it.
 * @returns undefined if no row has changed by that; otherwise, they have to be read again. `isCut`: there was no time
 * for all of them.
 */
async function reveal(read: Reading): Promise<{ isCut: boolean } | undefined> {
  const { rows, fields, isPart } = read;
  const views = isPart ? VIEWS.most : Number.POSITIVE_INFINITY;
  if (isPart && inVain >= VIEWS.inVain) return undefined;
  releaseLayout();
  const unseen = unseenRows(read, readRows(rows, fields));
  const targets = rows.map((row) => (unseen.has(row) ? targetOf(row, unseen.get(row)) : row));
  const waiting = new Set(targets.filter((_, index) => unseen.has(rows[index] as Element)));
  const valuesOf = (wanted: readonly Element[]) => readRows([...wanted], fields);
  let isNoted = false;
  const note: typeof noteValues = (...noted) => {
    isNoted = true;
    noteValues(...noted);
  };
  const atRest = createValueNoter({ items: rows, valuesOf, note });
  // Most pages want to be told of rows for other reasons than to fill them: one view shows that.
  const one = { inVain: 1, hasChanged: () => isNoted };
  const shown = await showEach(targets, { waiting, views, atRest, ...(unseen.size === 0 && one) });
  inVain = shown.hasChanged ? 0 : inVain + 1;
  return unseen.size > 0 || isNoted ? shown : undefined;
}

/** The part of a row to bring into view. */
function targetOf(row: Element, field: FieldRequest | undefined): Element {
  // A part of a higher one may stay out of view.
  const isHigh = row.getBoundingClientRect().height > window.innerHeight * IN_VIEW.high;
  return (isHigh && field && elementOf(row, field)) || row;
}
