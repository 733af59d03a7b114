/// <reference lib="dom" />
import { releaseLayout } from "../layout.ts";
import { readPainted } from "../painting.ts";
import type { FieldRequest } from "../protocol.ts";
import { showEach } from "../show-each.ts";
import { isStatic } from "../static.ts";
import { firstBelow, isBlank, readRows, wantTexts } from "./rows.ts";

/** Rows that a script fills once they come into view. */

type Cells = readonly (readonly (string | null)[])[];

const IMAGE = /^(src|srcset|poster)$/;
/** So many rows that say the same at the end of a list may all be waiting to be filled. */
const ALIKE = 3;
/** Longer texts are no placeholders. */
const TEXT_MAX = 40;
/** How long each view is shown to pages that wait until nobody scrolls, in ms. */
const REST_MS = 300;
/** A row that takes more than this part of the window may be in view without its image. */
const HIGH = 0.5;
/** Of more rows than this, the texts are not compared. */
const ROWS_MAX = 5_000;
/** The most views of rows that are added to a list. */
export const PART_VIEWS = 60;

/** After so many times without an effect, what a list adds is not scrolled through any more. */
const IN_VAIN = 2;
let inVain = 0;

interface RevealOptions {
  /** Whether the list had rows before these. */
  isPart: boolean;
  /** The most views to scroll through. */
  views: number;
}

/**
 * Brings rows into view that look as if they were waiting for that.
 * @returns undefined where they were not brought into view; else they have to be read again. `isCut`: they take more
 * views than allowed.
 */
export async function reveal(
  rows: Element[],
  fields: readonly FieldRequest[],
  { isPart, views }: RevealOptions,
): Promise<{ isCut: boolean } | undefined> {
  if (isPart && inVain >= IN_VAIN) return undefined;
  releaseLayout();
  const look = () => readPainted(() => unseenRows(rows, fields, readRows(rows, fields)));
  const unseen = await look();
  const targets = rows.map((row) => (unseen.has(row) ? targetOf(row, unseen.get(row)) : row));
  const waiting = new Set(targets.filter((_, index) => unseen.has(rows[index] as Element)));
  const shown = await showEach(targets, { waiting, views });
  inVain = shown.hasChanged ? 0 : inVain + 1;
  if (!shown.hasChanged) return shown;
  const left = [...(await look())].map(([row, selector]) => targetOf(row, selector));
  return left.length > 0
    ? showEach(left, { waiting: new Set(left), views, restMs: REST_MS })
    : { isCut: false };
}

/** Whether rows look as if they were waiting to come into view. */
export const mayBeUnseen = (
  rows: readonly Element[],
  fields: readonly FieldRequest[],
  cells: Cells,
): boolean => unseenRows(rows, fields, cells).size > 0;

/** The rows that look as if they were waiting to come into view, with the selector of the image that each lacks. */
function unseenRows(
  rows: readonly Element[],
  fields: readonly FieldRequest[],
  cells: Cells,
): Map<Element, string | undefined> {
  const unseen = new Map<Element, string | undefined>();
  if (isStatic()) return unseen;
  const isImage = fields.map(({ attribute }) => attribute !== undefined && IMAGE.test(attribute));
  const lacks = (value: string | null, index: number) =>
    isImage[index] && (value === null || value === "" || value.startsWith("data:"));
  for (const [index, row] of rows.entries()) {
    const field = cells[index]?.findIndex(lacks) ?? -1;
    if (field >= 0) unseen.set(row, fields[field]?.selector);
  }
  if (!wantTexts(fields) || rows.length < ALIKE || rows.length > ROWS_MAX) return unseen;
  const blank = rows.filter(isBlank);
  const hidden = rows.filter((row, index) => !cells[index]?.some(Boolean) && isInvisible(row));
  // Where all rows are like that, it is not because of their place.
  const some = [blank, hidden].filter(({ length }) => length < rows.length);
  for (const row of [...some.flat(), ...alikeRows(rows)]) unseen.set(row, undefined);
  return unseen;
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

/** What has to come into view of a row. */
function targetOf(row: Element, selector: string | undefined): Element {
  // A part of a higher one may stay out of view.
  const isHigh = row.getBoundingClientRect().height > window.innerHeight * HIGH;
  return (isHigh && selector !== undefined && firstBelow(row, selector)) || row;
}
