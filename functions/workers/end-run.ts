import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import type { Queues } from "../queues.ts";
import type { RunTiming } from "../run-timing.ts";
import { endingOf } from "../runs/ending.ts";
import type { RunFailure } from "../runs/failure.ts";
import type { RunRef } from "../runs/run.ts";
import { putLog } from "../store/run-log.ts";
import { claimRun, finishRun } from "../store/run-state.ts";
import type { Table } from "../store/table.ts";
import { queueWebhook } from "./follow-up.ts";
import { lastEvent } from "./last-event.ts";
import { reportFinished } from "./report-finished.ts";

export interface EndRunDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
  log: Log;
  meter?: Meter;
  timing: RunTiming;
}

/** Ends a run as failed that no executor holds. Does nothing if one has claimed it in the meantime. */
export async function endRun(
  deps: EndRunDeps,
  { account, id }: RunRef,
  failure: RunFailure,
  now: Date,
): Promise<void> {
  const { table, timing } = deps;
  const run = await claimRun(table, { account, id }, now, timing.leaseMs);
  if (run === undefined) return;
  const { row_count, row_bytes, segments, credits_used, warnings, elapsed_ms } = run;
  const progress = { row_count, row_bytes, segments, credits_used, warnings, elapsed_ms };
  const event = { seq: run.log_count ?? 0, at: now.toISOString(), ...lastEvent(failure, row_count) };
  await putLog(table, run, [event]);
  const due = run.webhook_url === null ? undefined : new Date(now.getTime() + timing.overdueMs);
  if (!(await finishRun(table, run, progress, endingOf(failure, now), due))) return;
  reportFinished(deps, run, failure, { rows: row_count, credits: credits_used });
  await queueWebhook(deps, run);
}
