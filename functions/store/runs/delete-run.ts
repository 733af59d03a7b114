import { randomUUID } from "node:crypto";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { DeletedRun } from "../../runs/deleted-run.ts";
import type { RunRef, StoredRun } from "../../runs/run.ts";
import { deleteAll, deletePartition } from "../delete-items.ts";
import { filesOfRun, mayHaveFiles } from "../files.ts";
import { storageUpdate } from "../storage.ts";
import { type Key, type Table, TTL_ATTRIBUTE, transact, unlessConditionFails } from "../table.ts";
import { duePartition } from "./due.ts";
import { evidenceKey } from "./evidence.ts";
import { replaceLastRun } from "./last-runs.ts";
import { timeOf } from "./numbering.ts";
import { rowsPartition } from "./rows-keys.ts";
import { changesPartition } from "./run-changes.ts";
import { filesPartition } from "./run-files.ts";
import { runKeys } from "./run-keys.ts";
import { logPartition } from "./run-log.ts";
import { dropNumbers, getRun } from "./runs.ts";

/*
 * A deleted run leaves a mark in place of its state until no Idempotency-Key can create it again. While the mark is due,
 * something of the run may be left, and the sweep deletes it.
 */

/** How long the deletion may take before the sweep completes it. */
const DELETION_MS = 5 * 60_000;
/** Longer than an Idempotency-Key can create its run. */
const MARK_MS = 25 * 60 * 60_000;
/** Longer than an executor lives: one that hung may write something after its run was deleted. */
const WRITERS_MS = 20 * 60_000;

const WAS_FINISHED = "id = :id AND #status IN (:successful, :failed)";
const WAS_DELETED = "attribute_not_exists(pk) OR (id = :id AND #status = :deleted)";

/** Deletes a finished run with all that is stored of it. Its credits stay counted, its bytes do not. */
export async function deleteRun(
  table: Table,
  ref: RunRef,
  now: Date,
): Promise<"deleted" | "running" | "unknown"> {
  const run = await getRun(table, ref);
  if (run === undefined) return "unknown";
  if (run.status === "running") return "running";
  const deleted: DeletedRun = {
    ...deletedRun(run, new Date(now.getTime() + DELETION_MS)),
    // The first executor has ended the run itself.
    ...(run.attempt > 1 && { writers_until: new Date(now.getTime() + WRITERS_MS).toISOString() }),
  };
  const put = markPut(table, deleted, WAS_FINISHED, { ":successful": "successful", ":failed": "failed" });
  const { counted_bytes: counted = run.row_bytes } = run;
  const freed = { Update: storageUpdate(table, run, -counted) };
  // If this fails, the mark exists already, because no other write leads out of these two states.
  await transact(table, randomUUID(), [{ Put: put }, ...(counted === 0 ? [] : [freed])]);
  await completeDeletion(table, deleted, now);
  return "deleted";
}

/** Lets the sweep delete what an executor has written after its run was deleted. Does nothing to a run that exists. */
export async function deleteLateWrites(table: Table, run: StoredRun, now: Date): Promise<void> {
  const put = markPut(table, deletedRun(run, now), WAS_DELETED, { ":deleted": "deleted" });
  await unlessConditionFails(table.db.send(new PutCommand(put)));
}

const deletedRun = (run: StoredRun, due: Date): DeletedRun => ({
  account: run.account,
  id: run.id,
  status: "deleted",
  scraper_id: run.scraper_id,
  number_of_scraper: run.scraper_number,
  ...(mayHaveFiles(run) && { has_files: true }),
  due_at: due.toISOString(),
});

/** The write of a mark that is due, if the state that it replaces meets the condition. */
const markPut = (
  { name: TableName }: Table,
  deleted: DeletedRun,
  condition: string,
  statuses: Record<string, string>,
) => ({
  TableName,
  Item: { ...runKeys(deleted)?.state, ...deleted, due: duePartition("RUN", deleted.id) },
  ConditionExpression: condition,
  ExpressionAttributeNames: { "#status": "status" },
  ExpressionAttributeValues: { ":id": deleted.id, ...statuses },
});

/** Deletes what is left of a run that is marked as deleted. */
export async function completeDeletion(table: Table, run: DeletedRun, now: Date): Promise<void> {
  const keys = runKeys(run);
  if (keys === undefined) return;
  await deleteAll(table, [evidenceKey(run), keys.head]);
  await deletePartition(table, rowsPartition(run.account, run.id));
  await deletePartition(table, logPartition(run));
  await deletePartition(table, changesPartition(run));
  if (run.has_files) {
    await table.files.remove(filesOfRun(run));
    await deletePartition(table, filesPartition(run.account, run.id));
  }
  const { number_of_scraper: scraper_number } = run;
  await dropNumbers(table, { ...run, ...(scraper_number !== undefined && { scraper_number }) });
  await replaceLastRun(table, run);
  await endMark(table, run, keys.state, now);
}

/** Lets the mark expire, at once if nothing can create the run again or write something of it. */
async function endMark(table: Table, run: DeletedRun, Key: Key, now: Date): Promise<void> {
  const { due_at: _, writers_until: writersUntil, ...mark } = run;
  if (writersUntil !== undefined && Date.parse(writersUntil) > now.getTime()) {
    const again = { due_at: writersUntil, due: duePartition("RUN", run.id) };
    await table.db.send(new PutCommand({ TableName: table.name, Item: { ...Key, ...run, ...again } }));
    return;
  }
  const expiresAt = timeOf(run.id).getTime() + MARK_MS;
  if (expiresAt <= now.getTime()) return void (await deleteAll(table, [Key]));
  const Item = { ...Key, ...mark, [TTL_ATTRIBUTE]: Math.ceil(expiresAt / 1000) };
  await table.db.send(new PutCommand({ TableName: table.name, Item }));
}
