import * as v from "valibot";
import type { Inspection } from "../../contract/inspections/inspection.ts";
import { isPaginationProved } from "../../inspections/draft-definition.ts";
import { counted, linesWithin, roomFor, shortened } from "../answer.ts";
import { jsonOf } from "../api-client.ts";
import { Definition, defineTool, idOf, whole } from "../tool.ts";

const PAGES = 2;
const ROWS = 10;

export const checkScraper = defineTool({
  name: "check_scraper",
  scope: "write",
  title: "Check a scraper",
  description:
    "Runs a definition, or a stored scraper, in a fresh browser context. Stores nothing in Gleaner, but the steps can " +
    "change things on the site: they press buttons and submit forms. Answers with the first rows, how many of the rows have each field (`filled`: 0 to 1), and how many new rows each page brought. Two pages prove " +
    "the pagination. Takes up to a minute and costs one credit for each page loaded.",
  // The steps can press buttons and submit forms.
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  input: v.pipe(
    v.strictObject({
      definition: v.optional(Definition),
      scraper_id: v.optional(idOf("scraper")),
      pages: v.optional(whole(1, 3, "How many pages of the list to read."), PAGES),
      rows: v.optional(whole(1, 50, "How many rows to show."), ROWS),
    }),
    v.check(
      ({ definition, scraper_id }) => (definition === undefined) !== (scraper_id === undefined),
      "requires a definition or a scraper_id, but not both",
    ),
  ),
  async run(call, { definition, scraper_id, pages, rows }) {
    const body = { ...(definition ? { definition } : { scraper_id }), pages, want: ["rows"] };
    const inspection = await jsonOf<Inspection>(call("/v1/inspections", { method: "POST", body }));
    const summary = summaryOf(inspection, pages);
    return { summary, data: describe(inspection, rows, roomFor(summary)) };
  },
});

function summaryOf(inspection: Inspection, pages: number): string {
  const { ok, error, fields, rows } = inspection;
  if (!ok)
    return `The check failed at step ${error?.step ?? 0} (${error?.code}). The data has the reason: correct the definition and check again.`;
  const full = fields.filter(({ filled }) => filled === 1).length;
  return [
    `The check read ${counted(rows?.length ?? 0, "row")}. Of ${counted(fields.length, "field")}, ${full} ${full === 1 ? "is" : "are"} filled in every row.`,
    verdictOf(inspection, pages),
    "If each field that the user needs is filled and the rows are right, call save_scraper. Otherwise, change the definition and check again.",
  ].join(" ");
}

function verdictOf(inspection: Inspection, pages: number): string {
  const read = inspection.pages;
  if (isPaginationProved(inspection))
    return `Page 2 brought ${counted(read[1]?.new_rows ?? 0, "new row")}: the pagination works.`;
  if (pages === 1) return "Only one page was read: check two pages to prove the pagination.";
  if (read.length < 2)
    return "There was no second page: the list has only one page, or its pagination does not work.";
  return "The pagination is wrong: a further page brought no new rows.";
}

/** Maximum lengths of values. They are tried one after another until all rows fit. */
const VALUE_LENGTHS = [2_000, 300, 80];

function describe(inspection: Inspection, wanted: number, room: number): string {
  const { ok, error, steps, page, fields, pages, rows, warnings, credits_used } = inspection;
  const facts = (most: number) =>
    JSON.stringify({
      ok,
      error: error && { ...error, message: shortened(error.message, 1_000) },
      steps: steps
        .slice(0, most)
        .map((step) => ({ ...step, url_after: step.url_after && shortened(step.url_after, 200) })),
      page: page && { url: shortened(page.url, 500), title: shortened(page.title, 200) },
      fields: fields.slice(0, most).map(({ samples, ...field }) => ({
        ...field,
        samples: samples.slice(0, 2).map((sample) => shortened(sample, 60)),
      })),
      ...(fields.length > most && { omitted: `${fields.length - most} of ${fields.length} fields` }),
      pages: pages.map((each) => ({ ...each, url: each.url && shortened(each.url, 500) })),
      warnings: warnings
        .slice(0, 20)
        .map((warning) => ({ ...warning, message: shortened(warning.message, 300) })),
      credits_used,
    });
  // At least half of the room is for the rows.
  const head = [200, 50, 10, 0].map(facts).find((text) => text.length <= room / 2) ?? "";
  const shown = (rows ?? []).slice(0, wanted);
  const left = room - head.length - 200;
  for (const length of VALUE_LENGTHS) {
    const lines = shown.map((row) =>
      JSON.stringify(
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shortened(value, length)])),
      ),
    );
    const fitting = linesWithin(lines, left);
    if (fitting.length === lines.length || length === VALUE_LENGTHS.at(-1))
      return joined(head, fitting, rows ?? []);
  }
  return head;
}

const joined = (head: string, lines: readonly string[], rows: readonly unknown[]) =>
  [head, `The first ${lines.length} of ${rows.length} rows:`, ...lines].join("\n");
