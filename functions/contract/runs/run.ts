import * as v from "valibot";
import { limitedList } from "../limited-list.ts";
import { noSecrets } from "../secrets/secret-references.ts";
import { HttpUrl, STEP_ID_MAX } from "../steps/action-steps.ts";
import { Step } from "../steps/steps.ts";
import { RunChanges } from "./changes.ts";
import { FileCounts } from "./file.ts";
import { RowsLimit } from "./rows-limit.ts";
import { RunSource, RunStatus } from "./run-status.ts";

/** One extracted row: texts by field name. A field that the element does not have is absent. */
export const Row = v.record(v.string(), v.string());
export type Row = v.InferOutput<typeof Row>;

/** A field of a list that needs another selector or attribute. Without `selector`, it reads the row itself. */
export const SuggestedField = v.object({
  name: v.string(),
  selector: v.optional(v.string()),
  attribute: v.optional(v.string()),
});

/**
 * A selector to try in place of one that finds nothing: that of the elements that hold the values of the scraper's last
 * good run. Nobody has checked it, so the service never applies it by itself.
 */
export const Suggestion = v.object({
  /** For the step, or for the control of the pagination if that is what is missing. */
  selector: v.string(),
  /** How many elements of the page it matches. */
  matches: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Rows of the page as these selectors read them: at most three, with their values cut. */
  sample: v.array(Row),
  /** Only for a list: the fields that change with it. */
  fields: v.optional(v.array(SuggestedField)),
});
export type Suggestion = v.InferOutput<typeof Suggestion>;

/** Why a run failed. `step` is an index in the run's `steps`, or null if no step caused the failure. */
export const RunError = v.object({
  code: v.string(),
  message: v.string(),
  step: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** Only if a selector has found nothing, and the page still has values of the last good run. */
  suggestion: v.optional(Suggestion),
});
export type RunError = v.InferOutput<typeof RunError>;

/** A problem that may make the rows of a run wrong or incomplete, although nothing failed. */
export const RunWarning = v.object({
  code: v.string(),
  message: v.string(),
  step: v.nullable(v.pipe(v.number(), v.integer())),
  field: v.optional(v.string()),
  /** How often the problem occurred; absent if it is not counted. */
  count: v.optional(v.pipe(v.number(), v.integer())),
  /** The same as for an error. */
  suggestion: v.optional(Suggestion),
});
export type RunWarning = v.InferOutput<typeof RunWarning>;

const time = v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time."));

/** The progress of a run. It is stored every few seconds while the run is in progress. */
export const RunProgress = v.object({
  /** Index of the current step in the run's `steps`. */
  step: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Pages loaded so far. */
  page: v.pipe(v.number(), v.integer(), v.minValue(0)),
  rows: v.pipe(v.number(), v.integer(), v.minValue(0)),
  credits: v.pipe(v.number(), v.integer(), v.minValue(0)),
  at: time,
});
export type RunProgress = v.InferOutput<typeof RunProgress>;

/** A run as the API and the webhook return it. */
export const Run = v.object({
  id: v.pipe(v.string(), v.uuid()),
  scraper_id: v.pipe(v.string(), v.uuid()),
  source: RunSource,
  status: RunStatus,
  credits_used: v.pipe(v.number(), v.integer(), v.minValue(0)),
  steps: v.array(Step),
  rows_limit: RowsLimit,
  webhook_url: v.nullable(v.string()),
  result_rows: v.nullable(v.array(Row)),
  created_at: time,
  finished_at: v.nullable(time),
  error: v.nullable(RunError),
  warnings: v.array(RunWarning),
  row_count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  started_at: v.nullable(time),
  progress: v.nullable(RunProgress),
  /** Whether the run is in progress and was asked to stop. */
  stopping: v.boolean(),
  /** The version of the scraper from which the run was made; null for runs older than versions. */
  scraper_version: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** The batch of which the run is a part, and the input that it is for; null for other runs. */
  batch_id: v.nullable(v.pipe(v.string(), v.uuid())),
  input: v.nullable(v.record(v.string(), v.string())),
  /** How its rows differ from those of earlier runs; null while it is in progress, and for a run that is not compared. */
  changes: v.nullable(RunChanges),
  /** The files that it has downloaded so far; absent if there are none. */
  files: v.optional(FileCounts),
});
export type Run = v.InferOutput<typeof Run>;
/** A run without its rows, which are stored and streamed separately. */
export type RunHead = Omit<Run, "result_rows">;
/** A run without the fields that have the same value in every run that has not started. */
export type NewRunHead = Omit<
  RunHead,
  "row_count" | "started_at" | "progress" | "stopping" | "batch_id" | "input" | "changes" | "files"
>;

/**
 * A step override: the `id` of a step and its new `url` or `value`. The scraper determines whether the step exists and
 * which of the two fields it has, so runs/overrides.ts checks these.
 */
export const StepOverride = v.object({
  id: v.pipe(
    v.string("must be the id of one of the scraper's steps"),
    v.minLength(1, "must not be empty"),
    v.maxLength(STEP_ID_MAX, `must be at most ${STEP_ID_MAX} characters`),
  ),
  type: v.optional(v.string()),
  url: v.nullish(v.string()),
  value: v.nullish(v.string()),
});
export type StepOverride = v.InferOutput<typeof StepOverride>;

export const StepOverrides = limitedList(
  v.array(StepOverride, "must be an array of step overrides"),
  200,
  "must have at most 200",
);

/** The body of POST /v1/runs. */
export const CreateRunRequest = v.object({
  scraper_id: v.pipe(
    v.string("is required: the id of the scraper to run"),
    v.minLength(1, "must not be empty"),
    v.maxLength(100, "must be the id of a scraper"),
    v.metadata({ format: "uuid", description: "Scraper to run." }),
  ),
  steps: v.nullish(StepOverrides),
  rows_limit: v.nullish(RowsLimit),
  only_new: v.nullish(
    v.pipe(
      v.boolean(),
      v.description(
        "Whether the run leaves out rows that an earlier good run had; by default as the scraper states.",
      ),
    ),
  ),
  webhook_url: v.nullish(v.pipe(HttpUrl, noSecrets, v.metadata({ format: "uri" }))),
});
export type CreateRunRequest = v.InferOutput<typeof CreateRunRequest>;
