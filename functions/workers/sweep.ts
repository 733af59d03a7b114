import type { StoredBatch } from "../batches/batch.ts";
import type { StoredDelivery } from "../deliveries/delivery.ts";
import type { StoredAlert } from "../hooks/hook.ts";
import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import { type Queues, queueRun, sendOrLog } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import { isDeleted } from "../runs/deleted-run.ts";
import type { OpenEnd, RunRef, RunState, WebhookState } from "../runs/run.ts";
import { exceededLimit } from "../runs/run-limits.ts";
import { completeDeletion } from "../store/runs/delete-run.ts";
import { type DueItem, dueItems } from "../store/runs/due.ts";
import { isAlertId, isBatchId, isDeliveryId } from "../store/runs/numbering.ts";
import { elapsedOf, isLeased, postponeRun, readStates } from "../store/runs/run-state.ts";
import { postpone as postponeState } from "../store/runs/state-write.ts";
import type { Table } from "../store/table.ts";
import { isTooEarly } from "../webhooks/retry-schedule.ts";
import { endRun } from "./end-run.ts";

export interface SweepDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
  log: Log;
  meter?: Meter;
  timing?: RunTiming;
}

type Deps = SweepDeps & { timing: RunTiming };

/** Maximum number of overdue runs that one sweep reads from each partition of the index. */
const READ_PER_PARTITION = 4_000;
/** Number of runs that are read in one request, and handled at the same time. */
const CHUNK = 100;
/** Time after which a sweep leaves the rest to the next one. A sweep starts each minute. */
const SWEEP_MS = 45_000;

/**
 * Handles overdue runs: those that no executor has claimed, whose executor has died, or that have finished with an
 * undelivered webhook or untold hooks; queues overdue alerts and deliveries of rows; completes the deletion of runs; and queues overdue batches. Accounts take turns, so that the backlog of one account does
 * not delay the runs of others.
 */
export async function sweep({ timing = RUN_TIMING, ...rest }: SweepDeps): Promise<void> {
  const deps = { ...rest, timing };
  const time = deps.now();
  const start = performance.now();
  const partitions = await Promise.all(
    dueItems(deps.table, "RUN", time).map((items) => take(items, READ_PER_PARTITION)),
  );
  const due = fairly(partitions.flat().sort((one, other) => one.due_at.localeCompare(other.due_at)));
  for (let at = 0; at < due.length; at += CHUNK) {
    if (performance.now() - start > SWEEP_MS) {
      deps.log.error("The sweep leaves overdue runs to the next one", { left: due.length - at });
      return;
    }
    await handleAll(deps, due.slice(at, at + CHUNK), time);
  }
}

/** The first items, at most `most`. */
async function take<T>(items: AsyncGenerator<T>, most: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) if (taken.push(item) === most) break;
  return taken;
}

async function handleAll(deps: Deps, due: DueItem[], now: Date) {
  const handle = async (run: RunState) => {
    try {
      if (isBatchId(run.id)) await handleBatch(deps, run as RunRef as StoredBatch, now);
      else if (isAlertId(run.id) || isDeliveryId(run.id))
        await handleAlert(deps, run as RunRef as StoredAlert | StoredDelivery, now);
      else if (isDeleted(run)) await completeDeletion(deps.table, run, now);
      else if (run.status === "running") await handleRunning(deps, run, now);
      else await handleFinished(deps, run, now, (due) => postponeRun(deps.table, run, { now, due }));
    } catch (error) {
      deps.log.error("Could not handle an overdue run", { runId: run.id, account: run.account, error });
    }
  };
  try {
    // The index may be stale, so the current state of each run determines whether it is due.
    const states = await readStates(deps.table, due);
    await Promise.all(
      states.filter(({ due_at: at }) => at !== undefined && Date.parse(at) <= now.getTime()).map(handle),
    );
  } catch (error) {
    deps.log.error("Could not read overdue runs", { runs: due.length, error });
  }
}

async function handleRunning(deps: Deps, run: RunState, now: Date): Promise<void> {
  const { table, queues, log, timing } = deps;
  if (isLeased(run, now, timing.leaseMs)) {
    await postponeRun(table, run, { now, due: new Date(run.lease_until ?? now) });
    return;
  }
  // The lease of the newest claim has ended as well, so the executors of all claims are dead.
  const failure = exceededLimit({ ...run, elapsed_ms: elapsedOf(run, now) }, run.claims);
  if (failure !== undefined) return endRun(deps, run, failure, now);
  if (await postponeRun(table, run, { now, due: afterWaiting(waitedForClaim(run, now), now, timing) }))
    await queueRun(queues, log, run);
}

/** A run or a batch that has finished, an alert, or a delivery of rows. */
type Finished = RunRef & WebhookState & OpenEnd & { finished_at: string | null };

/** `postpone`: changes when the sweep looks again. False if another sweep has done it. */
async function handleFinished(
  { queues, log, timing }: Deps,
  subject: Finished,
  now: Date,
  postpone: (due: Date | undefined) => Promise<boolean>,
): Promise<void> {
  if (!subject.undelivered && !subject.unreported) {
    await postpone(undefined);
    return;
  }
  if (!subject.unreported && isTooEarly(subject, now)) {
    await postpone(new Date(subject.webhook_next_at ?? now));
    return;
  }
  if (await postpone(afterWaiting(waitedForDelivery(subject, now), now, timing)))
    await sendOrLog(log, subject, queues.sendWebhook(subject));
}

/** Queues a batch that is in progress, being stored or being deleted. */
async function handleBatch(deps: Deps, batch: StoredBatch, now: Date): Promise<void> {
  const { table, queues, log, timing } = deps;
  const postpone = (due: Date | undefined) => postponeState(table, batch, due);
  if (batch.status === "finished") return handleFinished(deps, batch, now, postpone);
  if (await postpone(new Date(now.getTime() + timing.overdueMs)))
    await sendOrLog(log, batch, queues.sendBatch(batch));
}

const handleAlert = (deps: Deps, alert: StoredAlert | StoredDelivery, now: Date): Promise<void> =>
  handleFinished(deps, { ...alert, finished_at: alert.created_at }, now, (due) =>
    postponeState(deps.table, alert, due),
  );

/**
 * When the sweep checks a run again after it has queued it. Most likely, the message waits behind others. So the longer
 * it has waited, in ms, the longer the delay is: otherwise, a long backlog would fill the queue with copies. The delay is
 * limited, so that a lost message is noticed.
 */
function afterWaiting(waited: number, now: Date, { overdueMs }: RunTiming): Date {
  return new Date(now.getTime() + Math.min(Math.max(overdueMs, waited / 4), 5 * overdueMs));
}

/** How long a run has waited for its first claim, in ms; 0 if it was claimed. */
const waitedForClaim = (run: RunState, now: Date) => (run.attempt === 0 ? elapsedOf(run, now) : 0);

/** How long an attempt to deliver the webhook is overdue, in ms. */
function waitedForDelivery(
  { webhook_next_at: nextAt, finished_at: finishedAt }: Finished,
  now: Date,
): number {
  return now.getTime() - Date.parse(nextAt ?? finishedAt ?? now.toISOString());
}

/** Reorders items so that accounts take turns. The items of one account keep their order. */
function fairly<T extends { account: string }>(items: readonly T[]): T[] {
  const turns = new Map<string, number>();
  return items
    .map((item) => {
      const turn = turns.get(item.account) ?? 0;
      turns.set(item.account, turn + 1);
      return { turn, item };
    })
    .sort((one, other) => one.turn - other.turn)
    .map(({ item }) => item);
}
