import type { Inspection } from "../contract/inspection.ts";
import type { Row } from "../contract/run.ts";
import type { Step } from "../contract/steps.ts";
import { kindOfAll } from "../proposals/kinds.ts";
import type { Batch } from "../scraping/job.ts";

const SAMPLES = 3;
const SAMPLE_MAX = 200;

/** What the rows have in each field that the steps name, also in those that no row has. */
export function fieldsOf(steps: readonly Step[], rows: readonly Row[]): Inspection["fields"] {
  const names = new Set(
    steps.flatMap((step) => {
      if (step.type === "get_text") return [step.field_name];
      if (step.type !== "get_list") return [];
      return [...step.fields, ...(step.details?.fields ?? [])].map(({ name }) => name);
    }),
  );
  return [...names].map((name) => {
    const values = rows.map((row) => row[name] ?? "").filter((value) => value !== "");
    const distinct = [...new Set(values)];
    return {
      name,
      kind: kindOfAll(values),
      filled: rows.length === 0 ? 0 : Math.round((values.length / rows.length) * 100) / 100,
      distinct: distinct.length,
      samples: distinct.slice(0, SAMPLES).map((value) => value.slice(0, SAMPLE_MAX)),
    };
  });
}

/** The pages that the rows came from, with how many rows each had that the pages before had not. */
export function pagesOf(batches: readonly Batch[]): Inspection["pages"] {
  const pages: Inspection["pages"] = [];
  const seen = new Set<string>();
  let lastPage: unknown;
  for (const { rows, checkpoint } of batches) {
    if (rows.length === 0) continue;
    const page = checkpoint.loads;
    const texts = rows.map((row) => JSON.stringify(row));
    const fresh = new Set(texts.filter((text) => !seen.has(text))).size;
    for (const text of texts) seen.add(text);
    const current = pages.at(-1);
    if (current && page === lastPage) {
      current.rows += rows.length;
      current.new_rows += fresh;
    } else {
      pages.push({ url: checkpoint.url ?? null, rows: rows.length, new_rows: fresh });
    }
    lastPage = page;
  }
  return pages;
}
