import type { Inspection } from "../contract/inspections/inspection.ts";
import type { RunWarning } from "../contract/runs/run.ts";
import type { Batch } from "../scraping/job.ts";
import type { PageCapture } from "../scraping/page/pictures/capture.ts";
import type { TransformSamples } from "../values/transform-rows.ts";
import { bounded } from "./bounded.ts";
import { describeCapture } from "./describe-capture.ts";
import { fieldsOf, mixedFields, pagesOf } from "./describe-rows.ts";
import type { InspectionTask } from "./task.ts";

/** What the steps of an inspection have found, as plain JSON. */
export interface Findings {
  task: InspectionTask;
  /** The page at the end of the steps; absent if there is none. */
  capture?: PageCapture | undefined;
  batches: Batch[];
  /** Samples of the values that transforms have changed, by batches. */
  transformed: TransformSamples[];
  /** The warnings of the steps. */
  warnings: RunWarning[];
  /** The parts of the answer that are known without looking at the page. */
  known: Pick<Inspection, "ok" | "error" | "steps" | "credits_used">;
}

/** Makes the answer to an inspection. Its `ms` is 0. */
export function describeFindings({
  task,
  capture,
  batches,
  transformed,
  warnings,
  known,
}: Findings): Inspection {
  const rows = batches.flatMap((batch) => batch.rows);
  const read = pagesOf(batches, task);
  const found = describeCapture(capture, task, { hasRows: rows.length > 0, isOk: known.ok });
  return bounded({
    ...known,
    ...found,
    rows: task.want.includes("rows") ? read.rows : null,
    fields: fieldsOf(task.steps, rows, transformed),
    warnings: [...warnings, ...mixedFields(task.steps, rows), ...found.warnings],
    pages: read.pages,
    ms: 0,
  });
}

/** The answer to an inspection whose page takes too much time or memory to be described. */
export const withoutDescription = ({ warnings, known }: Findings): Inspection => ({
  ...known,
  ...{ page: null, lists: null, pagination: null, forms: null, consent: null, map: null, screenshot: null },
  ...{ rows: null, fields: [], pages: [], ms: 0 },
  warnings: [
    ...warnings,
    {
      code: "page_too_complex",
      message:
        "To describe the page takes too much time or memory. Add steps that lead to a smaller page, read fewer fields, or write the definition by hand and run it.",
      step: null,
    },
  ],
});
