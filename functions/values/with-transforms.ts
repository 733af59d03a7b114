import type { Row } from "../contract/runs/run.ts";
import type { Step } from "../contract/steps/steps.ts";
import { valueFieldsOf } from "../contract/steps/value-fields.ts";
import { RunFailure } from "../runs/failure.ts";
import type { Batch, Scrape, ScrapeJob } from "../scraping/job.ts";
import { createWarnings, type Warnings } from "../scraping/warnings.ts";
import { ComputationEnded, Thread } from "../threads/thread.ts";
import type { ColumnTransforms, TransformSamples } from "./transform-rows.ts";

/** The time for the values of one batch. Ordinary ones take some milliseconds; only a regex of a scraper can take long. */
const TRANSFORM_MS = 10_000;
/** A value is quoted up to this length. */
const QUOTED = 60;

interface TransformOptions {
  /** The time for the values of one batch. For tests. */
  ms?: number;
  /** Called with samples of the values of each batch. */
  onSamples?: (samples: TransformSamples) => void;
}

/**
 * Changes the values of a run's rows by the transforms of their fields, in a thread of its own. A value that a transform
 * does not read stays as it is, and the run has a warning.
 */
export const withTransforms = (scrape: Scrape, options: TransformOptions = {}): Scrape =>
  async function* scrapeWithTransforms(job, context) {
    if (!hasTransforms(job)) return yield* scrape(job, context);
    await using thread = new Thread();
    const warnings = createWarnings();
    const batches = scrape(job, context);
    let known = job.from?.warnings ?? [];
    try {
      for (;;) {
        const next = await batches.next();
        if (next.done) return next.value;
        known = next.value.warnings ?? known;
        const rows = await transformedRows(thread, { job, batch: next.value, warnings, ...options });
        const all = createWarnings(known);
        for (const warning of warnings.all()) all.add(warning as Parameters<Warnings["add"]>[0]);
        yield { ...next.value, rows, warnings: all.all() };
      }
    } finally {
      await batches.return("handover");
    }
  };

interface ToTransform extends TransformOptions {
  job: ScrapeJob;
  batch: Batch;
  warnings: Warnings;
}

/** @throws RunFailure if it takes too long */
async function transformedRows(
  thread: Thread,
  { job, batch, warnings, ms = TRANSFORM_MS, onSamples }: ToTransform,
): Promise<Row[]> {
  const columns = columnsOf(job, batch.list ?? job.steps.length);
  if (batch.rows.length === 0 || columns.size === 0) return batch.rows;
  const input = { rows: batch.rows, columns: [...columns], language: batch.language };
  try {
    const { rows, refusals, samples } = await thread.run("transform", input, ms);
    onSamples?.(samples);
    for (const { field, value, reason, count } of refusals) {
      const quoted = value.length > QUOTED ? `${value.slice(0, QUOTED).toWellFormed()}…` : value;
      const message = `The transform of the field "${field}" did not change ${count === 1 ? "a value" : "values"}: "${quoted}" ${reason}.`;
      warnings.add({ code: "value_not_transformed", message, step: batch.list ?? null, field, count });
    }
    return rows;
  } catch (cause) {
    if (!(cause instanceof ComputationEnded)) throw cause;
    throw new RunFailure(
      "too_large",
      "The transforms of the fields take too much time or memory. Use a simpler regex, or read fewer rows on a page.",
      { cause, ...(batch.list !== undefined && { step: batch.list }) },
    );
  }
}

const fieldsOf = (step: Step) =>
  step.type === "get_list" ? valueFieldsOf([...step.fields, ...(step.details?.fields ?? [])]) : [];

const hasTransforms = ({ steps }: ScrapeJob) =>
  steps.some((step) =>
    step.type === "get_text" ? step.transform : fieldsOf(step).some(({ transform }) => transform),
  );

/** The transforms of the columns that a list's rows have: those of its fields, and of the get_text steps before it. */
function columnsOf({ steps }: ScrapeJob, list: number): ColumnTransforms {
  const texts = steps
    .slice(0, list)
    .flatMap((step) =>
      step.type === "get_text" ? [{ name: step.field_name, transform: step.transform }] : [],
    );
  const step = steps[list];
  const columns: ColumnTransforms = new Map();
  for (const { name, transform } of [...texts, ...(step ? fieldsOf(step) : [])]) {
    if (transform) columns.set(name, transform);
    else columns.delete(name);
  }
  return columns;
}
