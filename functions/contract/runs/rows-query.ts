import * as v from "valibot";
import { INPUTS_MAX } from "../batches/batch.ts";
import { changeKinds } from "./changes.ts";
import { FILES } from "./file.ts";
import { ROWS_LIMIT_MAX } from "./rows-limit.ts";

/** A whole number in a query string, parsed to a number. `absent` is the default. */
const whole = (description: string, most: number, absent: string, least = 0) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,12}$/, `must be a whole number from ${least} to ${most}`),
      v.description(description),
      v.transform(Number),
      v.minValue(least, `must be at least ${least}`),
      v.maxValue(most, `must be at most ${most}`),
      // Query strings are texts, so the schema of the text tells no client that it is a number.
      v.metadata({ integer: { minimum: least, maximum: most } }),
    ),
    absent,
  );

/** A parameter that is 0 or 1, parsed to a boolean. `absent` is the default. */
const flag = (description: string, absent: "0" | "1") =>
  v.optional(
    v.pipe(
      v.picklist(["0", "1"]),
      v.description(description),
      v.transform((text) => text === "1"),
    ),
    absent,
  );

/** One name of a list and the comma after it. A quoted name may contain commas, and `""` for a quotation mark. */
const NAME = /(?:"((?:[^"]|"")*)"|((?!")[^,]*))(,|$)/y;

/** Parses names that are separated by commas, as in a line of a CSV file. Undefined if the list is malformed. */
function namesOf(list: string): string[] | undefined {
  const names = new Set<string>();
  for (let at = 0; ; at = NAME.lastIndex) {
    NAME.lastIndex = at;
    const [, quoted, plain = "", comma] = NAME.exec(list) ?? [];
    if (comma === undefined) return undefined;
    names.add(quoted?.replaceAll('""', '"') ?? plain);
    if (comma === "") return [...names];
  }
}

/** The most rows that a batch can have. */
export const BATCH_ROWS_MAX = INPUTS_MAX * ROWS_LIMIT_MAX;

/** The query parameters of the routes that return rows as a file. `most`: how many rows there can be. */
export const rowsQuery = (most: number) =>
  v.object({
    format: v.optional(
      v.pipe(v.picklist(["json", "jsonl", "csv", "xlsx"]), v.description("The file format.")),
      "json",
    ),
    fields: v.optional(
      v.pipe(
        v.string(),
        v.check((text) => namesOf(text) !== undefined, "must have a comma after each closing quotation mark"),
        v.description(
          'The wanted fields in their order, separated by commas; all by default. A name with a comma or a quotation mark needs quotation marks, as in CSV: `"size, in cm",price`.',
        ),
        v.transform((text) => namesOf(text) ?? []),
      ),
    ),
    offset: whole("Index of the first row.", most, "0"),
    limit: whole("Maximum number of rows.", most, String(most), 1),
    download: flag("With 1, browsers save the response as a file.", "0"),
    bom: flag(
      "Whether a CSV file begins with a byte order mark, which Excel needs to read it as UTF-8.",
      "1",
    ),
    text: flag(
      "With 1, all cells of an xlsx file are texts. By default, a column has numbers or dates if that is certain: all its values have one notation, such as 1,234.50 or 2026-11-26.",
      "0",
    ),
    escape: v.optional(
      v.pipe(
        v.picklist(["none", "formulas"]),
        v.description(
          "With `formulas`, an apostrophe precedes everything in the values of a CSV file that a spreadsheet would take for a formula.",
        ),
      ),
      "none",
    ),
  });

const ofFiles = rowsQuery(1).entries;

/** The query parameters of GET /v1/runs/{id}/files. */
export const FilesQuery = v.object({
  format: v.optional(
    v.pipe(
      v.picklist(["json", "jsonl", "csv", "zip"]),
      v.description("The format of the list, or `zip` for the files themselves."),
    ),
    "json",
  ),
  number: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^0*[1-9]\d{0,5}$/, "must be the number of a file"),
      v.description("Returns the content of the file with this number."),
      v.transform(Number),
    ),
  ),
  offset: whole("Index of the first file.", FILES.count, "0"),
  limit: whole("Maximum number of files.", FILES.count, String(FILES.count), 1),
  download: ofFiles.download,
  bom: ofFiles.bom,
});

const KINDS = changeKinds.join(",");

/** The query parameters of GET /v1/runs/{id}/changes. */
export const ChangesQuery = v.object({
  kinds: v.optional(
    v.pipe(
      v.string(),
      v.description("The wanted kinds, separated by commas; all by default."),
      v.transform((list) => list.split(",")),
      v.array(v.picklist(changeKinds, `must be kinds of changes, separated by commas: ${KINDS}`)),
    ),
    KINDS,
  ),
  format: ofFiles.format,
  download: ofFiles.download,
  bom: ofFiles.bom,
  text: ofFiles.text,
  escape: ofFiles.escape,
});

/** The query parameters of GET /v1/runs/{id}/rows. */
export const RowsQuery = rowsQuery(ROWS_LIMIT_MAX);
