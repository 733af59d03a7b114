import type { Log } from "../log.ts";
import { type Change, putAuditEntry } from "../store/audit.ts";
import type { Table } from "../store/table.ts";

/**
 * Adds a change that was made to the audit log of its account. If the table fails, the change can't be taken back, and an
 * error would make clients repeat it. So the entry goes to the log of the service instead, as an error.
 */
export async function recordChange(
  { table, now, log }: { table: Table; now: () => Date; log: Pick<Log, "error"> },
  change: Change,
): Promise<void> {
  const time = now();
  try {
    await putAuditEntry(table, change, time);
  } catch (error) {
    log.error("The audit log lacks a change", { ...change, at: time.toISOString(), error });
  }
}
