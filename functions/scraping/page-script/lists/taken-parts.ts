/// <reference lib="dom" />
import { readPainted } from "../painting.ts";
import type { FieldRequest, ListRequest } from "../protocol.ts";
import { readRows } from "./rows.ts";

/* The parts of a growing list as they were handed over, to tell at its end which of their rows have changed since. */

interface Part {
  fields: readonly FieldRequest[];
  rows: readonly Element[];
  cells: readonly (readonly (string | null)[])[];
}

/** The most rows that are compared, and the most characters of their values: the first ones of a long list. */
const ROWS_MAX = 5_000;
const CHARACTERS_MAX = 4 * 1024 * 1024;
let parts: Part[] = [];
let left = { rows: ROWS_MAX, characters: CHARACTERS_MAX };

export function forgetParts(): void {
  parts = [];
  left = { rows: ROWS_MAX, characters: CHARACTERS_MAX };
}

/** Notes rows and their values. A selector that only Playwright can evaluate can't be evaluated again here. */
export function notePart(
  { fields, marked }: Pick<ListRequest, "fields" | "marked">,
  rows: Part["rows"],
  cells: Part["cells"],
): void {
  left.rows -= rows.length;
  for (const row of cells) for (const value of row) left.characters -= value?.length ?? 0;
  const isCompared = !marked && left.rows >= 0 && left.characters >= 0;
  parts.push(isCompared ? { fields, rows, cells } : { fields, rows: [], cells: [] });
}

/** Notes that the last part was read again. */
export function replaceLastPart(rows: Part["rows"], cells: Part["cells"]): void {
  const last = parts.pop();
  if (last) notePart({ fields: last.fields }, rows, cells);
}

/** How many of the noted rows have other values now, which are noted instead. Rows that the page has removed are left out. */
export const changedRows = (): Promise<number> =>
  readPainted(() => {
    const now = parts.map(({ fields, rows }) => readRows([...rows], fields));
    const counts = parts.map(({ rows, cells }, part) => {
      const isChanged = (row: Element, index: number) =>
        row.isConnected && now[part]?.[index]?.some((value, at) => value !== cells[index]?.[at]);
      return rows.filter(isChanged).length;
    });
    parts = parts.map((part, index) => ({ ...part, cells: now[index] ?? part.cells }));
    return counts.reduce((sum, count) => sum + count, 0);
  });
