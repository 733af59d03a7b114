import { CsvError } from "csv-parse/sync";
import { INPUTS_MAX, type InputValues } from "../contract/batches/batch.ts";
import { type Problem, ValidationError } from "../contract/validate.ts";
import { csvRecords } from "../csv-records.ts";
import { tooManyInputs } from "./check-inputs.ts";
import type { ParsedInputs } from "./parsed-inputs.ts";

/** The most problems that are listed one by one. */
const PROBLEMS_MAX = 100;

/**
 * The inputs of a CSV file whose first row has the names of the values. Quoted values may have line breaks. A column
 * without a name is left out if it has no values, and so is a row without any, which spreadsheets add at the end.
 * @throws ValidationError with all problems of the file
 */
export function parseCsv(text: string): ParsedInputs {
  const [first, ...rows] = recordsOf(text);
  const header = first?.values ?? [];
  const names = header.map((name) => name.trim());
  const problems = headerProblems(names);
  if (rows.length === 0 && problems.length === 0)
    problems.push({ path: "", message: "The CSV file has no rows after its header" });
  if (rows.length > INPUTS_MAX) problems.push(tooManyInputs());
  if (problems.length === 0) problems.push(...rowProblems(names, rows));
  if (problems.length > 0) throw new ValidationError(problems);
  const inputs = rows.map(({ values: row }): InputValues => {
    const values = names.map((name, at): [string, string] => [name, row[at] ?? ""]);
    return Object.fromEntries(values.filter(([name]) => name !== ""));
  });
  return { inputs, placeOf: (index) => `row ${rows[index]?.number}` };
}

/** A row with its number as spreadsheets count: the first line is row 1. */
interface CsvRow {
  number: number;
  values: string[];
}

function recordsOf(text: string): CsvRow[] {
  try {
    return csvRecords(text, { skip_empty_lines: false })
      .map((values, index) => ({ number: index + 1, values }))
      .filter(({ values }) => values.some((value) => value.trim() !== ""));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ValidationError([{ path: "", message: `The CSV file can't be read: ${error.message}` }]);
  }
}

function headerProblems(names: readonly string[]): Problem[] {
  if (names.every((name) => name === ""))
    return [{ path: "", message: "The CSV file is empty. Its first row must have the names of the columns" }];
  const twice = names.filter((name, at) => name !== "" && names.indexOf(name) !== at);
  return [...new Set(twice)].map((name) => ({
    path: "",
    message: `The CSV file has the column "${name}" twice`,
  }));
}

function rowProblems(names: readonly string[], rows: readonly CsvRow[]): Problem[] {
  const problems: Problem[] = [];
  let more = 0;
  for (const { number, values: row } of rows) {
    const unnamed = row.findIndex((value, at) => value !== "" && (names[at] ?? "") === "");
    const isShort = row.length < names.length;
    if (unnamed < 0 && !isShort) continue;
    if (problems.length === PROBLEMS_MAX) {
      more += 1;
      continue;
    }
    const message = isShort
      ? `has ${row.length} values, but the header has ${names.length}`
      : `has a value in column ${unnamed + 1}, which has no name in the header`;
    problems.push({ path: `row ${number}`, message });
  }
  return more > 0 ? [...problems, { path: "", message: `and ${more} more problems` }] : problems;
}
