import { stringify } from "csv-stringify/sync";
import type { Row } from "../contract/runs/run.ts";
import { withoutFormulas } from "./formulas.ts";
import { xlsx } from "./xlsx.ts";

export interface FormatOptions {
  /** The columns of a table. */
  columns: readonly string[];
  /** Whether the rows have exactly the wanted fields already. */
  isWhole: boolean;
  /** Whether a byte order mark precedes a CSV file, by which Excel knows that it is UTF-8. */
  bom: boolean;
  /** Whether an apostrophe precedes what a spreadsheet would take for a formula. */
  escapesFormulas: boolean;
  /** Whether an xlsx file has numbers and dates where a column is certain to hold them. */
  isTyped: boolean;
}

/** Reads the rows, in batches of JSON. Each call reads them from the start. */
export type ReadRows = () => AsyncIterable<Buffer[]>;

export interface Format {
  contentType: string;
  /** The file with these rows. */
  write(read: ReadRows, options: FormatOptions): AsyncIterable<string | Buffer>;
}

/** The formats of a run's rows, by name, which is also the extension of a file. */
export const formats: Record<"json" | "jsonl" | "csv" | "xlsx", Format> = {
  json: { contentType: "application/json", write: json },
  jsonl: { contentType: "application/jsonl", write: jsonl },
  csv: { contentType: "text/csv; charset=utf-8; header=present", write: csv },
  xlsx: {
    contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    write: (read, { columns, isTyped }) => xlsx(() => tables(read(), columns), columns, isTyped),
  },
};

async function* json(read: ReadRows, options: FormatOptions): AsyncGenerator<Buffer> {
  yield Buffer.from("[");
  let separator = "";
  for await (const batch of read()) {
    yield Buffer.from(separator);
    yield joined(batch, ",", options);
    separator = ",";
  }
  yield Buffer.from("]");
}

async function* jsonl(read: ReadRows, options: FormatOptions): AsyncGenerator<Buffer> {
  for await (const batch of read()) yield Buffer.concat([joined(batch, "\n", options), Buffer.from("\n")]);
}

/** The JSON of rows with the wanted fields, in their order. */
function joined(batch: readonly Buffer[], separator: string, { isWhole, columns }: FormatOptions): Buffer {
  if (isWhole) {
    const between = Buffer.from(separator);
    return Buffer.concat(batch.flatMap((row, index) => (index === 0 ? [row] : [between, row])));
  }
  return Buffer.from(batch.map((row) => JSON.stringify(picked(parse(row), columns))).join(separator));
}

const parse = (row: Buffer): Row => JSON.parse(row.toString());

function picked(row: Row, columns: readonly string[]): Row {
  // Without a prototype, a field named __proto__ is a field like any other.
  const fields: Row = Object.create(null);
  for (const name of columns) if (Object.hasOwn(row, name)) fields[name] = row[name] as string;
  return fields;
}

async function* csv(read: ReadRows, options: FormatOptions): AsyncGenerator<string> {
  const { columns, bom, escapesFormulas } = options;
  const format = {
    record_delimiter: "windows",
    // By itself, the library quotes only the whole delimiter, and a line break by one character would end the record.
    quoted_match: /[\r\n]/,
    // Many readers skip empty lines.
    quoted_empty: columns.length === 1,
  } as const;
  const text = (table: string[][]) =>
    stringify(escapesFormulas ? table.map((row) => row.map(withoutFormulas)) : table, format);
  yield (bom ? "\ufeff" : "") + text([[...columns]]);
  for await (const rows of tables(read(), columns)) yield text(rows);
}

/** The values of rows in the order of the columns; a field that a row does not have is empty. */
async function* tables(
  batches: AsyncIterable<Buffer[]>,
  columns: readonly string[],
): AsyncGenerator<string[][]> {
  for await (const batch of batches) {
    yield batch.map((json) => {
      const row = parse(json);
      return columns.map((name) => (Object.hasOwn(row, name) ? (row[name] as string) : ""));
    });
  }
}
