import type { Log } from "../log.ts";
import type { Queues } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import { endingOf, followUpOf } from "../runs/ending.ts";
import type { RunFailure } from "../runs/failure.ts";
import type { StoredRun } from "../runs/run.ts";
import { exceededLimit } from "../runs/run-limits.ts";
import { claimRun, dueRuns, finishRun, getRun, postponeRun } from "../store/runs.ts";
import type { Table } from "../store/table.ts";
import { followUp } from "./follow-up.ts";

export interface SweepDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
  log: Log;
  timing?: RunTiming;
}

/** The most runs that one sweep handles. The others are still due at the next sweep. */
const BATCH = 500;

/** Handles every overdue run: never claimed, abandoned by its executor, or finished with follow-up work left. */
export async function sweep({ table, queues, now, log, timing = RUN_TIMING }: SweepDeps): Promise<void> {
  const deps = { table, queues, now, log, timing };
  const time = now();
  let seen = 0;
  for await (const due of dueRuns(table, time)) {
    if (++seen > BATCH) return;
    try {
      const run = await getRun(table, due);
      if (run === undefined || !(await postponeRun(table, due, nextLookAt(run, time, timing)))) continue;
      if (run.status !== "running") await followUp(deps, run);
      else await resumeOrFail(deps, run, time);
    } catch (error) {
      log.error("Could not handle an overdue run", { runId: due.id, account: due.account, error });
    }
  }
}

async function resumeOrFail(deps: Required<SweepDeps>, run: StoredRun, now: Date): Promise<void> {
  // An overdue run has lost its newest claim too, so all of them are dead.
  const failure = exceededLimit(run, now, run.claims);
  if (failure === undefined) await deps.queues.sendRun(run);
  else await failRun(deps, run, failure, now);
}

/** Ends a run that no executor can end any more, unless an executor has claimed it in the meantime. */
async function failRun(
  deps: Required<SweepDeps>,
  run: StoredRun,
  failure: RunFailure,
  now: Date,
): Promise<void> {
  const { table, log, timing } = deps;
  const claimed = await claimRun(table, run, now, new Date(now.getTime() + timing.leaseMs));
  if (claimed === undefined) return;
  const { row_count, segments, tail, credits_used } = claimed;
  const progress = { row_count, segments, tail, credits_used, checkpoint: undefined };
  const dueAt = new Date(now.getTime() + timing.overdueMs);
  const ending = endingOf(failure, now);
  await finishRun(table, claimed, progress, ending, followUpOf(claimed, credits_used), dueAt);
  log.error("Run failed by the sweeper", {
    runId: run.id,
    account: run.account,
    code: failure.code,
    attempt: run.attempt,
  });
  await followUp(deps, run);
}

/**
 * When the sweeper looks at a run again. An unclaimed run most likely waits behind others: the longer it has waited,
 * the later it is queued again, so that a long backlog does not fill the queue with copies. The delay is limited so
 * that a lost message is noticed soon enough.
 */
function nextLookAt(run: StoredRun, now: Date, { overdueMs }: RunTiming): Date {
  const waited = run.attempt === 0 ? now.getTime() - Date.parse(run.created_at) : 0;
  return new Date(now.getTime() + Math.min(Math.max(overdueMs, waited / 4), 5 * overdueMs));
}
