/** The texts of cells, by rows; null and missing ones are empty. */
export type Cells = (string | null)[][];

interface Tab {
  title: string;
  hidden: boolean;
  cells: Cells;
  rowCount: number;
  columnCount: number;
}

export interface Spreadsheet {
  tabs: Map<number, Tab>;
  /** The ids of named ranges, by name. */
  names: Map<string, string>;
}

/** Google refuses a request. */
export class Refused extends Error {
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

interface RowData {
  values?: { userEnteredValue?: { stringValue?: string } }[];
}
interface Grid {
  sheetId: number;
  startRowIndex: number;
  endRowIndex: number;
  startColumnIndex: number;
  endColumnIndex: number;
}
interface Changes {
  addSheet: {
    properties: {
      sheetId: number;
      title: string;
      hidden: boolean;
      gridProperties: { rowCount: number; columnCount: number };
    };
  };
  deleteSheet: { sheetId: number };
  addNamedRange: { namedRange: { name: string; range: Grid } };
  deleteNamedRange: { namedRangeId: string };
  appendDimension: { sheetId: number; dimension: "ROWS" | "COLUMNS"; length: number };
  appendCells: { sheetId: number; rows: RowData[]; fields: string };
  updateCells: {
    start?: { sheetId: number; rowIndex: number; columnIndex: number };
    range?: { sheetId: number };
    rows?: RowData[];
    fields: string;
  };
  copyPaste: { source: Grid; destination: Grid; pasteType: string };
}
type Change = Partial<Changes>;

let ids = 0;

/** All changes of a `batchUpdate`, in order. @throws Refused, and then nothing has changed */
export function applyChanges(
  before: Spreadsheet,
  changes: readonly Change[],
): { book: Spreadsheet; replies: object[] } {
  const book: Spreadsheet = {
    tabs: new Map([...before.tabs].map(([id, tab]) => [id, { ...tab, cells: [...tab.cells] }])),
    names: new Map(before.names),
  };
  const replies = changes.map((change, index) => {
    const [kind, ...others] = Object.keys(change) as (keyof Changes)[];
    if (kind === undefined || others.length > 0 || !(kind in makers))
      throw new Refused("One kind of request is needed.");
    try {
      return makers[kind](book, change[kind] as never) ?? {};
    } catch (error) {
      if (error instanceof Refused) throw new Refused(`Invalid requests[${index}].${kind}: ${error.message}`);
      throw error;
    }
  });
  return { book, replies };
}

function tabOf({ tabs }: Spreadsheet, id: number): Tab {
  const tab = tabs.get(id);
  if (tab === undefined) throw new Refused(`No grid with id: ${id}`);
  return tab;
}

const makers: { [K in keyof Changes]: (book: Spreadsheet, change: Changes[K]) => object | undefined } = {
  addSheet({ tabs }, { properties: { sheetId, title, hidden, gridProperties } }) {
    if ([...tabs.values()].some((tab) => tab.title.toLowerCase() === title.toLowerCase()))
      throw new Refused(`A sheet with the name "${title}" already exists. Please enter another name.`);
    if (tabs.has(sheetId)) throw new Refused(`A sheet with the ID ${sheetId} already exists.`);
    tabs.set(sheetId, { title, hidden, cells: [], ...gridProperties });
    return undefined;
  },
  deleteSheet(book, { sheetId }) {
    tabOf(book, sheetId);
    book.tabs.delete(sheetId);
    if (![...book.tabs.values()].some(({ hidden }) => !hidden))
      throw new Refused("You can't remove all the visible sheets in a document.");
    return undefined;
  },
  addNamedRange(book, { namedRange: { name, range } }) {
    tabOf(book, range.sheetId);
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,249}$/.test(name)) throw new Refused(`The name ${name} is not allowed.`);
    if (book.names.has(name)) throw new Refused(`The name ${name} is in use.`);
    ids += 1;
    book.names.set(name, `range-${ids}`);
    return { addNamedRange: { namedRange: { namedRangeId: `range-${ids}`, name } } };
  },
  deleteNamedRange({ names }, { namedRangeId }) {
    const [name] = [...names].find(([, id]) => id === namedRangeId) ?? [];
    if (name === undefined) throw new Refused(`No named range with id: ${namedRangeId}`);
    names.delete(name);
    return undefined;
  },
  appendDimension(book, { sheetId, dimension, length }) {
    const tab = tabOf(book, sheetId);
    if (dimension === "ROWS") tab.rowCount += length;
    else tab.columnCount += length;
    return undefined;
  },
  appendCells(book, { sheetId, rows, fields }) {
    const tab = tabOf(book, sheetId);
    const last = tab.cells.findLastIndex((row) => row.some((cell) => cell !== null));
    tab.rowCount = Math.max(tab.rowCount, last + 1 + rows.length);
    write(tab, { rowIndex: last + 1, columnIndex: 0 }, rows, fields);
    return undefined;
  },
  updateCells(book, { start, range, rows, fields }) {
    if ((start === undefined) === (range === undefined)) throw new Refused("One area is needed.");
    if (start !== undefined) write(tabOf(book, start.sheetId), start, rows ?? [], fields);
    else if (fields === "userEnteredValue" && rows === undefined)
      tabOf(book, range?.sheetId as number).cells = [];
    else throw new Refused("The stub only clears ranges.");
    return undefined;
  },
  copyPaste(book, { source, destination, pasteType }) {
    const [from, to] = [tabOf(book, source.sheetId), tabOf(book, destination.sheetId)];
    if (pasteType !== "PASTE_VALUES") throw new Refused("Formats would be copied.");
    for (const [tab, area] of [[from, source] as const, [to, destination] as const])
      if (area.endRowIndex > tab.rowCount || area.endColumnIndex > tab.columnCount)
        throw new Refused("Range exceeds grid limits.");
    for (let row = source.startRowIndex; row < source.endRowIndex; row += 1)
      to.cells[row] = (from.cells[row] ?? []).slice(source.startColumnIndex, source.endColumnIndex);
    return undefined;
  },
};

function write(
  tab: Tab,
  at: { rowIndex: number; columnIndex: number },
  rows: RowData[],
  fields: string,
): void {
  if (fields !== "userEnteredValue") throw new Refused("Formats would change.");
  for (const [index, { values = [] }] of rows.entries()) {
    const row = at.rowIndex + index;
    if (row >= tab.rowCount || at.columnIndex + values.length > tab.columnCount)
      throw new Refused(`Attempting to write row ${row}, beyond the last requested.`);
    const cells = [...(tab.cells[row] ?? [])];
    for (const [offset, { userEnteredValue }] of values.entries()) {
      const text = userEnteredValue?.stringValue ?? null;
      if (text !== null && text.length > 50_000)
        throw new Refused("More than the maximum of 50000 characters.");
      for (let column = cells.length; column < at.columnIndex + offset; column += 1) cells[column] = null;
      cells[at.columnIndex + offset] = text;
    }
    for (let above = tab.cells.length; above < row; above += 1) tab.cells[above] = [];
    tab.cells[row] = cells;
  }
}
