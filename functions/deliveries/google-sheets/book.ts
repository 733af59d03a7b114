import { randomInt } from "node:crypto";
import type { DeliveryOf } from "../../contract/scrapers/delivery.ts";
import { DeliveryFailure } from "../delivery.ts";
import type { Sending } from "../destinations.ts";
import type { Progress } from "../table-rows.ts";
import { GoogleError } from "./google.ts";
import { appendCells, type Change, rangeOf, type Spreadsheet, type Tab, updateCells } from "./spreadsheet.ts";

/*
 * The bookkeeping: a hidden tab that has a line for each run whose rows were written. Its lines change together with the rows,
 * in one request, which Google makes whole or not at all. So an attempt that is killed goes on where it ended.
 *
 * Two attempts, or a request of an attempt that has ended which Google makes late, must not both write. Sheets knows no
 * conditions, but a named range can be deleted only once. Each request deletes the one that was there when its attempt read
 * the lines, and makes a new one. If another request has done so, it is refused whole.
 */

/** The title of the bookkeeping. */
export const BOOK = "gleaner_deliveries";
const HEADER = ["sheet", "mode", "run_id", "scraper_id", "run_order", "rows", "left_out"];

/** A line: what was written of a run. */
export interface Line {
  /** Of the tab; undefined for a new line. */
  index: number | undefined;
  run: string;
  order: string;
  done: Progress;
}

/** What a spreadsheet has when an attempt begins, or after another one has written. */
export interface State {
  target: Tab;
  book: Tab;
  /** All tabs. */
  tabs: readonly Tab[];
  /** The first row of the target. */
  header: string[];
  /** The number of lines, with the header. */
  lines: number;
  /** The line of the run, or, except with `append`, of the run before. */
  line: Line | undefined;
  /** The id of the named range. */
  guard: string | undefined;
}

type Sheets = Pick<Sending<DeliveryOf<"google_sheets">>, "settings" | "delivery" | "rows">;

/** The id of a new tab. Google chooses ids in the same way. */
export const newTabId = () => randomInt(1, 2 ** 31 - 1);

const ATTEMPTS = 3;

/** Makes the tabs that are missing, and reads the state. @throws DeliveryFailure or EgressError */
export async function readState(api: Spreadsheet, sheets: Sheets): Promise<State> {
  const { sheet } = sheets.settings;
  for (let attempt = 1; ; attempt += 1) {
    const { tabs, names } = await api.contents();
    const target = tabs.find(({ title }) => title === sheet);
    const book = tabs.find(({ title }) => title === BOOK);
    if (target !== undefined && book !== undefined) {
      if (target.columns === undefined)
        throw new DeliveryFailure(`The sheet "${sheet}" has no cells. Name another one, or a new one.`);
      const ranges = [rangeOf(sheet, "1:1"), rangeOf(BOOK)];
      const [[header = []] = [], lines = []] = await api.values(ranges, "ROWS");
      const guard = names.get(guardOf(target));
      return { target, book, tabs, header, lines: lines.length, line: lineOf(lines, target, sheets), guard };
    }
    try {
      await api.change([
        ...(target === undefined ? [newTab(newTabId(), sheet, { rows: 1, columns: 1 })] : []),
        ...(book === undefined ? newBook() : []),
      ]);
    } catch (error) {
      // Another attempt may have made them at the same time.
      if (!isRefusal(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

export const newTab = (
  sheetId: number,
  title: string,
  { rows, columns, hidden = false }: { rows: number; columns: number; hidden?: boolean },
): Change => ({
  addSheet: {
    properties: { sheetId, title, hidden, gridProperties: { rowCount: rows, columnCount: columns } },
  },
});

function newBook(): Change[] {
  const id = newTabId();
  return [newTab(id, BOOK, { rows: 1, columns: HEADER.length, hidden: true }), appendCells(id, [HEADER])];
}

/** Whether Google refuses the request as it is. */
const isRefusal = (error: unknown) => error instanceof GoogleError && error.status === 400;

const guardOf = ({ id }: Tab) => `gleaner_${id}`;

/** `append` has a line for each run, `upsert` one for each scraper, `replace` one for all. */
function lineOf(
  lines: readonly string[][],
  { id }: Tab,
  { settings, delivery, rows }: Sheets,
): Line | undefined {
  const { mode } = settings;
  const index = lines.findLastIndex(
    ([sheet, how, run, scraper]) =>
      sheet === `${id}` &&
      how === mode &&
      (mode !== "append" || run === rows.id) &&
      (mode !== "upsert" || scraper === delivery.scraper_id),
  );
  if (index === -1) return undefined;
  const [, , run = "", , order = "", done, leftOut] = lines[index] as string[];
  return { index, run, order, done: { rows: Number(done), leftOut: Number(leftOut) } };
}

/**
 * Makes changes together with the line that tells of them. Returns the state afterwards, except for the header; undefined if
 * another attempt has written since the state was read, and nothing was done.
 */
export async function commit(
  api: Spreadsheet,
  state: State,
  { settings, delivery }: Sheets,
  line: Line,
  changes: readonly Change[],
): Promise<State | undefined> {
  const { target, book, guard } = state;
  const name = guardOf(target);
  const texts = [
    ...[`${target.id}`, settings.mode, line.run, delivery.scraper_id, line.order],
    ...[`${line.done.rows}`, `${line.done.leftOut}`],
  ];
  const range = {
    sheetId: book.id,
    startRowIndex: 0,
    endRowIndex: 1,
    startColumnIndex: 0,
    endColumnIndex: 1,
  };
  try {
    const next = await api.change([
      ...(guard === undefined ? [] : [{ deleteNamedRange: { namedRangeId: guard } }]),
      // Names are unique, too: of two attempts that found none, one is refused.
      { addNamedRange: { namedRange: { name, range } } },
      line.index === undefined ? appendCells(book.id, [texts]) : updateCells(book.id, line.index, 0, [texts]),
      ...changes,
    ]);
    const lines = Math.max(state.lines, (line.index ?? state.lines) + 1);
    return { ...state, lines, line: { ...line, index: line.index ?? state.lines }, guard: next };
  } catch (error) {
    // Google's messages are not made for programs. If the named range is as it was, the request itself is wrong.
    if (isRefusal(error) && (await api.contents()).names.get(name) !== guard) return undefined;
    throw error;
  }
}
