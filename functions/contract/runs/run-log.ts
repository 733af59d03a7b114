import * as v from "valibot";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Something that happened during a run. */
export const LogEvent = v.object({
  /** The number of the event in the run, from 0. */
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
  /** Index in the run's `steps`, or null if the event belongs to no step. */
  step: v.nullable(count),
  message: v.string(),
  /** The address of the page. */
  url: v.optional(v.string()),
  /** How many rows were added. */
  rows: v.optional(count),
  /** How long it took, in ms. */
  ms: v.optional(count),
});
export type LogEvent = v.InferOutput<typeof LogEvent>;

/** A log keeps the first 100 and the last 400 events. */
export const LOG_FIRST = 100;
export const LOG_LAST = 400;

/** A part of the log of a run, oldest event first. */
export const RunLog = v.object({
  next: v.pipe(count, v.description("The value of `after` for the next request.")),
  finished: v.pipe(v.boolean(), v.description("Whether the log is complete.")),
  data: v.pipe(v.array(LogEvent), v.maxLength(LOG_FIRST + LOG_LAST)),
});
