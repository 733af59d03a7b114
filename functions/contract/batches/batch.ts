import * as v from "valibot";
import { limitedList } from "../limited-list.ts";
import { RESERVED_NAMES } from "../named-values.ts";
import { RowsLimit } from "../runs/rows-limit.ts";
import { CreateRunRequest, RunError, RunWarning } from "../runs/run.ts";
import { RunSource } from "../runs/run-status.ts";
import { HttpUrl, STEP_ID_MAX } from "../steps/action-steps.ts";

/** The most inputs of a batch. */
export const INPUTS_MAX = 100_000;
/** The most names of values that the inputs of a batch have together. */
export const INPUT_COLUMNS_MAX = 200;
/** How many runs of a batch are made at a time: the default, and the most. */
const CONCURRENCY = 10;
const CONCURRENCY_MAX = 20;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const time = v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time."));

export const Concurrency = v.pipe(
  v.number("must be a whole number"),
  v.integer("must be a whole number"),
  v.minValue(1, "must be at least 1"),
  v.maxValue(CONCURRENCY_MAX, `must be at most ${CONCURRENCY_MAX}`),
);

export const BatchStatus = v.picklist(["running", "finished"]);
export type BatchStatus = v.InferOutput<typeof BatchStatus>;

/** A batch as the API and the webhook return it. */
export const Batch = v.object({
  id: v.pipe(v.string(), v.uuid()),
  scraper_id: v.pipe(v.string(), v.uuid()),
  /** The version of the scraper at the creation of the batch. All runs of the batch use it. */
  scraper_version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  source: RunSource,
  status: v.pipe(
    BatchStatus,
    v.description("`running`, then `finished`. A batch with failed inputs is `finished`, too."),
  ),
  total: count,
  waiting: count,
  running: count,
  successful: count,
  warned: v.pipe(count, v.description("Of the successful inputs, those whose runs have warnings.")),
  failed: count,
  row_count: count,
  credits_used: count,
  rows_limit: RowsLimit,
  concurrency: Concurrency,
  webhook_url: v.nullable(v.string()),
  created_at: time,
  finished_at: v.nullable(time),
  /** Whether the batch is in progress and was asked to stop. */
  stopping: v.boolean(),
});
export type Batch = v.InferOutput<typeof Batch>;

export const InputStatus = v.picklist(["waiting", "running", "successful", "failed"]);
export type InputStatus = v.InferOutput<typeof InputStatus>;

/** Which inputs a list has: those with a status, or the successful ones whose runs have warnings. */
export const InputFilter = v.picklist([...InputStatus.options, "warned"]);
export type InputFilter = v.InferOutput<typeof InputFilter>;

/** The values of one input, by the ids of steps and by the names of other columns. */
export const InputValues = v.record(v.string(), v.string());
export type InputValues = v.InferOutput<typeof InputValues>;

/** An input of a batch with its run. */
export const BatchInput = v.object({
  /** The position of the input, from 0. */
  index: count,
  values: InputValues,
  /** Null if the input has no run, because it waits or because the batch ended before. */
  run_id: v.nullable(v.pipe(v.string(), v.uuid())),
  status: v.pipe(
    InputStatus,
    v.description("`waiting` until the input has a run, then the status of that run."),
  ),
  row_count: count,
  error: v.nullable(RunError),
  /** Those of the run. */
  warnings: v.array(RunWarning),
});
export type BatchInput = v.InferOutput<typeof BatchInput>;

export const RESERVED_NAME = `must not have a value named ${RESERVED_NAMES.join(", ")}. Rename it`;

/** A value of an input, as text. Numbers and booleans become text, so that rows of other programs can be sent as they are. */
const InputValue = v.pipe(
  v.union([v.string(), v.number(), v.boolean()], "must be a text"),
  // A larger one has lost its last digits before anyone could see them.
  v.check(
    (value) => !Number.isInteger(value) || Number.isSafeInteger(value),
    "is too large for a number. Send it as a text",
  ),
  v.transform(String),
  v.metadata({ type: "string" }),
);

