import type { Run } from "../../api/api.ts";
import { count } from "../../format/numbers.ts";
import { stepInWords } from "../../format/steps.ts";
import type { LoadedLog } from "./use-log.ts";

/** The progress of a run: its current step, rows and pages. Shows nothing if the run is finished. */
export function Progress({ run, log: { events } }: { run: Run; log: LoadedLog }) {
  if (run.status !== "running") return null;
  const { progress, steps, rows_limit, row_count } = run;
  const last = events.at(-1);
  const index = last?.step ?? progress?.step ?? 0;
  const step = steps[index];
  const rows = Math.max(row_count, progress?.rows ?? 0);
  return (
    <section class="card progress" aria-label="Progress">
      <div class="progress-bar" aria-hidden="true">
        {steps.map((one, at) => (
          <span key={at} class={at < index ? "done" : at === index ? "now" : ""} title={stepInWords(one)} />
        ))}
      </div>
      <p class="progress-step" aria-live="polite">
        {run.started_at === null ? (
          "Waiting for a free browser"
        ) : (
          <>
            Step {index + 1} of {steps.length}
            {step !== undefined && `: ${stepInWords(step)}`}
          </>
        )}
      </p>
      <p class="facts">
        <span>
          {count(rows)} of at most {count(rows_limit)} rows
        </span>
        <span>{count(progress?.page ?? 0)} pages</span>
        {last?.code === "waiting" && <span>{last.message}</span>}
      </p>
    </section>
  );
}
