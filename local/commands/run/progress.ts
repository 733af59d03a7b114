import type { Run } from "../../../functions/contract/runs/run.ts";
import type { LogEvent } from "../../../functions/contract/runs/run-log.ts";
import { statusWord } from "../../../functions/contract/runs/status-words.ts";
import { nameOfStep } from "../step-name.ts";

/** Describes what a run in progress does or waits for. `last` is the newest event of its log. */
export function describeProgress(run: Run, last?: LogEvent): string {
  const { progress, started_at, stopping, steps, row_count, credits_used } = run;
  if (stopping) return "stopping";
  if (last?.code === "waiting") return last.message;
  if (started_at === null) return "waiting for a free browser";
  if (progress === null)
    return row_count > 0 ? `resuming after ${counted(row_count, "row")}` : "opening the browser";
  // This progress is stored when an execution starts, before the first step is done.
  if (progress.page === 0 && progress.credits === 0 && row_count === 0) {
    return `running its ${counted(steps.length, "step")}`;
  }
  const step = steps[progress.step];
  const name = step === undefined ? "" : `: ${nameOfStep(step)}`;
  const parts = [
    `step ${progress.step + 1} of ${steps.length}${name}`,
    ...(progress.page > 0 ? [`page ${progress.page}`] : []),
    counted(Math.max(progress.rows, row_count), "row"),
    counted(Math.max(progress.credits, credits_used), "credit"),
  ];
  return parts.join(" · ");
}

/** Describes the result of a finished run, in one line. */
export function describeOutcome({
  status,
  row_count,
  credits_used,
  created_at,
  finished_at,
  ...run
}: Run): string {
  const seconds = (Date.parse(finished_at ?? "") - Date.parse(created_at)) / 1000;
  const costs = `${counted(row_count, "row")} for ${counted(credits_used, "credit")} in ${duration(seconds)}`;
  const { word } = statusWord({ status, ...run });
  return status === "successful" ? `${word}: ${costs}` : `${word} with ${costs}`;
}

/** The error and the warnings of a run, one line each. */
export function describeProblems({ error, warnings, steps }: Run): string[] {
  const where = (step: number | null) => {
    const named = step === null ? undefined : steps[step];
    return named === undefined ? "" : ` at step ${(step ?? 0) + 1} (${nameOfStep(named)})`;
  };
  return [
    ...(error === null ? [] : [`${error.code}${where(error.step)}: ${error.message}`]),
    ...warnings.map(({ code, step, field, count, message }) => {
      const times = count === undefined ? "" : ` (${count})`;
      const of = field === undefined ? "" : `, field ${field}`;
      return `Warning ${code}${times}${where(step)}${of}: ${message}`;
    }),
  ];
}

export const counted = (count: number, what: string): string =>
  `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}
