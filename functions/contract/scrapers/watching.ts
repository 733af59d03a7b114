import * as v from "valibot";
import { namedValues } from "../named-values.ts";

/** What the rows of each run have to have. */
export const Expect = v.strictObject({
  rows_min: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000))),
  /** The least share of rows with a value, by field. */
  filled: v.optional(
    namedValues(
      v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
      v.pipe(v.number(), v.minValue(0), v.maxValue(1, "must be at most 1, which means all rows")),
    ),
  ),
  /** Whether a run without that fails. Otherwise it has a warning. */
  fail: v.optional(v.boolean()),
});
export type Expect = v.InferOutput<typeof Expect>;

/** How the rows of a run are compared with those of earlier ones. */
export const watching = {
  /** Leaves out the rows that an earlier good run had, before their details are opened. */
  only_new: v.optional(v.boolean()),
  /** With `only_new`: after so many pages in a row with known rows only, the list ends. */
  stop_after_known_pages: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000))),
  expect: v.optional(Expect),
};
