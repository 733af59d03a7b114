/**
 * Everything that a run can warn of: its rows may not be all that a person would see. A message is made where the
 * warning is found, and ends with what a person can check or do.
 */
export const warningCodes = [
  /** No row has a value for the field. */
  "field_empty",
] as const;
export type WarningCode = (typeof warningCodes)[number];
