import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { StoredBatch } from "../../batches/batch.ts";
import type { RunRef } from "../../runs/run.ts";
import { deletePartition } from "../delete-items.ts";
import { deleteRun } from "../runs/delete-run.ts";
import { addGaps } from "../runs/gaps.ts";
import { FIRST_BATCH, numberOf, timeOf } from "../runs/numbering.ts";
import { dueAt, writeState } from "../runs/state-write.ts";
import { type Table, TTL_ATTRIBUTE } from "../table.ts";
import { batchKey, batchPartition } from "./batch-keys.ts";
import { batchListKeys } from "./batches.ts";
import { runOfInput } from "./outcomes.ts";

/*
 * A deleted batch is gone for clients at once. A worker deletes its runs, the newest first, and its other data. The batch
 * itself stays as a mark until no Idempotency-Key can create it again.
 */

/** How long a worker may take before the sweep continues the deletion. */
const DELETION_MS = 5 * 60_000;
/** Longer than an Idempotency-Key can create its batch. */
const MARK_MS = 25 * 60 * 60_000;
/** Runs that are deleted at a time, and in one step: after each step, the batch says how far the deletion is. */
const AT_ONCE = 10;
const STEP = 100;

const deleting = (ref: RunRef, now: Date) => ({
  status: "deleting",
  undelivered: undefined,
  ...dueAt(ref, new Date(now.getTime() + DELETION_MS)),
});

/** Marks a finished batch as deleted. Undefined if it is in progress, or was deleted before. */
export const beginDeletion = (table: Table, ref: RunRef, now: Date): Promise<StoredBatch | undefined> =>
  writeState<StoredBatch>(table, ref, {
    set: deleting(ref, now),
    condition: "#status = :finished",
    values: { ":finished": "finished" },
  });

/** Marks a batch as deleted whose inputs were not stored in time. Undefined if the request has come further meanwhile. */
export const discardBatch = (table: Table, batch: StoredBatch, now: Date): Promise<StoredBatch | undefined> =>
  writeState<StoredBatch>(table, batch, {
    set: deleting(batch, now),
    condition: "#status = :storing AND #writer = :writer",
    values: { ":storing": "storing", ":writer": batch.writer },
  });

/** Deletes what is left of a batch. False if `isTimeUp` ended that early. */
export async function deleteBatch(
  table: Table,
  batch: StoredBatch,
  now: Date,
  isTimeUp: () => boolean,
): Promise<boolean> {
  for (let { next } = batch; next > 0; ) {
    if (isTimeUp()) return false;
    const first = Math.max(0, next - STEP);
    for (let end = next; end > first; end -= AT_ONCE) {
      const indexes = Array.from({ length: Math.min(AT_ONCE, end - first) }, (_, at) => end - 1 - at);
      await Promise.all(indexes.map((index) => deleteRun(table, runOfInput(batch, index), now)));
    }
    next = first;
    const due = new Date(now.getTime() + DELETION_MS);
    await writeState(table, batch, {
      set: { next, ...dueAt(batch, due) },
      condition: "#status = :deleting",
      values: { ":deleting": "deleting" },
    });
  }
  await deletePartition(table, batchPartition(batch));
  await leaveMark(table, batch, now);
  return true;
}

async function leaveMark(table: Table, { account, id }: StoredBatch, now: Date): Promise<void> {
  const { db, name: TableName } = table;
  const Key = batchKey({ account, id });
  if (Key === undefined) return;
  await addGaps(table, batchListKeys(account), [(numberOf(id) ?? 0) - FIRST_BATCH]);
  const expiresAt = timeOf(id).getTime() + MARK_MS;
  if (expiresAt <= now.getTime()) {
    await db.send(new DeleteCommand({ TableName, Key }));
    return;
  }
  const mark = { account, id, status: "deleted", [TTL_ATTRIBUTE]: Math.ceil(expiresAt / 1000) };
  await db.send(new PutCommand({ TableName, Item: { ...Key, ...mark } }));
}
