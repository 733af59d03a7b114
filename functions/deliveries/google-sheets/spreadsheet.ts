import type { DeliveryOf } from "../../contract/scrapers/delivery.ts";
import { DeliveryFailure } from "../delivery.ts";
import type { DestinationDeps, Sending } from "../destinations.ts";
import { secretFor } from "../secret-for.ts";
import { GoogleError } from "./google.ts";
import { serviceAccountOf } from "./service-account.ts";

/** A part of `batchUpdate`, by its kind. */
export type Change = Record<string, object>;

/** A tab of a spreadsheet. */
export interface Tab {
  id: number;
  title: string;
  /** Of its grid; absent for a tab without cells, such as a chart. */
  columns: number | undefined;
  rows: number;
}

/** What a spreadsheet has besides cells. */
export interface Contents {
  tabs: Tab[];
  /** The ids of the named ranges, by name. */
  names: Map<string, string>;
}

/** A spreadsheet as a service account sees it. All methods throw DeliveryFailure or EgressError. */
export interface Spreadsheet {
  /** The size of `changes`, about. */
  requestBytes: number;
  contents(): Promise<Contents>;
  /** The values of ranges in A1 notation, by rows or by columns, as texts. */
  values(ranges: readonly string[], dimension: "ROWS" | "COLUMNS"): Promise<string[][][]>;
  /** Makes all changes, or none. Returns the id of the named range that they add, if they do. */
  change(changes: readonly Change[]): Promise<string | undefined>;
}

/** What each request asks Google to answer. */
const CONTENTS =
  "namedRanges(namedRangeId,name),sheets.properties(sheetId,title,gridProperties(rowCount,columnCount))";

/** @throws DeliveryFailure */
export async function openSpreadsheet(
  { readSecrets, google }: Pick<DestinationDeps, "readSecrets" | "google">,
  {
    delivery,
    settings,
    signal,
  }: Pick<Sending<DeliveryOf<"google_sheets">>, "delivery" | "settings" | "signal">,
): Promise<Spreadsheet> {
  const { secret, spreadsheet } = settings;
  const file = await secretFor(readSecrets, delivery.account, secret, "https://sheets.googleapis.com/");
  const account = serviceAccountOf(file, secret);
  const call = async (path: string, body?: unknown) => {
    signal.throwIfAborted();
    try {
      return await google.call(account, `${spreadsheet}${path}`, body);
    } catch (error) {
      throw error instanceof GoogleError ? explained(error, settings, account.email) : error;
    }
  };
  return {
    requestBytes: google.requestBytes,
    async contents() {
      const { sheets = [], namedRanges = [] } = (await call(`?fields=${CONTENTS}`)) as ContentsAnswer;
      return {
        tabs: sheets.map(({ properties: { sheetId, title, gridProperties } }) => ({
          id: sheetId,
          title,
          columns: gridProperties?.columnCount,
          rows: gridProperties?.rowCount ?? 0,
        })),
        names: new Map(namedRanges.map(({ name, namedRangeId }) => [name, namedRangeId])),
      };
    },
    async values(ranges, dimension) {
      const query = new URLSearchParams([
        ...ranges.map((range) => ["ranges", range]),
        ["majorDimension", dimension],
        ["valueRenderOption", "UNFORMATTED_VALUE"],
        ["fields", "valueRanges.values"],
      ]);
      const { valueRanges = [] } = (await call(`/values:batchGet?${query}`)) as ValuesAnswer;
      return ranges.map((_, index) =>
        (valueRanges[index]?.values ?? []).map((values) => values.map((value) => `${value}`)),
      );
    },
    async change(requests) {
      const fields = "replies.addNamedRange.namedRange.namedRangeId";
      const { replies = [] } = (await call(`:batchUpdate?fields=${fields}`, { requests })) as ChangeAnswer;
      return replies.flatMap((reply) => reply.addNamedRange?.namedRange.namedRangeId ?? [])[0];
    },
  };
}

interface ContentsAnswer {
  sheets?: {
    properties: {
      sheetId: number;
      title: string;
      gridProperties?: { rowCount: number; columnCount: number };
    };
  }[];
  namedRanges?: { namedRangeId: string; name: string }[];
}

interface ValuesAnswer {
  valueRanges?: { values?: (string | number | boolean)[][] }[];
}

interface ChangeAnswer {
  replies?: { addNamedRange?: { namedRange: { namedRangeId: string } } }[];
}

/** The error with what a person can do. */
function explained(
  { status, message }: GoogleError,
  { spreadsheet }: DeliveryOf<"google_sheets">,
  email: string,
): GoogleError {
  const said = message === "" ? "" : `: ${message.replace(/[^.!?]$/, "$&.")}`;
  const advice = (() => {
    if (status === 403)
      return `Google refuses the service account${said} Share the spreadsheet with ${email} as an editor, and enable the Google Sheets API in the project of this account.`;
    if (status === 404)
      return `Google knows no spreadsheet ${spreadsheet}. Copy its id from its address, between /d/ and /edit.`;
    if (status === 429) return "Google's limit of requests a minute is reached. It is tried again.";
    if (status === 400)
      return `Google refused the rows${said}${message.includes("10000000") ? " Choose another spreadsheet, or send fewer rows." : ""}`;
    return `Google answered with ${status}${said === "" ? "." : said} It is tried again.`;
  })();
  return new GoogleError(status, advice);
}

/** The most characters of a cell. */
const CELL_MAX = 50_000;

/**
 * Cells of texts as they are: a text that looks like a formula, a number or a date is a text, too. An empty one empties its
 * cell.
 * @throws DeliveryFailure
 */
export const cellsOf = (texts: readonly string[]) => ({
  values: texts.map((text) => {
    if (text.length > CELL_MAX)
      throw new DeliveryFailure(
        `A value has ${text.length.toLocaleString("en-US")} characters, and a cell of Google Sheets at most ${CELL_MAX.toLocaleString("en-US")}: "${text.slice(0, 60)}…". Leave its field out, or choose another destination.`,
      );
    return text === "" ? {} : { userEnteredValue: { stringValue: text } };
  }),
});

const fields = "userEnteredValue";

/** Adds rows below the last row with data. */
export const appendCells = (sheetId: number, rows: readonly string[][]): Change => ({
  appendCells: { sheetId, rows: rows.map(cellsOf), fields },
});

/** Writes rows from a cell on. Indexes begin with 0. */
export const updateCells = (
  sheetId: number,
  rowIndex: number,
  columnIndex: number,
  rows: readonly string[][],
): Change => ({
  updateCells: { start: { sheetId, rowIndex, columnIndex }, rows: rows.map(cellsOf), fields },
});

/** Empties all cells. Their formats stay. */
export const clearCells = (sheetId: number): Change => ({ updateCells: { range: { sheetId }, fields } });

/** Cells of a tab in A1 notation; all of them by default. */
export const rangeOf = (title: string, cells?: string): string => {
  const name = `'${title.replaceAll("'", "''")}'`;
  return cells === undefined ? name : `${name}!${cells}`;
};
