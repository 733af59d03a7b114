import type { Inspection } from "../../functions/contract/inspection.ts";
import { isPaginationProved } from "../../functions/inspections/draft-definition.ts";

/** What a check of a scraper says. */
export interface CheckReport {
  /** Whether all steps ran, each field has a value somewhere, and a second page, if asked for, has new rows. */
  isGood: boolean;
  lines: string[];
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** An inspection of a scraper in words. `pages`: how many pages were asked for. */
export function checkReport(inspection: Inspection, pages: number): CheckReport {
  const { ok, error, steps, fields, rows, warnings } = inspection;
  const empty = fields.filter(({ filled }) => filled === 0).map(({ name }) => name);
  const isProved = pages === 1 || isPaginationProved(inspection);
  const lines = [
    ...steps.map(({ index, type, ms }) => `Step ${index + 1}, ${type}: ${ms} ms`),
    ...(error ? [`Failed${error.step === null ? "" : ` at step ${error.step + 1}`}: ${error.message}`] : []),
    ...(rows ? [`${rows.length} rows`] : []),
    ...fields.map(({ name, filled, kind, samples }) =>
      filled === 0
        ? `${name}: no row has a value`
        : `${name}: ${percent(filled)} of the rows, ${kind}, such as ${samples.map((sample) => JSON.stringify(sample)).join(", ")}`,
    ),
    ...inspection.pages.map(
      (page, index) => `Page ${index + 1}: ${page.rows} rows, ${page.new_rows} of them new`,
    ),
    ...(ok && !isProved ? ["The second page brought no new rows. Check the pagination."] : []),
    ...warnings.map(({ message }) => `Warning: ${message}`),
  ];
  return { isGood: ok && empty.length === 0 && isProved, lines };
}
