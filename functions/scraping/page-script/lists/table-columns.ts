/// <reference lib="dom" />
import { bare, normalize } from "../controls.ts";
import { shadowRootsBelow } from "../query.ts";
import { around } from "../scroller.ts";
import { renderedChildren } from "../text/rendered-text.ts";
import { undisplayed } from "../visibility.ts";

/** The columns of a table, where cells may span several of them, and several rows. */

/** The cells of rows by their columns, with gaps where a row has none. */
type Placed = Map<Element, Element[]>;

interface Grid {
  /** The cells in the header of each column, the lowest first. */
  headers: Element[][];
  /** The cell of each column. A cell that spans several rows or columns stands in all of them. */
  cells: Placed;
  /** The same as if all cells were shown, which is how selectors count them. */
  counted: Placed;
  /** The rows that only name columns, or the table. */
  heads: Set<Element>;
  /** The columns that were looked up, by the names that were asked for. */
  named: Map<string, readonly NamedColumn[]>;
}

/** A column, by its number from 0, and the cell of the header that names it. */
interface NamedColumn {
  column: number;
  header: Element | undefined;
}

const GRID = "[role=table],[role=grid],[role=treegrid]";
const TABLE = `table,${GRID}`;
const FOR_LAYOUT = "table[role=presentation],table[role=none]";
const HEAD = "th,[role=columnheader]";
const CELL = "td,th,[role=cell],[role=gridcell],[role=rowheader],[role=columnheader]";
/** The most columns and rows that a cell may span, as browsers limit them. */
const SPAN_MAX = { columns: 1_000, rows: 65_534 };

let grids = new WeakMap<Element, Grid>();

/** To be called before cells are looked up, whenever the page may have changed. */
export function forgetTables(): void {
  grids = new WeakMap();
}

/** Whether an element shows what stands elsewhere in the document: in a shadow root, or slotted into one. */
const isComposed = (element: Element): boolean =>
  element.getRootNode() instanceof ShadowRoot || shadowRootsBelow(element).length > 0;

/** The elements in another one that a selector matches, as they are shown. What is in one of them is left out. */
function* shownIn(element: Element, selector: string): Generator<Element> {
  for (const child of renderedChildren(element)) {
    if (!(child instanceof Element)) continue;
    if (child.matches(selector)) yield child;
    else yield* shownIn(child, selector);
  }
}

const found = (element: Element, selector: string): Element[] => [
  ...(isComposed(element) ? shownIn(element, selector) : element.querySelectorAll(selector)),
];

const ownCells = (row: Element): Element[] =>
  row instanceof HTMLTableRowElement && !row.querySelector("slot") ? [...row.cells] : found(row, CELL);

const ownRows = (table: Element): Element[] =>
  table instanceof HTMLTableElement && !table.querySelector("slot")
    ? [...table.rows]
    : found(table, "tr,[role=row]").filter((row) => tableOf(row) === table);

const closest = (element: Element | null | undefined, selector: string): Element | undefined =>
  around(element).find((at) => at.matches(selector));

/** The table of a row. Some grids have their header and their rows in tables of their own, which are for layout only. */
function tableOf(row: Element): Element | undefined {
  const nearest = closest(row, TABLE);
  if (!nearest?.matches(FOR_LAYOUT)) return nearest;
  const outer = closest(nearest.parentElement, `${TABLE},${CELL}`);
  return outer?.matches(GRID) ? outer : nearest;
}

/** The text of a cell, without the options of a filter in it. A component may show what is slotted into it. */
function textIn(cell: Element): string {
  if (cell.matches("select,style,script")) return "";
  if (!isComposed(cell) && !cell.querySelector("select")) return cell.textContent;
  const parts = [...renderedChildren(cell)];
  return parts
    .map((part) => (part instanceof Element ? textIn(part) : part instanceof Text ? part.data : ""))
    .join("");
}

function spanOf(cell: Element, across: "col" | "row"): number {
  const value = Number.parseInt(
    cell.getAttribute(`${across}span`) ?? cell.getAttribute(`aria-${across}span`) ?? "1",
    10,
  );
  if (across === "row" && value === 0) return SPAN_MAX.rows;
  return Math.min(Math.max(value || 1, 1), across === "col" ? SPAN_MAX.columns : SPAN_MAX.rows);
}

/** The column that a cell states, from 0, because rows may omit cells; undefined if it states none. */
function statedColumn(cell: Element): number | undefined {
  const column = Number(cell.getAttribute("aria-colindex") ?? Number.NaN) - 1;
  return Number.isInteger(column) && column >= 0 && column < SPAN_MAX.columns ? column : undefined;
}

