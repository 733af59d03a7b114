import type { Log } from "../log.ts";
import { PATIENCE, type Patience } from "../patience.ts";
import type { Queues } from "../queues.ts";
import { aftermathOf, endingOf } from "../runs/ending.ts";
import { hopeless } from "../runs/hopeless.ts";
import { claimRun, dueRuns, finishRun, getRun, postponeRun, type StoredRun } from "../store/runs.ts";
import type { Table } from "../store/table.ts";
import { afterRun } from "./after-run.ts";

export interface SweepDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
  log: Log;
  patience?: Patience;
}

/** Runs looked at in one sweep: what is left over is still due at the next. */
const BATCH = 500;

/** Moves on every run that should have moved on and did not: unclaimed, abandoned, or with its aftermath undone. */
export async function sweep({ table, queues, now, log, patience = PATIENCE }: SweepDeps): Promise<void> {
  const time = now();
  let seen = 0;
  for await (const due of dueRuns(table, time)) {
    if (++seen > BATCH) return;
    try {
      const run = await getRun(table, due);
      if (run === undefined || !(await postponeRun(table, due, lookAgainAt(run, time, patience)))) continue;
      if (run.status !== "running") await afterRun({ table, queues, now }, run);
      else if (!(await endHopeless({ table, queues, now, log, patience }, run, time)))
        await queues.sendRun(run);
    } catch (error) {
      log.error("Could not move a run on", { runId: due.id, account: due.account, error });
    }
  }
}

/** Ends a run that no executor can end any more. False where one still can. */
async function endHopeless(deps: Required<SweepDeps>, run: StoredRun, now: Date): Promise<boolean> {
  // That it is due means that its last claim has died, too.
  const failure = hopeless(run, now, run.claims);
  if (failure === undefined) return false;
  const { table, log, patience } = deps;
  const claimed = await claimRun(table, run, now, new Date(now.getTime() + patience.leaseMs));
  if (claimed === undefined) return true;
  const { row_count, segments, tail, credits_used } = claimed;
  const progress = { row_count, segments, tail, credits_used, place: undefined };
  const dueAt = new Date(now.getTime() + patience.overdueMs);
  await finishRun(
    table,
    claimed,
    progress,
    endingOf(failure, now),
    aftermathOf(claimed, credits_used),
    dueAt,
  );
  log.error("Run given up", {
    runId: run.id,
    account: run.account,
    code: failure.code,
    attempt: run.attempt,
  });
  await afterRun(deps, run);
  return true;
}

/**
 * A run that nobody has claimed most likely waits behind others: the longer it has waited, the later it is queued
 * again, so that a long backlog does not fill the queue with copies of itself. But never so late that a lost message
 * would be missed for long.
 */
function lookAgainAt(run: StoredRun, now: Date, { overdueMs }: Patience): Date {
  const waited = run.attempt === 0 ? now.getTime() - Date.parse(run.created_at) : 0;
  return new Date(now.getTime() + Math.min(Math.max(overdueMs, waited / 4), 5 * overdueMs));
}
