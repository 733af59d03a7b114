import type { Row } from "../api/api.ts";

export interface GridColumn {
  name: string;
  /** px */
  width: number;
  isHidden: boolean;
}

/** A column that is shown, and its distance in px from the left edge of the first column. */
export interface PlacedColumn extends GridColumn {
  left: number;
}

/** Widths in px. */
export const NARROWEST = 64;
export const WIDEST = 1_200;
const CHARACTER = 7.4;
const PADDING = 26;
const USUAL_WIDEST = 340;

/** A visible column for each name, as wide as its longest value in `rows` needs, within limits. */
export function columnsFor(names: readonly string[], rows: readonly Row[]): GridColumn[] {
  return names.map((name) => {
    const longest = Math.max(name.length, ...rows.map((row) => Math.min(row[name]?.length ?? 0, 60)));
    const width = Math.min(USUAL_WIDEST, Math.max(80, Math.round(longest * CHARACTER + PADDING)));
    return { name, width, isHidden: false };
  });
}

/** The columns that are not hidden, with their positions. */
export function placed(columns: readonly GridColumn[]): PlacedColumn[] {
  let left = 0;
  return columns
    .filter(({ isHidden }) => !isHidden)
    .map((column) => {
      left += column.width;
      return { ...column, left: left - column.width };
    });
}

/** The columns between two x positions in px: the index of the first one, and the index after the last one. */
export function columnsIn(columns: readonly PlacedColumn[], from: number, to: number): [number, number] {
  const first = columns.findIndex(({ left, width }) => left + width > from);
  if (first === -1) return [0, 0];
  const end = columns.findIndex(({ left }) => left >= to);
  return [first, end === -1 ? columns.length : end];
}

const stored = (scraper: string) => `gleaner.columns.${scraper}`;

/**
 * Applies the widths and hidden columns that this browser has stored for a scraper. All runs of the scraper share them.
 */
export function restoreColumns(scraper: string, columns: readonly GridColumn[]): GridColumn[] {
  const text = localStorage.getItem(stored(scraper));
  if (text === null) return [...columns];
  try {
    const known = new Map<string, GridColumn>(
      (JSON.parse(text) as GridColumn[]).map((column) => [column.name, column]),
    );
    return columns.map((column) => ({ ...column, ...known.get(column.name) }));
  } catch {
    return [...columns];
  }
}

export const storeColumns = (scraper: string, columns: readonly GridColumn[]): void =>
  localStorage.setItem(stored(scraper), JSON.stringify(columns));
