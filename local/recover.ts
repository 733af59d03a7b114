import type { StoredBatch } from "../functions/batches/batch.ts";
import type { StoredDelivery } from "../functions/deliveries/delivery.ts";
import type { StoredAlert } from "../functions/hooks/hook.ts";
import type { Log } from "../functions/log.ts";
import { type Queues, queueRun, sendOrLog } from "../functions/queues.ts";
import type { StoredRun } from "../functions/runs/run.ts";
import { readBatch } from "../functions/store/batches/batches.ts";
import { getDelivery } from "../functions/store/deliveries.ts";
import { getAlert } from "../functions/store/hooks/alerts.ts";
import { allDue } from "../functions/store/runs/due.ts";
import { isBatchId } from "../functions/store/runs/numbering.ts";
import { breakLease } from "../functions/store/runs/run-state.ts";
import { getRun } from "../functions/store/runs/runs.ts";
import type { Table } from "../functions/store/table.ts";
import { queueWebhook } from "../functions/workers/follow-up.ts";

export interface RecoverDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
  log: Log;
}

/** Work is never scheduled further ahead than this, so all of it is found. */
const FAR_AHEAD_MS = 100 * 365 * 24 * 3600_000;

/**
 * Resumes the runs and batches of the previous process on this data folder. That process has ended, because this one holds the
 * folder's lock. So its leases are broken, and its queue, which was in memory, is filled again. The end of a process takes
 * all runs in progress with it, so it does not count against any of them.
 */
export async function recover(deps: RecoverDeps): Promise<void> {
  const { table, queues, log } = deps;
  await resume(deps, async (due) => {
    if (isBatch(due)) return sendOrLog(log, due, queues.sendBatch(due));
    if (!("status" in due) || due.status !== "running") return;
    await breakLease(table, due);
    await queueRun(queues, log, due);
  });
}

/**
 * Queues all webhooks, alerts and deliveries of rows that are not delivered: at the start of the service, because the queue was in memory, and when the
 * clock was set back, because they are due at times of the clock that was ahead. Those that have to wait still do.
 */
export const resumeWebhooks = (deps: RecoverDeps): Promise<void> =>
  resume(deps, async (due) => {
    await queueWebhook(deps, due, due);
  });

type Due = StoredRun | StoredBatch | StoredAlert | StoredDelivery;
const isBatch = (due: Due): due is StoredBatch => isBatchId(due.id);

/** Handles each run, each batch and each alert that is due at any time. */
async function resume({ table, now, log }: RecoverDeps, handle: (due: Due) => Promise<void>): Promise<void> {
  for await (const ref of allDue(table, "RUN", new Date(now().getTime() + FAR_AHEAD_MS))) {
    try {
      const due =
        (await getAlert(table, ref)) ??
        (await getDelivery(table, ref)) ??
        (isBatchId(ref.id) ? await readBatch(table, ref) : await getRun(table, ref));
      if (due !== undefined) await handle(due);
    } catch (error) {
      log.error("Could not resume a run at once. The sweeper resumes it later", { runId: ref.id, error });
    }
  }
}
