/// <reference lib="dom" />
import { releaseLayout } from "../layout.ts";
import { readPainted } from "../painting.ts";
import type { FieldRequest } from "../protocol.ts";
import { showEach } from "../show-each.ts";
import { elementOf } from "./field-nodes.ts";
import { readRows } from "./rows.ts";
import { type ReadRows, unseenRows } from "./unseen.ts";
import { createValueNoter, noteValues } from "./values-in-view.ts";

/** A row that is higher than this part of the window may be in view while some of its content is not. */
const HIGH = 0.5;
/** The most views of rows that are added to a list. */
const PART_VIEWS = 60;

/** After so many times without an effect, added rows are not brought into view any more. */
const IN_VAIN = 2;
let inVain = 0;

/**
 * Brings rows into view that look as if they wait for that.
 * @returns undefined if they were not brought into view; otherwise, they have to be read again. `isCut`: there was no time
 * for all of them.
 */
export async function reveal(read: ReadRows): Promise<{ isCut: boolean } | undefined> {
  const { rows, fields, isPart } = read;
  const views = isPart ? PART_VIEWS : Number.POSITIVE_INFINITY;
  if (isPart && inVain >= IN_VAIN) return undefined;
  releaseLayout();
  const unseen = await readPainted(() => unseenRows(read, readRows(rows, fields)));
  const targets = rows.map((row) => (unseen.has(row) ? targetOf(row, unseen.get(row)) : row));
  const waiting = new Set(targets.filter((_, index) => unseen.has(rows[index] as Element)));
  const valuesOf = (wanted: readonly Element[]) => readPainted(() => readRows([...wanted], fields));
  const atRest = await createValueNoter({ items: rows, valuesOf, note: noteValues });
  const shown = await showEach(targets, { waiting, views, atRest });
  inVain = shown.hasChanged ? 0 : inVain + 1;
  return shown;
}

/** The part of a row to bring into view. */
function targetOf(row: Element, field: FieldRequest | undefined): Element {
  // A part of a higher one may stay out of view.
  const isHigh = row.getBoundingClientRect().height > window.innerHeight * HIGH;
  return (isHigh && field && elementOf(row, field)) || row;
}
