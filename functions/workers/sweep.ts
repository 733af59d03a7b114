import type { Log } from "../log.ts";
import type { Queues } from "../queues.ts";
import { dueRuns, getRun, postponeRun, type RunRef } from "../store/runs.ts";
import type { Table } from "../store/table.ts";
import { afterRun } from "./after-run.ts";

export interface SweepDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
  log: Log;
}

/** Runs looked at in one sweep: what is left over is still due at the next. */
const BATCH = 500;
/** When a run is looked at again that this sweep has moved on. */
const AGAIN_MS = 60_000;

/** Moves on every run that should have moved on and did not: unclaimed, abandoned, or with its aftermath undone. */
export async function sweep({ table, queues, now, log }: SweepDeps): Promise<void> {
  const time = now();
  let seen = 0;
  for await (const due of dueRuns(table, time)) {
    if (++seen > BATCH) return;
    const again = new Date(time.getTime() + AGAIN_MS);
    if (!(await postponeRun(table, due, again))) continue;
    try {
      await moveOn({ table, queues, now }, due);
    } catch (error) {
      log.error("Could not move a run on", { runId: due.id, account: due.account, error });
    }
  }
}

async function moveOn(deps: Omit<SweepDeps, "log">, ref: RunRef): Promise<void> {
  const run = await getRun(deps.table, ref);
  if (run === undefined) return;
  if (run.status === "running") await deps.queues.sendRun(ref);
  else await afterRun(deps, ref);
}
