/// <reference lib="dom" />

import { WINDOW } from "../../limits.ts";
import { settle } from "../host.ts";
import { readRows } from "../lists/rows.ts";
import type { FieldRequest } from "../protocol.ts";
import { sidewaysScrollerOf } from "../scroller.ts";
import { absentFields } from "./windowed.ts";

/** Columns that are in the document only while they are in view: read by scrolling sideways. */

/** The fields of a list that each scroll position shows, by their indexes; undefined: not searched yet. */
export interface Columns {
  positions: Map<number, number[]> | undefined;
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
  const absent = absentFields(fields, cells);
  const scroller =
    absent.length > 0 && columns.positions?.size !== 0 ? sidewaysScrollerOf((await look())[0]) : undefined;
  if (!scroller) return;
  const start = scroller.scrollLeft;
  const filler = createFiller(scroller, look, fields, cells);
  if (!columns.positions) {
    const found = await search(scroller, filler);
    const atStart = fields.map((_, index) => index).filter((index) => !absent.includes(index));
    columns.positions = found.size > 0 ? found.set(start, [...(found.get(start) ?? []), ...atStart]) : found;
  } else if (!(await fillKnown(columns.positions, filler))) {
    // A scroll to where it stands already would not be noticed.
    await scrollSideways(scroller, scroller.scrollLeft + (scroller.scrollLeft > 0 ? -1 : 1));
    await fillKnown(columns.positions, filler);
  }
  await scrollSideways(scroller, start);
}

interface Filler {
  /** The fields that no row has yet. */
  absent(): number[];
  /** Fills in what a position shows. */
  fillAt(left: number): Promise<void>;
}

function createFiller(
  scroller: Element,
  look: () => Promise<Element[]>,
  fields: readonly FieldRequest[],
  cells: (string | null)[][],
): Filler {
  const absent = () => absentFields(fields, cells);
  const fill = async () => {
    const rows = await look();
    if (rows.length !== cells.length) return;
    const missing = absent();
    const values = readRows(
      rows,
      missing.map((index) => fields[index] as FieldRequest),
    );
    for (const [row, ofRow] of values.entries())
      for (const [at, index] of missing.entries())
        (cells[row] as (string | null)[])[index] ??= ofRow[at] ?? null;
  };
  return {
    absent,
    async fillAt(left) {
      await scrollSideways(scroller, left);
      await fill();
    },
  };
}

/** Fills in what all positions show. Returns the fields of those that are of use. */
async function search(scroller: Element, { absent, fillAt }: Filler): Promise<Map<number, number[]>> {
  const positions = new Map<number, number[]>();
  for (const left of leftsOf(scroller)) {
    const before = absent();
    if (before.length === 0) break;
    await fillAt(left);
    const after = absent();
    const shown = before.filter((index) => !after.includes(index));
    if (shown.length > 0) positions.set(left, shown);
  }
  return positions;
}

/** Fills in what is absent at the positions that have shown it before. Returns whether all of it came. */
async function fillKnown(
  positions: ReadonlyMap<number, readonly number[]>,
  { absent, fillAt }: Filler,
): Promise<boolean> {
  const isAbsent = (fields: readonly number[]) => absent().some((index) => fields.includes(index));
  for (const [left, fields] of positions) if (isAbsent(fields)) await fillAt(left);
  return ![...positions.values()].some(isAbsent);
}

function leftsOf(scroller: Element): number[] {
  const { scrollWidth, clientWidth } = scroller;
  const count = Math.ceil((scrollWidth - clientWidth) / (WINDOW.columns * clientWidth));
  return Array.from({ length: count + 1 }, (_, index) =>
    Math.min(index * WINDOW.columns * clientWidth, scrollWidth - clientWidth),
  );
}

async function scrollSideways(scroller: Element, left: number): Promise<void> {
  if (scroller.scrollLeft === left) return;
  scroller.scrollTo({ left, behavior: "instant" });
  await settle({ scrolled: true });
}
