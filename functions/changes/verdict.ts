import type { RunWarning } from "../contract/runs/run.ts";
import type { RunFailure } from "../runs/failure.ts";
import type { StoredRun } from "../runs/run.ts";
import { COMPARING, DOUBTING } from "../runs/warning.ts";

/** What a run has to be judged by, once its rows are complete. */
export interface Judged {
  run: Pick<StoredRun, "rows_limit">;
  rowCount: number;
  warnings: readonly RunWarning[];
  failure: RunFailure | undefined;
}

/** Whether a run has as many rows as it was to have at most. */
export const isAtLimit = ({ run, rowCount }: Pick<Judged, "run" | "rowCount">): boolean =>
  run.rows_limit !== undefined && rowCount >= run.rows_limit;

/**
 * Why a run may lack rows or values that its site has; undefined for a good run.
 */
export function doubtOf({ run, rowCount, warnings, failure }: Judged): string | undefined {
  if (failure !== undefined) return `The run failed (${failure.code}).`;
  const doubt = warnings.find(({ code }) => DOUBTING.has(code));
  if (doubt !== undefined) return `The run has the warning ${doubt.code}.`;
  const isAtDefault = warnings.some(({ code }) => code === "rows_limit_reached");
  if (isAtDefault || isAtLimit({ run, rowCount }))
    return "The run has as many rows as its rows_limit allows, so it may lack some.";
  return undefined;
}

/** Whether the figures of a run count as usual: also those at a limit, and those that only other runs make doubtful. */
export const isUsual = ({ warnings, failure }: Judged): boolean =>
  failure === undefined && !warnings.some(({ code }) => DOUBTING.has(code) && !COMPARING.has(code));
