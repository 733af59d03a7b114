import { randomBytes, randomUUID } from "node:crypto";
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { CHECKPOINT_VERSION } from "../../runs/checkpoint.ts";
import type { Ending, Progress, RunRef, RunState, StoredRun } from "../../runs/run.ts";
import { isStopOverdue, UNSEEN_MS } from "../../runs/run-limits.ts";
import { creditsUpdate } from "../credits.ts";
import { type Storing, storageUpdate } from "../storage.ts";
import { getAll, type Key, type Table, transact, unlessConditionFails, unlessConflicts } from "../table.ts";
import { type DueItem, dueItems, duePartition } from "./due.ts";
import { runKeys } from "./run-keys.ts";
import { getRun } from "./runs.ts";

export interface StateWrite {
  /** The new values of attributes; undefined removes one. */
  set: Record<string, unknown>;
  /** The condition on the stored state; `#name` stands for the attribute `name`. */
  condition: string;
  values?: Record<string, unknown>;
}

/**
 * Writes a run's state under a condition. Returns the new state, or undefined if the condition or the id did not match.
 * If the response to a successful write is lost, the SDK repeats the write, and then the condition no longer holds. So
 * each write leaves its own mark, which tells its repetition that it has succeeded.
 */
export async function writeState(
  table: Table,
  ref: RunRef,
  write: StateWrite,
): Promise<RunState | undefined> {
  const Key = runKeys(ref)?.state;
  if (Key === undefined) return undefined;
  const mark = newMark();
  const update = new UpdateCommand({ ...updateOf(table, Key, ref, write, mark), ReturnValues: "ALL_NEW" });
  const result = await unlessConditionFails(unlessConflicts(() => table.db.send(update)));
  if (result !== undefined) return result.Attributes as RunState;
  return markedState(table, Key, mark);
}

/** What a run adds to its account's numbers. */
interface Counted {
  credits: number;
  /** Of rows. */
  bytes: number;
}

