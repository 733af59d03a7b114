import * as v from "valibot";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Something that happened during a run. */
export const LogEvent = v.object({
  /** Its number: 0, 1, 2 … */
  seq: count,
  at: v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time.")),
  code: v.picklist([
    "started",
    "resumed",
    "step",
    "rows",
    "warning",
    "waiting",
    "stages",
    "successful",
    "failed",
  ]),
  /** Index into the run's `steps`, or null if it belongs to no step. */
  step: v.nullable(count),
  message: v.string(),
  /** The page. */
  url: v.optional(v.string()),
  /** How many rows came. */
  rows: v.optional(count),
  /** How long it took. */
  ms: v.optional(count),
});
export type LogEvent = v.InferOutput<typeof LogEvent>;

/** Events that a log keeps: the first ones, and the last ones. */
export const LOG_FIRST = 100;
export const LOG_LAST = 400;

export const RunLog = v.object({
  next: v.pipe(count, v.description("The value of `after` for the next request.")),
  finished: v.pipe(v.boolean(), v.description("Whether the log is complete.")),
  data: v.pipe(v.array(LogEvent), v.maxLength(LOG_FIRST + LOG_LAST)),
});
