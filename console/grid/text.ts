import { withoutFormulas } from "../../functions/rows/formulas.ts";
import type { Row } from "../api/api.ts";

/** No cell shows more; a dialog shows all of it. */
const SHOWN = 300;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Control characters as their pictures: ␀, ␛. They have no other shape, and could hide something. */
export const visible = (value: string): string =>
  value.replace(CONTROL, (one) => (one === "\u007f" ? "␡" : String.fromCharCode(0x2400 + one.charCodeAt(0))));

/** The beginning of a value, for one line. */
export const beginningOf = (value: string): string => visible(value.slice(0, SHOWN).toWellFormed());

/** A value for a cell of a spreadsheet. */
function tsvValue(value: string): string {
  const safe = withoutFormulas(value);
  return /[\t\r\n"]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as lines of values with tabs between them, which spreadsheets paste into cells. */
export const toTsv = (rows: readonly Row[], names: readonly string[]): string =>
  rows.map((row) => names.map((name) => tsvValue(row[name] ?? "")).join("\t")).join("\n");