/** The same, in one transaction with what the run adds to its account. False if the condition did not match. */
async function writeStateAndCount(
  table: Table,
  run: Storing & { created_at: string },
  write: StateWrite,
  { credits, bytes }: Counted,
): Promise<boolean> {
  const counts = [
    ...(credits === 0 ? [] : [{ Update: creditsUpdate(table, { run, credits }) }]),
    ...(bytes === 0 ? [] : [{ Update: storageUpdate(table, run, bytes) }]),
  ];
  if (counts.length === 0) return (await writeState(table, run, write)) !== undefined;
  const Key = runKeys(run)?.state;
  if (Key === undefined) return false;
  const mark = newMark();
  const written = await transact(table, randomUUID(), [
    { Update: updateOf(table, Key, run, write, mark) },
    ...counts,
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
async function markedState({ db, name: TableName }: Table, Key: Key, mark: string) {
  const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item?.mark === mark ? (Item as RunState) : undefined;
}

/** When a run is due: with the partition of the index, which an item keeps as long as it is due. */
export const dueAt = ({ id }: RunRef, at: Date) => ({
  due: duePartition("RUN", id),
  due_at: at.toISOString(),
});
export const NOT_DUE = { due: undefined, due_at: undefined };

const OWNED = "#status = :running AND #attempt = :attempt";
const owned = (run: { attempt: number }) => ({ ":running": "running", ":attempt": run.attempt });

/** A claim that ends later than this was made by a clock that was ahead, and is ignored. */
const LONGEST_LEASES = 2;

/** Whether an executor holds the run. One that does not stop when it should counts as dead. */
export const isLeased = (run: RunState, now: Date, leaseMs: number): boolean => {
  const { lease_until: until } = run;
  return (
    until !== undefined &&
    !isStopOverdue(run, now) &&
    Date.parse(until) > now.getTime() &&
    Date.parse(until) <= now.getTime() + LONGEST_LEASES * leaseMs
  );
};

/**
 * Claims a running run for a new attempt. Undefined if the run has finished or another attempt still holds it.
 */
export async function claimRun(
  table: Table,
  ref: RunRef,
  now: Date,
  leaseMs: number,
): Promise<StoredRun | undefined> {
  const run = await getRun(table, ref);
  if (run === undefined || run.status !== "running" || isLeased(run, now, leaseMs)) return undefined;
  const claimed = await writeState(table, ref, {
    set: {
      attempt: run.attempt + 1,
      claims: run.claims + 1,
      started_at: run.started_at ?? now.toISOString(),
      lease_until: new Date(now.getTime() + leaseMs).toISOString(),
      elapsed_ms: run.started_at === undefined ? 0 : elapsedOf(run, now),
      seen_at: now.toISOString(),
      // A run that is stored again after it was given up is due again.
      ...dueAt(run, new Date(run.due_at ?? now)),
    },
    condition: OWNED,
    values: owned(run),
  });
  return claimed && { ...run, ...claimed };
}

/**
 * The time that a run has taken, when nobody has measured it since `seen_at`. A jump of the clock can't be told from time
 * that has passed, so no more is counted than until the run was due and a little later.
 */
export function elapsedOf(run: RunState, now: Date): number {
  const seen = Date.parse(run.seen_at);
  const planned = Math.max(0, Date.parse(run.due_at ?? run.seen_at) - seen);
  const passed = Math.min(now.getTime() - seen, planned + UNSEEN_MS);
  return run.elapsed_ms + Math.max(0, passed);
}

/** What identifies an attempt's claim on a run. */
export type Claim = RunRef & { attempt: number };

/** The attributes that hold an attempt's progress. */
const progressOf = ({ checkpoint, ...progress }: Progress, now: Date) => ({
  ...progress,
  inline_rows: progress.inline_rows,
  place: checkpoint && { version: CHECKPOINT_VERSION, checkpoint },
  seen_at: now.toISOString(),
});

export interface Renewal {
  now: Date;
  leaseUntil: Date;
  /** When somebody has to look at the run; absent: as before. */
  due?: Date | undefined;
  /** Whether the attempt has got rows: dead claims and faults before it don't count any more. */
  isAdvanced?: boolean;
}

/** Stores an attempt's progress and renews its lease. False if the attempt has lost the run. */
export async function saveProgress(
  table: Table,
  claim: Claim,
  progress: Progress,
  { now, leaseUntil, due, isAdvanced }: Renewal,
): Promise<boolean> {
  const state = await writeState(table, claim, {
    set: {
      ...progressOf(progress, now),
      lease_until: leaseUntil.toISOString(),
      ...(isAdvanced && { claims: 1, faults: 0 }),
      ...(due && dueAt(claim, due)),
    },
    condition: OWNED,
    values: owned(claim),
  });
  return state !== undefined;
}

/** How an attempt releases a run that has not ended. */
export interface Release {
  now: Date;
  /** When another attempt has to have begun. */
  due: Date;
  /** How many attempts in a row a fault has ended, this one included. */
  faults: number;
}

/**
 * Releases a run for another attempt, which counts this one as alive. `progress`: what this attempt has produced; absent:
 * what is stored stays. False if the attempt has lost the run.
 */
export async function releaseRun(
  table: Table,
  claim: Claim,
  progress: Progress | undefined,
  { now, due, faults }: Release,
): Promise<boolean> {
  const state = await writeState(table, claim, {
    set: {
      ...(progress && progressOf(progress, now)),
      claims: 0,
      faults,
      lease_until: undefined,
      ...dueAt(claim, due),
    },
    condition: OWNED,
    values: owned(claim),
  });
  return state !== undefined;
}

/**
 * Ends a run, and adds its credits and the bytes of its rows to those of its account, all or nothing. `due`: when somebody has to look whether its
 * webhook is delivered; absent: it has none. False if the attempt has lost the run.
 */
export function finishRun(
  table: Table,
  run: Claim & Pick<RunState, "credits_reserved"> & Storing & { created_at: string },
  progress: Omit<Progress, "checkpoint">,
  ending: Ending,
  due: Date | undefined,
): Promise<boolean> {
  const write = {
    set: {
      ...progress,
      inline_rows: progress.inline_rows,
      ...ending,
      place: undefined,
      lease_until: undefined,
      credits_reserved: 0,
      ...(due === undefined ? NOT_DUE : { undelivered: true, ...dueAt(run, due) }),
    },
    condition: OWNED,
    values: owned(run),
  };
  const credits = progress.credits_used - run.credits_reserved;
  return writeStateAndCount(table, run, write, { credits, bytes: progress.row_bytes });
}

/** Takes credits from the account's month before the run spends them. False if the attempt has lost the run. */
export function reserveCredits(
  table: Table,
  run: Claim & { created_at: string },
  reserved: number,
  credits: number,
): Promise<boolean> {
  const write = {
    set: { credits_reserved: reserved + credits },
    condition: OWNED,
    values: owned(run),
  };
  return writeStateAndCount(table, run, write, { credits, bytes: 0 });
}

/**
 * Ends the lease on a run, so that it can be claimed at once, and forgives its dead claims. Only for callers that know that
 * the holder is dead, and that the run is not the reason.
 */
export async function breakLease(table: Table, run: StoredRun): Promise<void> {
  const set = { lease_until: undefined, claims: 0 };
  await writeState(table, run, { set, condition: OWNED, values: owned(run) });
}

/** Changes the due time of a run, so that two sweeps never handle the same run. False if it has changed already. */
export async function postponeRun(
  table: Table,
  run: RunState,
  { now, due }: { now: Date; due: Date | undefined },
): Promise<boolean> {
  const measured =
    run.status === "running" ? { elapsed_ms: elapsedOf(run, now), seen_at: now.toISOString() } : {};
  const state = await writeState(table, run, {
    set: { ...measured, ...(due === undefined ? NOT_DUE : dueAt(run, due)) },
    condition: "#due_at = :seen AND #attempt = :attempt",
    values: { ":seen": run.due_at, ":attempt": run.attempt },
  });
  return state !== undefined;
}

/** The states of these runs; one that does not exist is left out. */
export async function readStates(table: Table, refs: readonly RunRef[]): Promise<RunState[]> {
  const ids = new Set(refs.map(({ id }) => id));
  const keys = refs.map((ref) => runKeys(ref)?.state).filter((key) => key !== undefined);
  const states = await getAll<RunState>(table, keys);
  return states.filter(({ id }) => ids.has(id));
}

/** The runs that are due at `now`, by partition, the longest overdue first. */
export const dueRuns = (table: Table, now: Date): AsyncGenerator<DueItem>[] => dueItems(table, "RUN", now);
