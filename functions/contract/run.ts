import * as v from "valibot";
import { RowsLimit } from "./scraper.ts";
import { noSecrets } from "./secret-references.ts";
import { HttpUrl, STEP_ID_MAX, Step } from "./steps.ts";

export const RunSource = v.picklist(["app", "scheduler", "api", "integration"]);
export type RunSource = v.InferOutput<typeof RunSource>;

export const RunStatus = v.picklist(["running", "successful", "failed"]);
export type RunStatus = v.InferOutput<typeof RunStatus>;

/** One extracted row: field name to text. A field that was not found on the item is left out. */
export const Row = v.record(v.string(), v.string());
export type Row = v.InferOutput<typeof Row>;

/** Why a run failed. `step` is an index into the run's `steps`, or null where no step is to blame. */
export const RunError = v.object({
  code: v.string(),
  message: v.string(),
  step: v.nullable(v.pipe(v.number(), v.integer())),
});
export type RunError = v.InferOutput<typeof RunError>;

/** What may be wrong with the rows of a run. `count` says how often, where that matters. */
export const RunWarning = v.object({
  code: v.string(),
  message: v.string(),
  step: v.nullable(v.pipe(v.number(), v.integer())),
  field: v.optional(v.string()),
  count: v.optional(v.pipe(v.number(), v.integer())),
});
export type RunWarning = v.InferOutput<typeof RunWarning>;

const time = v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time"));

/** A run as GET, lists and the webhook show it. */
export const Run = v.object({
  id: v.string(),
  scraper_id: v.string(),
  source: RunSource,
  status: RunStatus,
  credits_used: v.pipe(v.number(), v.integer()),
  steps: v.array(Step),
  rows_limit: RowsLimit,
  webhook_url: v.nullable(v.string()),
  result_rows: v.nullable(v.array(Row)),
  created_at: time,
  finished_at: v.nullable(time),
  error: v.nullable(RunError),
  warnings: v.array(RunWarning),
});
export type Run = v.InferOutput<typeof Run>;
/** A run without its rows, which are stored and streamed apart. */
export type RunHead = Omit<Run, "result_rows">;

/**
 * One step override: which step (`id`) and its new `url` or `value`. Whether the step exists and which of
 * the two it takes depends on the scraper, so that is checked against it (see runs/overrides).
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

/** Counted before they are looked at: a body may hold hundreds of thousands, each with a problem of its own. */
export const StepOverrides = v.pipe(
  v.array(v.unknown(), "must be an array of step overrides"),
  v.maxLength(200, "must have at most 200"),
  v.array(StepOverride),
);

/** The body of POST /v1/runs. */
export const CreateRunRequest = v.object({
  scraper_id: v.pipe(
    v.string("is required: the id of the scraper to run"),
    v.minLength(1, "must not be empty"),
    v.maxLength(100, "must be the id of a scraper"),
  ),
  steps: v.nullish(StepOverrides),
  rows_limit: v.nullish(RowsLimit),
  webhook_url: v.nullish(v.pipe(HttpUrl, noSecrets)),
});
export type CreateRunRequest = v.InferOutput<typeof CreateRunRequest>;
