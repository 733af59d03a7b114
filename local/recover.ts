import type { Queues } from "../functions/queues.ts";
import { breakLease, dueRuns, getRun } from "../functions/store/runs.ts";
import type { Table } from "../functions/store/table.ts";
import { followUp } from "../functions/workers/follow-up.ts";

/** Longer than anything is ever planned ahead. */
const EVER_MS = 100 * 365 * 24 * 3600_000;

/**
 * Goes on where the last process on this data folder stopped or was killed. It is dead, as this one holds the
 * folder's lock: so what it held is free, and its queues, which it kept in memory, are filled again.
 */
export async function recover(table: Table, queues: Queues, now: Date): Promise<void> {
  for await (const ref of dueRuns(table, new Date(now.getTime() + EVER_MS))) {
    const run = await getRun(table, ref);
    if (run?.status === "running") {
      await breakLease(table, run, now);
      await queues.sendRun(run);
    } else if (run !== undefined) {
      await followUp({ table, queues, now: () => now }, run);
    }
  }
}