/** Puts the cells of rows into columns, as browsers do. */
function placeCells(rows: readonly Element[], cellsIn: (row: Element) => Element[]): Placed {
  const placed: Placed = new Map();
  let section: Element | null = null;
  /** The cells that go on in further rows, by column. */
  let open = new Map<number, { cell: Element; left: number }>();
  for (const row of rows) {
    // No cell goes on in another section of the table.
    if (row.parentElement !== section) open = new Map();
    section = row.parentElement;
    const cells: Element[] = [];
    for (const [column, going] of open) {
      cells[column] = going.cell;
      going.left -= 1;
      if (going.left === 0) open.delete(column);
    }
    let next = 0;
    for (const cell of cellsIn(row)) {
      const stated = statedColumn(cell);
      let column = stated === undefined || cells[stated] ? next : stated;
      while (cells[column]) column += 1;
      const left = spanOf(cell, "row") - 1;
      for (next = column + spanOf(cell, "col"); column < next; column += 1) {
        if (left > 0) open.set(column, { cell, left });
        cells[column] = cell;
      }
    }
    placed.set(row, cells);
  }
  return placed;
}

const widthOf = (cells: Placed, heads: readonly Element[]): number =>
  Math.max(0, ...heads.map((head) => cells.get(head)?.length ?? 0));

/** Whether all rows are as wide as the header, so that each cell stands in a column, shown or not. */
function isEven(cells: Placed, heads: readonly Element[]): boolean {
  const width = widthOf(cells, heads);
  return [...cells.values()].every(({ length }) => length === width || length === 0);
}

/**
 * The cells of a table that take no column, because they are not displayed. A table that is shown as something else, such
 * as cards, may display no cell of its header: then none is left out.
 */
function hiddenCells(heads: readonly Element[], counted: Placed): Set<Element> {
  const none = new Set<Element>();
  const [first] = heads;
  // The HTML of a page is only read where all cells are displayed.
  if (first?.ownerDocument !== document) return none;
  const headers = heads.flatMap(ownCells);
  const hidden = undisplayed(headers).length;
  if (hidden === headers.length || (hidden === 0 && isEven(counted, heads))) return none;
  return new Set(undisplayed([...counted.keys()].flatMap(ownCells)));
}

/** A name without white space: its lines may have none between them in the HTML. */
const unspaced = (name: string): string => name.replace(/\s/g, "");

const nameOf = (cell: Element): string => normalize(textIn(cell));

const headersOf = (cells: Placed, heads: readonly Element[]): Element[][] =>
  Array.from({ length: widthOf(cells, heads) }, (_, column) =>
    heads.toReversed().flatMap((head) => cells.get(head)?.[column] ?? []),
  );

/** The columns that are displayed, and behind them those that are not: some pages hide them on narrow screens. */
function displayedFirst(
  rows: readonly Element[],
  heads: readonly Element[],
  hidden: ReadonlySet<Element>,
): Pick<Grid, "headers" | "cells"> {
  const shown = placeCells(rows, (row) => ownCells(row).filter((cell) => !hidden.has(cell)));
  const others = placeCells(rows, (row) => ownCells(row).filter((cell) => hidden.has(cell)));
  const [headers, otherHeaders] = [headersOf(shown, heads), headersOf(others, heads)];
  const cells: Placed = new Map();
  for (const row of rows) {
    const own = (shown.get(row) ?? []).slice(0, headers.length);
    const behind = others.get(row) ?? [];
    // Where a row hides other cells than the header, nothing tells in which columns they are.
    if (behind.length === otherHeaders.length)
      for (const [at, cell] of behind.entries()) own[headers.length + at] = cell;
    cells.set(row, own);
  }
  return { headers: [...headers, ...otherHeaders], cells };
}

/** Whether a row of header cells says by more than these cells that it holds no values. */
function isHeading(row: Element): boolean {
  const cells = ownCells(row);
  return (
    row.parentElement?.localName === "tfoot" ||
    cells.every((cell) => cell.matches("[scope^=col],[role=columnheader]")) ||
    // A heading of the rows below it.
    cells.some((cell) => spanOf(cell, "col") > 1)
  );
}

/** The rows of a header. Below the header that a table begins with, header cells may only emphasize a row. */
function headRows(rows: readonly Element[]): Element[] {
  const isInHead = (row: Element) => row.parentElement?.localName === "thead";
  const couldBe = (row: Element) => isInHead(row) || ownCells(row).every((cell) => cell.matches(HEAD));
  const filled = rows.filter((row) => ownCells(row).length > 0);
  const end = filled.filter(isInHead).length || filled.findIndex((row) => !couldBe(row));
  return filled.filter((row, at) => couldBe(row) && (end <= 0 || at < end || isHeading(row)));
}

