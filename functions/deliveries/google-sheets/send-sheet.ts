import type { Row } from "../../contract/runs/run.ts";
import type { DeliveryOf } from "../../contract/scrapers/delivery.ts";
import { lettersOf } from "../../rows/xlsx.ts";
import { DeliveryFailure } from "../delivery.ts";
import type { DestinationDeps, Sending, Sent } from "../destinations.ts";
import {
  batchesOf,
  checkKey,
  keyOf,
  lastByKey,
  type Progress,
  sentTo,
  storable,
  takenOver,
  textOf,
} from "../table-rows.ts";
import { BOOK, commit, type Line, newTab, newTabId, readState, type State } from "./book.ts";
import {
  appendCells,
  type Change,
  clearCells,
  openSpreadsheet,
  rangeOf,
  type Spreadsheet,
  updateCells,
} from "./spreadsheet.ts";

type Sheets = Sending<DeliveryOf<"google_sheets">>;

/** What a request has of a cell besides its text. */
const CELL_BYTES = 45;

/**
 * Writes the rows to a sheet of a spreadsheet. With `append` and `upsert`, some at a time; an attempt goes on where the last one
 * ended. With `replace`, to a hidden sheet first, whose values then take the place of the old ones in one request.
 * @throws DeliveryFailure or EgressError
 */
export async function sendSheet(
  sending: Sheets,
  destinations: Pick<DestinationDeps, "readSecrets" | "google">,
): Promise<Sent> {
  checkKey(sending);
  const api = await openSpreadsheet(destinations, sending);
  const done = await (sending.settings.mode === "replace" ? replace : add)(api, sending);
  return sentTo(sending.settings.sheet, done);
}

const batchesFor = ({ requestBytes }: Spreadsheet, { rows }: Sheets, offset: number) =>
  batchesOf(rows, offset, {
    rows: Number.POSITIVE_INFINITY,
    bytes: requestBytes,
    rowBytes: rows.columns.length * CELL_BYTES,
  });

const NONE: Progress = { rows: 0, leftOut: 0 };

/**
 * Makes a change that depends on the state, again if another attempt has written in the meantime. Returns the state afterwards,
 * except for the header, or "older" if a newer run has written. `known`: the state, if it was read.
 */
async function commitOn(
  api: Spreadsheet,
  sheets: Sheets,
  known: State | undefined,
  make: (state: State) => Promise<{ done: Progress; changes: readonly Change[] } | undefined>,
): Promise<State | "older"> {
  const { rows, order, settings } = sheets;
  for (let state = known; ; state = undefined) {
    state ??= await readState(api, sheets);
    const { line } = state;
    if (settings.mode !== "append" && line !== undefined && line.order > order) return "older";
    const made = await make(state);
    if (made === undefined) return state;
    const next: Line = { index: line?.index, run: rows.id, order, done: made.done };
    const after = await commit(api, state, sheets, next, made.changes);
    if (after !== undefined) return after;
  }
}

/** How many rows of the run are written. */
const progressOf = ({ line }: State, { rows }: Sheets): Progress | undefined =>
  line?.run === rows.id ? line.done : undefined;

async function add(api: Spreadsheet, sheets: Sheets): Promise<Progress | "older"> {
  const { rows, settings } = sheets;
  let done = NONE;
  const opened = await commitOn(api, sheets, undefined, async (state) => {
    const found = progressOf(state, sheets);
    // All rows are there. A resend of rows that are updated may repair what somebody has changed since.
    const isRepeated = settings.mode === "upsert" && found !== undefined && found.rows >= rows.row_count;
    done = isRepeated ? NONE : (found ?? NONE);
    const changes = newColumns(state, sheets);
    return found === undefined || isRepeated || changes.length > 0 ? { done, changes } : undefined;
  });
  if (opened === "older") return opened;
  let state: State | undefined;
  for await (const batch of batchesFor(api, sheets, done.rows)) {
    let next = done;
    const after = await commitOn(api, sheets, state, async (read) => {
      if (progressOf(read, sheets)?.rows !== done.rows) throw takenOver();
      const { changes, leftOut } =
        settings.mode === "upsert"
          ? await updatesOf(api, read, sheets, batch)
          : { changes: [appendCells(read.target.id, inColumns(read, sheets, batch))], leftOut: 0 };
      next = { rows: done.rows + batch.length, leftOut: done.leftOut + leftOut };
      return { done: next, changes };
    });
    if (after === "older") return after;
    state = after;
    done = next;
  }
  return done;
}

/** Adds the columns that the sheet lacks, after those it has. */
function newColumns({ target, header }: State, { rows }: Sheets): Change[] {
  const missing = rows.columns.map(storable).filter((name) => !header.includes(name));
  if (missing.length === 0) return [];
  const lacking = header.length + missing.length - (target.columns ?? 0);
  return [
    ...(lacking > 0
      ? [{ appendDimension: { sheetId: target.id, dimension: "COLUMNS", length: lacking } }]
      : []),
    updateCells(target.id, 0, header.length, [missing]),
  ];
}

/** The column of each field. */
const placesOf = ({ header }: State, { rows }: Sheets): [field: string, column: number][] =>
  rows.columns.map((field) => [field, header.indexOf(storable(field))]);

