import { parse } from "csv-parse/sync";

/** What separates the values, as spreadsheets of different countries write it. */
const DELIMITERS = [",", ";", "\t"];

/** The rows of a CSV file with their values, perhaps without empty lines, which have one empty value. @throws CsvError */
export const csvRecords = (text: string, { skip_empty_lines = true } = {}): string[][] =>
  parse(text, { bom: true, delimiter: delimiterOf(text), relax_column_count: true, skip_empty_lines });

/** The delimiter that the first line has most often, outside of quotation marks. */
function delimiterOf(text: string): string {
  const [line = ""] = text.replaceAll(/"(?:[^"]|"")*"/g, "").split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}
