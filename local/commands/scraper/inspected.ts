import type { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import type { Pagination } from "../../../functions/contract/scrapers/scraper.ts";
import { tableOf } from "../../table-of.ts";
import { shortened } from "../../terminal/preview-table.ts";
import { counted } from "../run/progress.ts";

const SAMPLE = 24;
const SAMPLES_MIN = 20;
/** The width in characters if the output is not a terminal. */
export const WIDTH = 100;

/** A table of the fields with their share of values, kind and samples, at most `width` characters wide if possible. */
export function fieldsTable(fields: Inspection["fields"], width = WIDTH): string {
  const names = fields.map(({ name }) => shortened(name));
  // 28 characters are for the borders, the padding, and the columns "filled" and "kind".
  const others = Math.max("field".length, ...names.map((name) => name.length)) + 28;
  const left = Math.max(SAMPLES_MIN, width - others);
  return tableOf(
    ["field", "filled", "kind", "such as"],
    fields.map(({ filled, kind, samples }, index) => [
      names[index] ?? "",
      `${Math.round(filled * 100)} %`,
      filled === 0 ? "" : kind,
      shortened(samples.map((sample) => shortened(sample, SAMPLE)).join(" | "), left),
    ]),
  );
}

/** The number of rows of each page, one line per page. */
export const pageLines = (pages: Inspection["pages"]): string[] =>
  pages.map(({ rows, new_rows }, index) =>
    index === 0
      ? `Page 1: ${counted(rows, "row")}`
      : `Page ${index + 1}: ${counted(rows, "row")}, ${new_rows === rows ? "all" : new_rows} of them new`,
  );

/** A short description of a pagination. */
export function nameOfPagination(pagination: Pagination): string {
  switch (pagination.type) {
    case "none":
      return "none";
    case "url_template":
      return `the addresses ${pagination.url}`;
    case "infinite_scroll":
      return "scrolling";
    default: {
      const { field_name, selector } = pagination;
      return `the control ${field_name === undefined ? selector : `"${field_name}"`}`;
    }
  }
}