/** The header of rows that scroll below it, in a table of its own. */
function headRowsBefore(table: Element, rows: readonly Element[]): Element[] {
  const nested = table.querySelectorAll("table").length;
  let box = table.parentElement;
  while (box && box.querySelectorAll("table").length === nested + 1) box = box.parentElement;
  const tables = [...(box?.querySelectorAll("table") ?? [])];
  const before = tables[tables.indexOf(table as HTMLTableElement) - 1];
  const heads = before ? ownRows(before) : [];
  const widthOf = (some: readonly Element[]) => Math.max(0, ...some.map((row) => ownCells(row).length));
  const isHeader = headRows(heads).length === heads.length && widthOf(heads) >= widthOf(rows);
  return isHeader ? heads : [];
}

function gridOf(row: Element): Grid | undefined {
  const table = tableOf(row);
  if (!table) return undefined;
  const known = grids.get(table);
  if (known) return known;
  const own = ownRows(table);
  const rows = headRows(own).length > 0 ? own : [...headRowsBefore(table, own), ...own];
  const named = headRows(rows);
  const first = named.length > 0 ? named : rows.slice(0, 1);
  const textOf = (one: Element) => ownCells(one).map(nameOf).join("\n");
  const texts = new Set(first.map(textOf));
  const counted = placeCells(rows, ownCells);
  const hidden = hiddenCells(first, counted);
  const columns =
    hidden.size > 0
      ? displayedFirst(rows, first, hidden)
      : { headers: headersOf(counted, first), cells: counted };
  // What stands in one cell before the header is the title of the table.
  const isTitle = (one: Element, at: number) =>
    at < rows.indexOf(first[0] as Element) && ownCells(one).length === 1;
  const heads = new Set(rows.filter((one, at) => texts.has(textOf(one)) || isTitle(one, at)));
  const grid = { ...columns, counted, heads, named: new Map() };
  grids.set(table, grid);
  return grid;
}

/** The names in the header of a column as one, the highest first. */
const fullName = (header: readonly Element[]): string =>
  [...new Set(header.toReversed().map((cell) => textIn(cell).replace(/\s+/g, " ").trim()))].join(" ");

/** The columns with a name: an exact name comes first, and what is only a part of one last. */
function columnsNamed({ headers }: Grid, name: string): NamedColumn[] {
  const wanted = normalize(name);
  const ways: ((text: string) => boolean)[] = [
    (text) => text === wanted,
    (text) => unspaced(bare(text)) === unspaced(bare(wanted)),
    (text) => text.includes(wanted),
  ];
  const depth = Math.max(0, ...headers.map(({ length }) => length));
  for (const isNamed of ways) {
    for (let level = 0; level < depth; level += 1) {
      const found = headers.flatMap(({ [level]: header }, column) =>
        header && isNamed(nameOf(header)) ? { column, header } : [],
      );
      if (found.length > 0) return found;
    }
    // "2024 Max" is the column "Max" below "2024".
    const found = headers.flatMap((cells, column) =>
      isNamed(normalize(fullName(cells))) ? { column, header: cells[0] } : [],
    );
    if (found.length > 0) return found;
  }
  return [];
}

function columnsIn(grid: Grid, name: string): readonly NamedColumn[] {
  const found = grid.named.get(name) ?? columnsNamed(grid, name);
  grid.named.set(name, found);
  return found;
}

/** The cell of a row in the column that has a name in its header: the first one. */
export function cellOf(row: Element, column: string): Element | undefined {
  const grid = gridOf(row);
  const [first] = grid ? columnsIn(grid, column) : [];
  return first && grid?.cells.get(row)?.[first.column];
}

/** The columns that a name may mean, by their full names, with their cells in a row. */
export function columnsMeant(row: Element, column: string): { name: string; cell: Element | undefined }[] {
  const grid = gridOf(row);
  if (!grid) return [];
  const found = columnsIn(grid, column);
  // A header that spans several columns means the first of them.
  const firsts = found.filter(
    (one) => found.find(({ header }) => header !== undefined && header === one.header) === one,
  );
  return firsts.map(({ column: at }) => ({
    name: fullName(grid.headers[at] ?? []),
    cell: grid.cells.get(row)?.[at],
  }));
}

/** The cells of the tables of rows in which only the layout tells the columns, if some cells are not displayed. */
export function uncertainCells(rows: readonly Element[]): Element[] {
  const grids = new Set(rows.flatMap((row) => gridOf(row) ?? []));
  return [...grids].flatMap(({ counted, heads }) =>
    isEven(counted, [...heads]) ? [] : [...counted.keys()].flatMap(ownCells),
  );
}

/** Whether a row only names the columns of its table. */
export const isHead = (row: Element): boolean => gridOf(row)?.heads.has(row) ?? false;

/** How many rows have a cell whose position in the row is not that of its column. */
export const shiftedRows = (rows: readonly Element[]): number =>
  rows.filter((row) => {
    if (!row.querySelector("td,th") && !row.matches("[role=row]")) return false;
    const cells = gridOf(row)?.counted.get(row);
    return cells && ownCells(row).some((cell, at) => cells[at] !== cell);
  }).length;
