import { withoutFormulas } from "../../functions/rows/formulas.ts";
import type { Row } from "../api/api.ts";

/** How many characters a cell shows at most. A dialog shows the whole value. */
const SHOWN = 300;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * Replaces control characters by visible symbols such as ␀ and ␛, because they are invisible and could hide something.
 */
export const visible = (value: string): string =>
  value.replace(CONTROL, (one) => (one === "\u007f" ? "␡" : String.fromCharCode(0x2400 + one.charCodeAt(0))));

/** The beginning of a value, as a cell shows it. */
export const beginningOf = (value: string): string => visible(value.slice(0, SHOWN).toWellFormed());

/** A value quoted for TSV, and escaped if a spreadsheet could take it for a formula. */
function tsvValue(value: string): string {
  const safe = withoutFormulas(value);
  return /[\t\r\n"]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as tab-separated values without a header, which spreadsheets paste into cells. */
export const toTsv = (rows: readonly Row[], names: readonly string[]): string =>
  rows.map((row) => names.map((name) => tsvValue(row[name] ?? "")).join("\t")).join("\n");
