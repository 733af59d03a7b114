import { parse } from "csv-parse/sync";

/** What separates the values, as spreadsheets of different countries write it. */
const DELIMITERS = [",", ";", "\t", "|"];
/** The first line by which a file tells Excel what separates its values. */
const STATED = /^\ufeff?sep=(.)(?:\r\n|\r|\n)/i;

/** The rows of a CSV file with their values, perhaps without empty lines, which have one empty value. @throws CsvError */
export function csvRecords(text: string, { skip_empty_lines = true } = {}): string[][] {
  const [line = "", stated] = STATED.exec(text) ?? [];
  const records = text.slice(line.length);
  const delimiter = stated ?? delimiterOf(records);
  return parse(records, {
    bom: true,
    delimiter,
    relax_column_count: true,
    // Between tabs, a quotation mark within a value is a part of it, such as that of inches.
    relax_quotes: delimiter === "\t",
    skip_empty_lines,
  });
}

/** The delimiter that the first line has most often, outside of quotation marks. */
function delimiterOf(text: string): string {
  const [line = ""] = text.replaceAll(/"(?:[^"]|"")*"/g, "").split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}
