import type { Inspection } from "../../../functions/contract/inspection.ts";
import type { Pagination } from "../../../functions/contract/scraper.ts";
import { shortened } from "../../preview-table.ts";
import { tableOf } from "../../table-of.ts";
import { counted } from "../run/progress.ts";

const SAMPLE = 24;

/** What rows have in each field, as a table. */
export const fieldsTable = (fields: Inspection["fields"]): string =>
  tableOf(
    ["field", "filled", "kind", "such as"],
    fields.map(({ name, filled, kind, samples }) => [
      name,
      `${Math.round(filled * 100)} %`,
      filled === 0 ? "" : kind,
      samples.map((sample) => shortened(sample, SAMPLE)).join(" | "),
    ]),
  );

/** How many rows each page brought, a line for each page. */
export const pageLines = (pages: Inspection["pages"]): string[] =>
  pages.map(({ rows, new_rows }, index) =>
    index === 0
      ? `Page 1: ${counted(rows, "row")}`
      : `Page ${index + 1}: ${counted(rows, "row")}, ${new_rows === rows ? "all" : new_rows} of them new`,
  );

/** A way of going on to the next page in a few words. */
export function nameOfPagination(pagination: Pagination): string {
  switch (pagination.type) {
    case "none":
      return "no further page";
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