/** Rows as texts in the order of the sheet's columns. Columns that are no field stay empty. */
function inColumns(state: State, sheets: Sheets, rows: readonly Row[]): string[][] {
  const places = placesOf(state, sheets);
  const width = Math.max(0, ...places.map(([, column]) => column + 1));
  return rows.map((row) => {
    const texts = Array<string>(width).fill("");
    for (const [field, column] of places) texts[column] = textOf(row, field);
    return texts;
  });
}

/** The changes that update the rows whose key the sheet has, and add the others. */
async function updatesOf(api: Spreadsheet, state: State, sheets: Sheets, batch: readonly Row[]) {
  const { target } = state;
  const key = sheets.rows.key ?? [];
  const places = new Map(placesOf(state, sheets));
  const letters = key.map((field) => lettersOf(places.get(field) as number));
  const columns = await api.values(
    letters.map((letter) => rangeOf(target.title, `${letter}:${letter}`)),
    "COLUMNS",
  );
  const keys = columns.map(([values = []]) => values);
  const rowOf = new Map<string, number>();
  // The first row is the header.
  for (let index = Math.max(0, ...keys.map(({ length }) => length)) - 1; index > 0; index -= 1)
    rowOf.set(keyOf(keys.map((values) => values[index] ?? "")), index);
  const { byKey, leftOut } = lastByKey(batch, key);
  const known = [...byKey].flatMap(([text, row]) => {
    const index = rowOf.get(text);
    return index === undefined ? [] : [{ index, row }];
  });
  const added = [...byKey].flatMap(([text, row]) => (rowOf.has(text) ? [] : [row]));
  const blocks = runsOf(
    known.sort((one, other) => one.index - other.index),
    ({ index }) => index,
  );
  // Columns between them are not those of the scraper.
  const groups = runsOf(
    [...places].sort(([, one], [, other]) => one - other),
    ([, column]) => column,
  );
  const updates = blocks.flatMap(({ start, items }) =>
    groups.map((group) =>
      updateCells(
        target.id,
        start,
        group.start,
        items.map(({ row }) => group.items.map(([field]) => textOf(row, field))),
      ),
    ),
  );
  const changes =
    added.length === 0 ? updates : [...updates, appendCells(target.id, inColumns(state, sheets, added))];
  return { changes, leftOut };
}

/** Sorted items in blocks whose positions follow each other. */
function runsOf<T>(items: readonly T[], positionOf: (item: T) => number): { start: number; items: T[] }[] {
  const runs: { start: number; items: T[] }[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last !== undefined && last.start + last.items.length === positionOf(item)) last.items.push(item);
    else runs.push({ start: positionOf(item), items: [item] });
  }
  return runs;
}

async function replace(api: Spreadsheet, sheets: Sheets): Promise<Progress | "older"> {
  const { rows, order } = sheets;
  const state = await readState(api, sheets);
  if (state.line !== undefined && state.line.order > order) return "older";
  await checkForeign(api, state);
  const width = Math.max(1, rows.columns.length);
  const height = rows.row_count + 1;
  const staging = await newStaging(api, state, { rows: height, columns: width });
  let at = 0;
  for await (const batch of batchesFor(api, sheets, 0)) {
    const texts = batch.map((row) => rows.columns.map((field) => textOf(row, field)));
    const above = at === 0 ? [rows.columns.map(storable)] : [];
    await api.change([updateCells(staging, at === 0 ? 0 : at + 1, 0, [...above, ...texts])]);
    at += batch.length;
  }
  if (at === 0) await api.change([updateCells(staging, 0, 0, [rows.columns.map(storable)])]);
  const done = { rows: rows.row_count, leftOut: 0 };
  const ended = await commitOn(api, sheets, undefined, async ({ target, line }) => {
    const area = { startRowIndex: 0, endRowIndex: height, startColumnIndex: 0, endColumnIndex: width };
    const grown = (dimension: "ROWS" | "COLUMNS", length: number) =>
      length > 0 ? [{ appendDimension: { sheetId: target.id, dimension, length } }] : [];
    if (line === undefined) await checkForeign(api, { ...state, target, line });
    return {
      done,
      changes: [
        clearCells(target.id),
        ...grown("ROWS", height - target.rows),
        ...grown("COLUMNS", width - (target.columns ?? 0)),
        {
          copyPaste: {
            source: { sheetId: staging, ...area },
            destination: { sheetId: target.id, ...area },
            pasteType: "PASTE_VALUES",
          },
        },
        { deleteSheet: { sheetId: staging } },
      ],
    };
  });
  return ended === "older" ? ended : done;
}

/** Refuses to delete what others have written. */
async function checkForeign(api: Spreadsheet, { target, line }: State): Promise<void> {
  if (line !== undefined) return;
  const [values = []] = await api.values([rangeOf(target.title)], "ROWS");
  if (values.length > 0)
    throw new DeliveryFailure(
      `The sheet "${target.title}" has cells that no delivery with "replace" has written. They would be deleted. If they may be, empty the sheet once; else choose another one.`,
    );
}

/** A hidden sheet in place of the one that an earlier attempt has left. */
async function newStaging(
  api: Spreadsheet,
  { tabs, target }: State,
  size: { rows: number; columns: number },
): Promise<number> {
  const title = `${BOOK}_${target.id}`;
  const id = newTabId();
  await api.change([
    ...tabs.filter((tab) => tab.title === title).map((tab) => ({ deleteSheet: { sheetId: tab.id } })),
    newTab(id, title, { ...size, hidden: true }),
  ]);
  return id;
}
