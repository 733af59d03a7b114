import type { Inspection } from "../../../functions/contract/inspection.ts";
import type { Pagination } from "../../../functions/contract/scraper.ts";
import { tableOf } from "../../table-of.ts";
import { shortened } from "../../terminal/preview-table.ts";
import { counted } from "../run/progress.ts";

const SAMPLE = 24;
const SAMPLES_MIN = 20;
/** Columns where the stream is no terminal. */
export const WIDTH = 100;

/** What rows have in each field, as a table for a terminal of so many columns. */
export function fieldsTable(fields: Inspection["fields"], width = WIDTH): string {
  const names = fields.map(({ name }) => shortened(name));
  // The borders, the spaces in them, and the columns of shares and kinds.
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

/** How many rows each page brought, a line for each page. */
export const pageLines = (pages: Inspection["pages"]): string[] =>
  pages.map(({ rows, new_rows }, index) =>
    index === 0
      ? `Page 1: ${counted(rows, "row")}`
      : `Page ${index + 1}: ${counted(rows, "row")}, ${new_rows === rows ? "all" : new_rows} of them new`,
  );

/** A pagination in a few words. */
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