/** One input in a request. A value that is null counts as absent. */
export const Input = v.pipe(
  v.custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be an object with a value for each step",
  ),
  v.check((value) => !RESERVED_NAMES.some((name) => Object.hasOwn(value, name)), RESERVED_NAME),
  v.record(v.string(), v.nullable(InputValue)),
  v.transform(
    (values): InputValues =>
      Object.fromEntries(
        Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null),
      ),
  ),
);

export const Inputs = limitedList(
  v.array(Input, "must be an array of inputs"),
  INPUTS_MAX,
  `must have at most ${INPUTS_MAX} inputs`,
);

const stepId = v.pipe(
  v.string(),
  v.minLength(1, "must not be empty"),
  v.maxLength(STEP_ID_MAX, `must be at most ${STEP_ID_MAX} characters`),
  v.description("The step that gets each value."),
);
const idOf = (what: string) =>
  v.optional(v.pipe(v.string(), v.metadata({ format: "uuid", description: what })));

/** The values of one field of the rows of a run, of a batch, or of the newest successful run of a scraper. */
export const RowsOf = v.pipe(
  v.strictObject({
    scraper_id: idOf(
      "The rows of the newest successful run of this scraper that has its own values and limit.",
    ),
    run_id: idOf("The rows of this run."),
    batch_id: idOf("The rows of this batch."),
    field: v.pipe(v.string(), v.minLength(1), v.description("The field whose values become inputs.")),
    step: stepId,
  }),
  v.check(
    ({ scraper_id, run_id, batch_id }) =>
      [scraper_id, run_id, batch_id].filter((id) => id !== undefined).length === 1,
    "requires one of these: scraper_id, run_id or batch_id",
  ),
);
export type RowsOf = v.InferOutput<typeof RowsOf>;

/** The addresses in a sitemap, and in the sitemaps that it names. */
export const SitemapSource = v.strictObject({
  url: HttpUrl,
  match: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(1000),
      v.description("Only addresses that match. `*` stands for any text."),
    ),
  ),
  step: stepId,
});
export type SitemapSource = v.InferOutput<typeof SitemapSource>;

const SOURCES = ["csv_url", "sitemap", "rows_of", "failed_of"] as const;

/** Where inputs come from, if the request does not have them. */
export const InputSource = v.pipe(
  v.strictObject({
    csv_url: v.optional(
      v.pipe(HttpUrl, v.description("The address of a CSV file, such as a published sheet.")),
    ),
    sitemap: v.optional(SitemapSource),
    rows_of: v.optional(RowsOf),
    failed_of: idOf("The failed inputs of this batch."),
  }),
  v.check(
    (source) => SOURCES.filter((name) => source[name] !== undefined).length === 1,
    `requires one of these: ${SOURCES.join(", ")}`,
  ),
);
export type InputSource = v.InferOutput<typeof InputSource>;

/** The inputs of a batch, or where they come from. */
export const inputsOrSource = {
  inputs: v.optional(v.pipe(Inputs, v.minLength(1, "must have at least one input"))),
  inputs_from: v.optional(InputSource),
};

type InputsOrSource = { inputs?: unknown; inputs_from?: unknown };
export const notBothInputs = <T extends InputsOrSource>() =>
  v.check<T, string>(
    ({ inputs, inputs_from }) => inputs === undefined || inputs_from === undefined,
    "must not have both inputs and inputs_from",
  );

/** The fields of a batch to create, besides its inputs. */
export const BatchSettings = v.object({
  scraper_id: CreateRunRequest.entries.scraper_id,
  steps: CreateRunRequest.entries.steps,
  rows_limit: CreateRunRequest.entries.rows_limit,
  webhook_url: CreateRunRequest.entries.webhook_url,
  concurrency: v.optional(Concurrency, CONCURRENCY),
});
export type BatchSettings = v.InferOutput<typeof BatchSettings>;

/** The body of POST /v1/batches as JSON. Without inputs, the batch has those of the scraper. */
export const CreateBatchRequest = v.pipe(
  v.object({ ...BatchSettings.entries, ...inputsOrSource }),
  notBothInputs(),
);
export type CreateBatchRequest = v.InferOutput<typeof CreateBatchRequest>;
