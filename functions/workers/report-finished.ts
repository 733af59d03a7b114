import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import { creditMultipliers } from "../runs/credits.ts";
import type { FailureCode, RunFailure } from "../runs/failure.ts";
import type { StoredRun } from "../runs/run.ts";
import type { StageTimes } from "../stages.ts";

/** Failures that only the operator of the service can solve. */
const SERVICE_FAILURES = new Set<FailureCode>(["browser_failed", "internal_error"]);

/** Logs and counts the end of a run. */
export function reportFinished(
  { log, meter, now }: { log: Log; meter?: Meter; now: () => Date },
  run: StoredRun,
  failure: RunFailure | undefined,
  { rows, credits, stages }: { rows: number; credits: number; stages?: StageTimes["ms"] },
): void {
  log.info("Run finished", {
    runId: run.id,
    account: run.account,
    status: failure ? "failed" : "successful",
    code: failure?.code,
    rows,
    credits,
    attempt: run.attempt,
    stages,
  });
  if (failure && SERVICE_FAILURES.has(failure.code))
    log.error("The run failed because of a fault in the service", { runId: run.id, error: failure });
  meter?.runFinished({
    code: failure?.code,
    durationMs: now().getTime() - Date.parse(run.started_at ?? run.created_at),
    rows,
    pages: credits / creditMultipliers[run.proxy.type],
    credits,
  });
}
