import * as v from "valibot";
import { ROWS_LIMIT_MAX } from "./scraper.ts";

/** A number in a query string. */
const whole = (description: string, most: number, absent: string, least = 0) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,7}$/, `must be a whole number from ${least} to ${most}`),
      v.transform(Number),
      v.minValue(least, `must be at least ${least}`),
      v.maxValue(most, `must be at most ${most}`),
      v.description(description),
    ),
    absent,
  );

const flag = (description: string, absent: "0" | "1") =>
  v.optional(
    v.pipe(
      v.picklist(["0", "1"]),
      v.transform((text) => text === "1"),
      v.description(description),
    ),
    absent,
  );

/** The query of a run's rows. */
export const RowsQuery = v.object({
  format: v.optional(
    v.pipe(v.picklist(["json", "jsonl", "csv", "xlsx"]), v.description("The file format.")),
    "json",
  ),
  fields: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => [...new Set(text.split(","))]),
      v.description("The wanted fields in their order, separated by commas; all by default."),
    ),
  ),
  offset: whole("Index of the first row.", ROWS_LIMIT_MAX, "0"),
  limit: whole("Maximum number of rows.", ROWS_LIMIT_MAX, String(ROWS_LIMIT_MAX), 1),
  download: flag("With 1, browsers save the response as a file.", "0"),
  bom: flag("Whether a CSV file begins with a byte order mark, which Excel needs to read it as UTF-8.", "1"),
  escape: v.optional(
    v.pipe(
      v.picklist(["none", "formulas"]),
      v.description(
        "With `formulas`, an apostrophe precedes the values of a CSV file that a spreadsheet would take for formulas.",
      ),
    ),
    "none",
  ),
});
