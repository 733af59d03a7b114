import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { DeletedRun } from "../../runs/deleted-run.ts";
import type { RunRef } from "../../runs/run.ts";
import { deleteAll, deletePartition } from "../delete-items.ts";
import { type Key, type Table, TTL_ATTRIBUTE, unlessConditionFails } from "../table.ts";
import { duePartition } from "./due.ts";
import { evidenceKey } from "./evidence.ts";
import { replaceLastRun } from "./last-runs.ts";
import { timeOf } from "./numbering.ts";
import { rowsPartition } from "./rows-keys.ts";
import { runKeys } from "./run-keys.ts";
import { logPartition } from "./run-log.ts";
import { dropNumbers, getRun } from "./runs.ts";

/*
 * A deleted run leaves a mark in place of its state until no Idempotency-Key can create it again. While the mark is due,
 * something of the run may be left, and the sweep deletes it.
 */

/** How long the deletion may take before the sweep looks after it. */
const DELETION_MS = 5 * 60_000;
/** Longer than an Idempotency-Key can create its run. */
const MARK_MS = 25 * 60 * 60_000;

/** Deletes a finished run with all that is stored of it. Its credits stay counted. */
export async function deleteRun(
  table: Table,
  ref: RunRef,
  now: Date,
): Promise<"deleted" | "running" | "unknown"> {
  const run = await getRun(table, ref);
  const Key = runKeys(ref)?.state;
  if (run === undefined || Key === undefined) return "unknown";
  if (run.status === "running") return "running";
  const deleted: DeletedRun = {
    account: ref.account,
    id: ref.id,
    status: "deleted",
    scraper_id: run.scraper_id,
    number_of_scraper: run.scraper_number,
    due_at: new Date(now.getTime() + DELETION_MS).toISOString(),
  };
  const put = new PutCommand({
    TableName: table.name,
    Item: { ...Key, ...deleted, due: duePartition("RUN", ref.id) },
    ConditionExpression: "id = :id AND #status IN (:successful, :failed)",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: { ":id": ref.id, ":successful": "successful", ":failed": "failed" },
  });
  // If it fails, the mark is there already: nothing else leaves these two states.
  await unlessConditionFails(table.db.send(put));
  await completeDeletion(table, deleted, now);
  return "deleted";
}

/** Deletes what is left of a run that is marked as deleted. */
export async function completeDeletion(table: Table, run: DeletedRun, now: Date): Promise<void> {
  const keys = runKeys(run);
  if (keys === undefined) return;
  await deleteAll(table, [evidenceKey(run), keys.head]);
  await deletePartition(table, rowsPartition(run.account, run.id));
  await deletePartition(table, logPartition(run));
  await dropNumbers(table, { ...run, scraper_number: run.number_of_scraper });
  await replaceLastRun(table, run);
  await endMark(table, run, keys.state, now);
}

/** Lets the mark expire, at once if nothing can create the run again. */
async function endMark(table: Table, run: DeletedRun, Key: Key, now: Date): Promise<void> {
  const expiresAt = timeOf(run.id).getTime() + MARK_MS;
  if (expiresAt <= now.getTime()) return void (await deleteAll(table, [Key]));
  const { due_at: _, ...mark } = run;
  const Item = { ...Key, ...mark, [TTL_ATTRIBUTE]: Math.ceil(expiresAt / 1000) };
  await table.db.send(new PutCommand({ TableName: table.name, Item }));
}
