import type { Inspection } from "../contract/inspections/inspection.ts";
import type { Row, RunWarning } from "../contract/runs/run.ts";
import type { Step } from "../contract/steps/steps.ts";
import { kindOfAll, mixedKinds } from "../proposals/lists/kinds.ts";
import { columnsOf } from "../rows/columns.ts";
import type { Batch } from "../scraping/job.ts";
import type { TransformSamples } from "../values/transform-rows.ts";
import type { InspectionTask } from "./task.ts";

const SAMPLES = 3;
const SAMPLE_MAX = 200;
/** The most values of a field of which is told what its transforms made. */
const TRANSFORMED_MAX = 20;
/** The most characters of a value in a warning. */
const MIXED_MAX = 60;

/** A warning for each field whose values are of mixed kinds: its selector probably finds different things. */
export const mixedFields = (steps: readonly Step[], rows: readonly Row[]): RunWarning[] =>
  columnsOf(steps).flatMap((name) => {
    const mixed = mixedKinds(rows.flatMap((row) => row[name] || []));
    if (!mixed) return [];
    const [one, other] = [mixed.one, mixed.other].map((value) => JSON.stringify(value.slice(0, MIXED_MAX)));
    const message = `The field ${name} has a ${mixed.kind} in some rows and something else in others: ${one} and ${other}. Its selector may find different things. Give it a selector that does not depend on a position.`;
    return [{ code: "field_mixed", message, step: null }];
  });

/**
 * Summarizes the values of each field that the steps name, also of fields that no row has.
 * @param transformed samples of the values that transforms have changed, by batches
 */
export function fieldsOf(
  steps: readonly Step[],
  rows: readonly Row[],
  transformed: readonly TransformSamples[] = [],
): Inspection["fields"] {
  return columnsOf(steps).map((name) => {
    const values = rows.map((row) => row[name] ?? "").filter((value) => value !== "");
    const distinct = [...new Set(values)];
    return {
      name,
      kind: kindOfAll(values),
      filled: rows.length === 0 ? 0 : Math.round((values.length / rows.length) * 100) / 100,
      distinct: distinct.length,
      samples: distinct.slice(0, SAMPLES).map((value) => value.slice(0, SAMPLE_MAX)),
      ...transformedOf(name, transformed),
    };
  });
}

function transformedOf(
  name: string,
  batches: readonly TransformSamples[],
): Pick<Inspection["fields"][number], "transformed"> {
  const all = batches.flatMap((samples) => (Object.hasOwn(samples, name) ? (samples[name] ?? []) : []));
  const byText = new Map(all.map((sample) => [sample.text, sample]));
  const refusedFirst = [...byText.values()].sort(
    (one, other) => Number("value" in one) - Number("value" in other),
  );
  return byText.size === 0 ? {} : { transformed: refusedFirst.slice(0, TRANSFORMED_MAX) };
}

/** The rows to return, and how many rows each page of the list has. */
export function pagesOf(
  batches: readonly Batch[],
  { steps, pages: wanted, rows_limit }: Pick<InspectionTask, "steps" | "pages" | "rows_limit">,
): { rows: Row[]; pages: Inspection["pages"] } {
  const list = steps.findLastIndex(({ type }) => type === "get_list");
  const shown: Row[] = [];
  const pages: Inspection["pages"] = [];
  const seen = new Set<string>();
  for (const { rows, checkpoint } of batches) {
    if (rows.length === 0) continue;
    if (!isOfList(checkpoint, list)) {
      shown.push(...rows.slice(0, rows_limit));
      continue;
    }
    // Without details, each batch is one page. With details, only one page is read, in several batches.
    if (wanted > 1 || pages.length === 0) pages.push({ url: checkpoint.url ?? null, rows: 0, new_rows: 0 });
    const current = pages.at(-1) as Inspection["pages"][number];
    shown.push(...rows.slice(0, Math.max(0, rows_limit - current.rows)));
    current.rows += rows.length;
    const before = seen.size;
    for (const row of rows) seen.add(JSON.stringify(row));
    current.new_rows += seen.size - before;
  }
  return { rows: shown, pages };
}

/** Whether rows belong to the list at the step `list`: their checkpoint is in that step or after it. */
const isOfList = ({ step, fields }: Batch["checkpoint"], list: number): boolean =>
  (step as number) > list || (step === list && fields !== undefined);
