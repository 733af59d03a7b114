import { randomBytes, randomUUID } from "node:crypto";
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { OpenEnd, RunRef, RunState } from "../../runs/run.ts";
import { batchKey } from "../batches/batch-keys.ts";
import { creditsUpdate } from "../credits.ts";
import { deliveryKey } from "../delivery-keys.ts";
import { alertKey } from "../hooks/hook-keys.ts";
import { type Storing, storageUpdate } from "../storage.ts";
import {
  type Key,
  type Table,
  transact,
  unlessConditionFails,
  unlessConflicts,
  type Write,
} from "../table.ts";
import { duePartition } from "./due.ts";
import { runKeys } from "./run-keys.ts";

export interface StateWrite {
  /** The new values of attributes; undefined removes one. */
  set: Record<string, unknown>;
  /** The condition on the stored state; `#name` stands for the attribute `name`. */
  condition: string;
  values?: Record<string, unknown>;
}

/** The key of the state of a run, of a batch, of an alert, or of a delivery. */
export const stateKey = (ref: RunRef): Key | undefined =>
  alertKey(ref) ?? batchKey(ref) ?? deliveryKey(ref) ?? runKeys(ref)?.state;

/**
 * Writes the state of a run, or of a batch, under a condition. Returns the new state, or undefined if the condition or the id did not match.
 * If the response to a successful write is lost, the SDK repeats the write, and then the condition no longer holds. So
 * each write leaves its own mark, which tells its repetition that it has succeeded.
 */
export async function writeState<State extends RunRef = RunState>(
  table: Table,
  ref: RunRef,
  write: StateWrite,
): Promise<State | undefined> {
  const Key = stateKey(ref);
  if (Key === undefined) return undefined;
  const mark = newMark();
  const update = new UpdateCommand({ ...updateOf(table, Key, ref, write, mark), ReturnValues: "ALL_NEW" });
  const result = await unlessConditionFails(unlessConflicts(() => table.db.send(update)));
  if (result !== undefined) return result.Attributes as State;
  return markedState<State>(table, Key, mark);
}

/** What a run adds to its account's numbers. */
export interface Counted {
  credits: number;
  bytes: number;
}

/**
 * The same, in one transaction with what the run adds to its account, and with other writes. False if a condition did not
 * match.
 */
export async function writeStateAndCount(
  table: Table,
  run: Storing & { created_at: string },
  write: StateWrite,
  { credits, bytes }: Counted,
  others: readonly Write[] = [],
): Promise<boolean> {
  const counts = [
    ...others,
    ...(credits === 0 ? [] : [{ Update: creditsUpdate(table, { run, credits }) }]),
    ...(bytes === 0 ? [] : [{ Update: storageUpdate(table, run, bytes) }]),
  ];
  if (counts.length === 0) return (await writeState(table, run, write)) !== undefined;
  return writeStateWith(table, run, write, counts);
}

/** Writes the state of a run, or of a batch, in one transaction with other items. False if a condition did not match. */
export async function writeStateWith(
  table: Table,
  ref: RunRef,
  write: StateWrite,
  others: readonly Write[],
): Promise<boolean> {
  const Key = stateKey(ref);
  if (Key === undefined) return false;
  const mark = newMark();
  const written = await transact(table, randomUUID(), [
    { Update: updateOf(table, Key, ref, write, mark) },
    ...others,
  ]);
  return written || (await markedState(table, Key, mark)) !== undefined;
}

const newMark = () => randomBytes(6).toString("base64url");

function updateOf({ name: TableName }: Table, Key: Key, ref: RunRef, write: StateWrite, mark: string) {
  const fields = Object.entries({ ...write.set, mark });
  const set = fields.filter(([, value]) => value !== undefined).map(([name]) => `#${name} = :set_${name}`);
  const removed = fields.filter(([, value]) => value === undefined).map(([name]) => `#${name}`);
  const named = new Set([
    ...fields.map(([name]) => name),
    ...[...write.condition.matchAll(/#(\w+)/g)].map(([, name]) => name as string),
  ]);
  return {
    TableName,
    Key,
    UpdateExpression: `SET ${set.join(", ")}${removed.length > 0 ? ` REMOVE ${removed.join(", ")}` : ""}`,
    ConditionExpression: `id = :id AND ${write.condition}`,
    ExpressionAttributeNames: Object.fromEntries([...named].map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ":id": ref.id,
      ...write.values,
      ...Object.fromEntries(
        fields.filter(([, value]) => value !== undefined).map(([name, value]) => [`:set_${name}`, value]),
      ),
    },
  };
}

/** The state, if the write with this mark is the newest one. */
async function markedState<State extends RunRef = RunState>(
  { db, name: TableName }: Table,
  Key: Key,
  mark: string,
) {
  const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item?.mark === mark ? (Item as State) : undefined;
}

/** The end of a run or a batch that has a webhook. */
export const WEBHOOK_OPEN: OpenEnd = { undelivered: true };

/** When a run is due: with the partition of the index, which an item keeps as long as it is due. */
export const dueAt = ({ id }: RunRef, at: Date) => ({
  due: duePartition("RUN", id),
  due_at: at.toISOString(),
});
export const NOT_DUE = { due: undefined, due_at: undefined };

/**
 * Changes when the sweep looks at a batch or an alert, so that two sweeps never handle the same one. False if it has
 * changed already.
 */
export async function postpone(
  table: Table,
  subject: RunRef & { due_at?: string },
  due: Date | undefined,
): Promise<boolean> {
  const state = await writeState(table, subject, {
    set: due === undefined ? NOT_DUE : dueAt(subject, due),
    condition: "#due_at = :seen",
    values: { ":seen": subject.due_at },
  });
  return state !== undefined;
}
