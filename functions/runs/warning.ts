/**
 * The codes of all warnings. A warning says that the rows of a run may differ from what a person would see on the page.
 * Its message ends with what a person can check or do.
 */
export const warningCodes = [
  /** No row has a value for the field. */
  "field_empty",
  /** Some rows have no value in any field; `count` says how many. */
  "rows_empty",
  /**
   * In `count` rows of a scraper's first run, several values match the selector of a field, of which the first was taken,
   * and in others fewer do.
   */
  "field_ambiguous",
  /** A transform did not read `count` values of the field, which stay as they are. */
  "value_not_transformed",
  /** Fields are selected by the positions of cells, which are not those of the columns in `count` rows of a table. */
  "columns_shifted",
  /** The pages of some rows could not be read; `count` says of how many rows. */
  "details_missing",
  /** The addresses of several rows led to the same page; `count` says how many rows have its values. */
  "details_repeated",
  /** Files that rows name could not be downloaded; `count` says how many. The list of the run's files says why. */
  "files_missing",
  /** A step before the list was performed for each row, because each row has an element that it may be meant for. */
  "step_for_each_row",
  /** Steps of `each` were not performed: `count` rows were gone, or no row has the element of a step. */
  "row_steps_skipped",
  /** The list may have more rows or columns than were read. The message says what points to it. */
  "rows_may_be_missing",
  /** Rows lack values that the page may only show once they are in view. */
  "values_may_be_missing",
  /** Rows of a growing list changed after they were read; `count` says how many. */
  "rows_changed",
  /**
   * Different pages of the list have the same rows (`count` says how many), or one page has its rows more than once.
   */
  "rows_repeated",
  /** The run stopped at the default limit of rows, and the list may have more. */
  "rows_limit_reached",
  /** No page of the list has the control of the pagination. */
  "pagination_control_missing",
  /** The wanted name is only a part of the name of the control that was used. */
  "pagination_guessed",
  /** The page asked a question in a dialog, and no step had caused it. */
  "dialog_cancelled",
  /** The page waits for its service worker, which is blocked, and may show something else with it. */
  "service_worker_blocked",
  /** A script or a style sheet that the page waited for did not answer in time. */
  "resource_timeout",
  /** The page's site failed to send a script or a style sheet. */
  "resource_failed",
  /** A WebSocket of the page was closed, because a secret may not go to its host. */
  "websocket_closed",
  /** The state of the scraper's session is too large to be kept. */
  "session_not_kept",
  /** The list, or a part of it, was read in the browser, although the scraper asks for HTTP. */
  "http_not_used",
  /** The run has less than half of the rows that the last runs had; `count` says how many. */
  "rows_fewer_than_usual",
  /** The share of rows with a value for the field is less than half of what it was in the last runs. */
  "field_emptier_than_usual",
  /** The run does not have what the scraper's `expect` states. */
  "expectation_missed",
] as const;
export type WarningCode = (typeof warningCodes)[number];

/** Warnings about figures that differ from those of other runs. They say nothing about the run itself. */
export const COMPARING: ReadonlySet<string> = new Set<WarningCode>([
  "rows_fewer_than_usual",
  "field_emptier_than_usual",
  "expectation_missed",
]);

/** Warnings by which a run may lack rows or values that the site has, so that others must not be compared with it. */
export const DOUBTING: ReadonlySet<string> = new Set<WarningCode>([
  "columns_shifted",
  "details_missing",
  "details_repeated",
  "row_steps_skipped",
  "rows_may_be_missing",
  "values_may_be_missing",
  "rows_changed",
  "rows_repeated",
  "pagination_control_missing",
  "resource_timeout",
  "resource_failed",
  ...(COMPARING as ReadonlySet<WarningCode>),
]);
