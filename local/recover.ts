import type { Log } from "../functions/log.ts";
import { type Queues, queueRun } from "../functions/queues.ts";
import { allDue } from "../functions/store/runs/due.ts";
import { breakLease } from "../functions/store/runs/run-state.ts";
import { getRun } from "../functions/store/runs/runs.ts";
import type { Table } from "../functions/store/table.ts";
import { queueWebhook } from "../functions/workers/follow-up.ts";

/** Work is never scheduled further ahead than this, so all of it is found. */
const FAR_AHEAD_MS = 100 * 365 * 24 * 3600_000;

/**
 * Resumes the work of the previous process on this data folder. That process has ended, because this one holds the
 * folder's lock. So its leases are broken, and its queues, which were in memory, are filled again. The end of a process
 * takes all runs in progress with it, so it does not count against any of them.
 */
export async function recover(table: Table, queues: Queues, now: Date, log: Log): Promise<void> {
  for await (const ref of allDue(table, "RUN", new Date(now.getTime() + FAR_AHEAD_MS))) {
    try {
      const run = await getRun(table, ref);
      if (run?.status === "running") {
        await breakLease(table, run);
        await queueRun(queues, log, run);
      } else if (run?.undelivered) {
        await queueWebhook({ queues, log }, run);
      }
    } catch (error) {
      log.error("Could not resume a run at once. The sweeper resumes it later", { runId: ref.id, error });
    }
  }
}
