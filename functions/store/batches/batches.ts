import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { BatchHead, StoredBatch } from "../../batches/batch.ts";
import type { OpenEnd, RunRef } from "../../runs/run.ts";
import { accountKey, gapsOfAccount } from "../accounts.ts";
import { type Found, type NumberedList, type Page, readPage } from "../pages.ts";
import { duePartition } from "../runs/due.ts";
import type { ListKeys } from "../runs/gaps.ts";
import { FIRST_BATCH, numberKey, numberOf } from "../runs/numbering.ts";
import { dueAt, NOT_DUE, WEBHOOK_OPEN, writeState } from "../runs/state-write.ts";
import { getAll, queryAll, type Table, unlessConditionFails } from "../table.ts";
import { batchesPartition, batchKey, headKey } from "./batch-keys.ts";

/** The number that a batch has in its account's list. */
const listNumber = (id: string): number => (numberOf(id) ?? 0) - FIRST_BATCH;

export const batchListKeys = (account: string): ListKeys => ({
  count: accountKey(account),
  countAttribute: "batch_count",
  gaps: gapsOfAccount(account, "BATCHES"),
});

export const isExpired = ({ expires_at }: StoredBatch, now: Date) =>
  expires_at !== undefined && expires_at * 1000 <= now.getTime();

/** Whether clients see a batch. DynamoDB removes expired items some time later. */
const isVisible = (batch: StoredBatch, now: Date): boolean =>
  (batch.status === "running" || batch.status === "finished") && !isExpired(batch, now);

/**
 * Begins to store a batch. Replaces one with the same id that another request has begun and not completed. False if
 * there is one that was completed, or deleted.
 */
export async function beginBatch(table: Table, batch: StoredBatch & { due_at: string }): Promise<boolean> {
  const put = new PutCommand({
    TableName: table.name,
    Item: { ...batchKey(batch), ...batch, due: duePartition("RUN", batch.id) },
    ConditionExpression: "attribute_not_exists(pk) OR (id = :id AND #status = :storing)",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: { ":id": batch.id, ":storing": "storing" },
  });
  return (await unlessConditionFails(table.db.send(put))) !== undefined;
}

export async function putHead(table: Table, batch: StoredBatch, head: BatchHead): Promise<void> {
  const { expires_at } = batch;
  const Item = { ...headKey(batch), ...head, ...(expires_at !== undefined && { expires_at }) };
  await table.db.send(new PutCommand({ TableName: table.name, Item }));
}

/** Lets a batch begin whose head and inputs are stored. Undefined if another request has replaced it, or the sweep has removed it. */
export const openBatch = (table: Table, batch: StoredBatch, due: Date): Promise<StoredBatch | undefined> =>
  writeState<StoredBatch>(table, batch, {
    set: { status: "running", ...dueAt(batch, due) },
    condition: "#status = :storing AND #writer = :writer",
    values: { ":storing": "storing", ":writer": batch.writer },
  });

/** A batch in any status; undefined if there is none. */
export async function readBatch(table: Table, ref: RunRef): Promise<StoredBatch | undefined> {
  const Key = batchKey(ref);
  if (Key === undefined) return undefined;
  const [batch] = await getAll<StoredBatch>(table, [Key]);
  return batch?.id === ref.id ? batch : undefined;
}

/** A batch that clients see. */
export async function getBatch(
  table: Table,
  ref: RunRef,
  now = new Date(),
): Promise<StoredBatch | undefined> {
  const batch = await readBatch(table, ref);
  return batch !== undefined && isVisible(batch, now) ? batch : undefined;
}

/** @throws Error if the batch has none, because it is being deleted */
export async function readHead(table: Table, batch: StoredBatch): Promise<BatchHead> {
  const [head] = await getAll<BatchHead>(table, [headKey(batch)]);
  if (head === undefined) throw new Error(`The batch ${batch.id} has no head.`);
  return head;
}

/** Page `page` of the account's batches, newest first. */
export const listBatches = (
  table: Table,
  account: string,
  page: number,
  now = new Date(),
): Promise<Page<StoredBatch>> => readPage(table, batchList(table, account, now), page, now);

const batchList = (table: Table, account: string, now: Date): NumberedList<StoredBatch> => ({
  keys: batchListKeys(account),
  async read(oldest, newest, most) {
    const items = queryAll<StoredBatch>(table, {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :oldest AND :newest",
      ExpressionAttributeValues: {
        ":pk": batchesPartition(account),
        ":oldest": numberKey(FIRST_BATCH + oldest),
        ":newest": numberKey(FIRST_BATCH + newest),
      },
      ScanIndexForward: false,
      ConsistentRead: true,
    });
    const found: Found<StoredBatch> = [];
    let live = 0;
    for await (const batch of items) {
      const number = listNumber(batch.id);
      // It gets into the list, or its number becomes a gap.
      if (batch.status === "storing") continue;
      if (!isVisible(batch, now)) {
        found.push({ number, item: undefined });
        continue;
      }
      if (live === most) return { found, more: true };
      found.push({ number, created_at: batch.created_at, item: batch });
      live += 1;
    }
    return { found, more: false };
  },
});

/** The new values of what changes while the runs of a batch are made. */
export type BatchProgress = Pick<
  StoredBatch,
  "next" | "flying" | "successful" | "failed" | "row_count" | "credits_used"
> &
  Partial<Pick<StoredBatch, "rest" | "warned" | "doubtful">>;

/** When the sweep has to look at a batch again; the same time as before, unless that is near. */
export const nextDue = ({ due_at: due = "" }: StoredBatch, now: Date, overdueMs: number): Date =>
  Date.parse(due) > now.getTime() + overdueMs / 2 ? new Date(due) : new Date(now.getTime() + overdueMs);

/** Stores what has changed since a batch was read. Undefined if another process has changed it first. */
export const saveBatch = (
  table: Table,
  batch: StoredBatch,
  progress: BatchProgress,
  due: Date,
): Promise<StoredBatch | undefined> =>
  writeState<StoredBatch>(table, batch, {
    set: { ...progress, version: batch.version + 1, ...dueAt(batch, due) },
    condition: "#status = :running AND #version = :version",
    values: { ":running": "running", ":version": batch.version },
  });

/** Ends a batch in progress. `due`: when somebody has to look whether what is `open` was done; absent: nothing is. */
export const finishBatch = (
  table: Table,
  batch: StoredBatch,
  progress: BatchProgress,
  now: Date,
  due: Date | undefined,
  open: OpenEnd = WEBHOOK_OPEN,
): Promise<StoredBatch | undefined> =>
  writeState<StoredBatch>(table, batch, {
    set: {
      ...progress,
      version: batch.version + 1,
      status: "finished",
      finished_at: now.toISOString(),
      ...(due === undefined ? NOT_DUE : { ...open, ...dueAt(batch, due) }),
    },
    condition: "#status = :running AND #version = :version",
    values: { ":running": "running", ":version": batch.version },
  });

/** Records that a batch in progress has to stop. Undefined if it has finished, or was asked to stop before. */
export const requestBatchStop = (table: Table, ref: RunRef, now: Date): Promise<StoredBatch | undefined> =>
  writeState<StoredBatch>(table, ref, {
    set: { stop_requested_at: now.toISOString(), ...dueAt(ref, now) },
    condition: "#status = :running AND attribute_not_exists(#stop_requested_at)",
    values: { ":running": "running" },
  });
