/// <reference lib="dom" />

import { readRows } from "../lists/rows.ts";
import type { FieldRequest } from "../protocol.ts";
import { sidewaysScrollerOf } from "../scroller.ts";
import { moments } from "../waiting.ts";
import { absentFields } from "./windowed.ts";

/** Columns that are in the document only while they are in view: read by scrolling sideways. */

/** The part of a view by which columns are scrolled. */
const STEP = 0.8;
/** Longest wait for the columns at one position, and after how many looks that show the same it ends. */
const MOMENTS = 12;
const SAME = 3;
/** How often a position that has shown columns before is looked at until it shows them. */
const LOOKS = 20;

/** Where a list's columns were found, by scroll position; undefined: not searched yet. */
export interface Columns {
  lefts: number[] | undefined;
}

/**
 * Fills in the values of fields that no row has where it stands.
 * @param look the rows, in order
 */
export async function fillColumns(
  columns: Columns,
  look: () => Promise<Element[]>,
  fields: readonly FieldRequest[],
  cells: (string | null)[][],
): Promise<void> {
  let absent = absentFields(fields, cells);
  const scroller =
    absent.length > 0 && columns.lefts?.length !== 0 ? sidewaysScrollerOf((await look())[0]) : undefined;
  if (!scroller) return;
  const start = scroller.scrollLeft;
  const found: number[] = [];
  const fill = async () => {
    const rows = await look();
    if (rows.length !== cells.length) return;
    const values = readRows(
      rows,
      absent.map((index) => fields[index] as FieldRequest),
    );
    for (const [row, ofRow] of values.entries())
      for (const [at, index] of absent.entries())
        (cells[row] as (string | null)[])[index] ??= ofRow[at] ?? null;
  };
  for (const left of columns.lefts ?? leftsOf(scroller)) {
    if (absent.length === 0) break;
    await scrollSideways(scroller, left, look);
    await fill();
    // A page with much to do may not have drawn them yet.
    let still = absentFields(fields, cells);
    for (let looks = 1; columns.lefts && looks < LOOKS && still.length === absent.length; looks += 1) {
      await moments(1);
      await fill();
      still = absentFields(fields, cells);
    }
    if (still.length < absent.length) found.push(left);
    absent = still;
  }
  columns.lefts ??= found;
  await scrollSideways(scroller, start, look);
}

function leftsOf(scroller: Element): number[] {
  const { scrollWidth, clientWidth } = scroller;
  const count = Math.ceil((scrollWidth - clientWidth) / (STEP * clientWidth));
  return Array.from({ length: count + 1 }, (_, index) =>
    Math.min(index * STEP * clientWidth, scrollWidth - clientWidth),
  );
}

/** Scrolls sideways, and waits until the rows stay the same. */
async function scrollSideways(
  scroller: Element,
  left: number,
  look: () => Promise<Element[]>,
): Promise<void> {
  if (scroller.scrollLeft === left) return;
  scroller.scrollTo({ left, behavior: "instant" });
  let before: string | undefined;
  let same = 0;
  for (let count = 0; count < MOMENTS && same < SAME; count += 1) {
    await moments(1);
    const now = (await look()).map((row) => row.textContent).join("\u0001");
    same = now === before ? same + 1 : 0;
    before = now;
  }
}
