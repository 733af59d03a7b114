/// <reference lib="dom" />
import { bare, normalize } from "../controls.ts";

/** The columns of a table, where cells may span several of them, and several rows. */

interface Grid {
  /** The names in the header of each column, the lowest first. */
  names: string[][];
  /** The cell of each column. A cell that spans several rows or columns stands in all of them. */
  cells: Map<Element, Element[]>;
  /** The rows that only name columns. */
  heads: Set<Element>;
}

const TABLE = "table,[role=table],[role=grid],[role=treegrid]";
const HEAD = "th,[role=columnheader]";
/** The most columns and rows that a cell may span, as browsers limit them. */
const SPAN_MAX = { columns: 1_000, rows: 65_534 };

let grids = new WeakMap<Element, Grid>();

/** To be called before cells are looked up, whenever the page may have changed. */
export function forgetTables(): void {
  grids = new WeakMap();
}

const ownCells = (row: Element): Element[] =>
  row instanceof HTMLTableRowElement
    ? [...row.cells]
    : [...row.querySelectorAll("[role=cell],[role=gridcell],[role=rowheader],[role=columnheader]")];

const ownRows = (table: Element): Element[] =>
  table instanceof HTMLTableElement ? [...table.rows] : [...table.querySelectorAll("[role=row]")];

function spanOf(cell: Element, across: "col" | "row"): number {
  const value = Number.parseInt(
    cell.getAttribute(`${across}span`) ?? cell.getAttribute(`aria-${across}span`) ?? "1",
    10,
  );
  if (across === "row" && value === 0) return SPAN_MAX.rows;
  return Math.min(Math.max(value || 1, 1), across === "col" ? SPAN_MAX.columns : SPAN_MAX.rows);
}

/** Puts the cells of rows into columns, as browsers do. */
function placeCells(rows: readonly Element[]): Map<Element, Element[]> {
  const placed = new Map<Element, Element[]>();
  let section: Element | null = null;
  /** The cells that go on in further rows, by column. */
  let open: ({ cell: Element; left: number } | undefined)[] = [];
  for (const row of rows) {
    // No cell goes on in another section of the table.
    if (row.parentElement !== section) open = [];
    section = row.parentElement;
    const cells: Element[] = [];
    const takeOpen = () => {
      for (let going = open[cells.length]; going; going = open[cells.length]) {
        going.left -= 1;
        if (going.left === 0) open[cells.length] = undefined;
        cells.push(going.cell);
      }
    };
    for (const cell of ownCells(row)) {
      takeOpen();
      const left = spanOf(cell, "row") - 1;
      for (let column = spanOf(cell, "col"); column > 0; column -= 1) {
        if (left > 0) open[cells.length] = { cell, left };
        cells.push(cell);
      }
    }
    takeOpen();
    placed.set(row, cells);
  }
  return placed;
}

const nameOf = (cell: Element): string => normalize(cell.textContent);

function gridOf(row: Element): Grid | undefined {
  const table = row.closest(TABLE);
  if (!table) return undefined;
  const known = grids.get(table);
  if (known) return known;
  const rows = ownRows(table);
  const cells = placeCells(rows);
  const isHead = (one: Element) =>
    one.parentElement?.localName === "thead" || ownCells(one).every((cell) => cell.matches(HEAD));
  const named = rows.filter((one) => ownCells(one).length > 0 && isHead(one));
  const first = named.length > 0 ? named : rows.slice(0, 1);
  const textOf = (one: Element) => ownCells(one).map(nameOf).join("\n");
  const texts = new Set(first.map(textOf));
  const width = Math.max(0, ...first.map((head) => cells.get(head)?.length ?? 0));
  const namesOf = (column: number) => first.toReversed().flatMap((head) => cells.get(head)?.[column] ?? []);
  const names = Array.from({ length: width }, (_, column) => namesOf(column).map(nameOf));
  const grid = { names, cells, heads: new Set(rows.filter((one) => texts.has(textOf(one)))) };
  grids.set(table, grid);
  return grid;
}

/** The number of the column with a name, from 0; -1 if there is none. */
function columnOf({ names }: Grid, name: string): number {
  const wanted = normalize(name);
  const ways: ((text: string) => boolean)[] = [
    (text) => text === wanted,
    (text) => bare(text) === bare(wanted),
    (text) => text.includes(wanted),
  ];
  for (const isNamed of ways) {
    const depth = Math.max(0, ...names.map(({ length }) => length));
    for (let level = 0; level < depth; level += 1) {
      const found = names.findIndex(({ [level]: text }) => text !== undefined && isNamed(text));
      if (found >= 0) return found;
    }
  }
  return -1;
}

/** The cell of a row in the column that has a name in its header. */
export function cellOf(row: Element, column: string): Element | undefined {
  const grid = gridOf(row);
  return grid?.cells.get(row)?.[columnOf(grid, column)];
}

/** Whether a row only names the columns of its table. */
export const isHead = (row: Element): boolean => gridOf(row)?.heads.has(row) ?? false;

/** How many rows have a cell whose position in the row is not that of its column. */
export const shiftedRows = (rows: readonly Element[]): number =>
  rows.filter((row) => {
    if (!row.querySelector("td,th") && !row.matches("[role=row]")) return false;
    const cells = gridOf(row)?.cells.get(row) ?? [];
    return ownCells(row).some((cell, at) => cells[at] !== cell);
  }).length;
