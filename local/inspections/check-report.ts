import type { Inspection } from "../../functions/contract/inspections/inspection.ts";
import { isPaginationProved } from "../../functions/inspections/draft-definition.ts";

/**
 * The problems of a scraper, according to an inspection of it. The result is empty if all steps ran, there are rows,
 * each field has a value in at least one row, and every page has new rows. `pages` is the number of requested pages.
 */
export function problemsOf(inspection: Inspection, pages: number): string[] {
  const { ok, error, fields } = inspection;
  if (!ok) return [`It failed${whereOf(error)}: ${error?.message}`];
  const [first] = inspection.pages;
  if (first === undefined) return ["No rows were read. Check that a step reads a list or a text."];
  return [
    ...fields.flatMap(({ name, filled }) =>
      filled === 0 ? [`No row has a value for the field ${name}. Check its selector.`] : [],
    ),
    ...(pages === 1 || isPaginationProved(inspection) ? [] : [whyNotProved(inspection)]),
  ];
}

const whereOf = (error: Inspection["error"]) =>
  error === null || error.step === null ? "" : ` at step ${error.step + 1}`;

function whyNotProved({ pages }: Inspection): string {
  const same = pages.findIndex(({ new_rows }, index) => index > 0 && new_rows === 0);
  return same === -1
    ? "There was no second page. Check the pagination, unless the list has one page."
    : `Page ${same + 1} has the same rows as the pages before. Check the pagination.`;
}
