import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import type { Queues } from "../queues.ts";
import type { RunTiming } from "../run-timing.ts";
import { endingOf } from "../runs/ending.ts";
import type { RunFailure } from "../runs/failure.ts";
import type { RunRef } from "../runs/run.ts";
import { decodeLog, storeLog } from "../store/runs/run-log.ts";
import { claimRun, finishRun } from "../store/runs/run-state.ts";
import type { Table } from "../store/table.ts";
import { openEnd, queueFollowUp } from "./follow-up.ts";
import { lastEvent } from "./last-event.ts";
import { reportFinished } from "./report-finished.ts";
import { RunLog } from "./run-log.ts";

export interface EndRunDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
  log: Log;
  meter?: Meter;
  timing: RunTiming;
}

/** Ends a run that no executor holds, as failed. Does nothing if an executor has claimed it in the meantime. */
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
  const log = new RunLog(run.log_count ?? 0, () => now, decodeLog(run.log));
  log.add(lastEvent(failure, row_count));
  const stored = await storeLog(table, run, log.pending);
  const progress = {
    row_count,
    row_bytes,
    segments,
    credits_used,
    warnings,
    elapsed_ms,
    log: stored.log,
    log_count: log.next,
    other_bytes: (run.other_bytes ?? 0) + stored.chunkBytes,
  };
  const open = await openEnd(table, run);
  const due = open && new Date(now.getTime() + timing.overdueMs);
  if (!(await finishRun(table, run, progress, endingOf(failure, now), due, open))) return;
  reportFinished(deps, run, failure, { rows: row_count, credits: credits_used });
  await queueFollowUp(deps, run, open);
}
