import * as v from "valibot";

/** The highest limit of rows that a run can have. */
export const ROWS_LIMIT_MAX = 1_000_000;

/** The limit of a run if neither the scraper nor the request states one. */
export const ROWS_LIMIT_DEFAULT = 1_000;

export const RowsLimit = v.pipe(
  v.number("must be a whole number"),
  v.integer("must be a whole number"),
  v.minValue(1, "must be at least 1"),
  v.maxValue(ROWS_LIMIT_MAX, `must be at most ${ROWS_LIMIT_MAX}`),
);
