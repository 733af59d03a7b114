import type { RunWarning } from "../../contract/runs/run.ts";
import { CHECKPOINT_VERSION } from "../../runs/checkpoint.ts";
import type {
  Ending,
  OpenEnd,
  Progress,
  RunRef,
  RunState,
  StoredChanges,
  StoredRun,
} from "../../runs/run.ts";
import { isStopOverdue, UNSEEN_MS } from "../../runs/run-limits.ts";
import type { MemoryWrite } from "../scraper-memory.ts";
import { bytesOf, type Storing } from "../storage.ts";
import { getAll, type Table } from "../table.ts";
import { getRun } from "./runs.ts";
import {
  type Counted,
  dueAt,
  NOT_DUE,
  stateKey,
  WEBHOOK_OPEN,
  writeState,
  writeStateAndCount,
} from "./state-write.ts";

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

/** A claim on a run, with what is counted of it for its account. */
type Counting = Claim &
  Storing &
  Pick<StoredRun, "created_at" | "steps" | "input" | "credits_reserved" | "counted_bytes">;

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

/** What a comparison with other runs adds to the end of a run. */
export interface Compared {
  changes?: StoredChanges | undefined;
  /** What the next runs are compared with. */
  memory?: MemoryWrite | undefined;
  /** Further warnings of the run. */
  warnings?: RunWarning[];
  /** Bytes of stored changes. */
  bytes?: number;
}

/**
 * Ends a run, and adds its credits and the bytes that it stores to those of its account, all or nothing. `due`: when
 * somebody has to look whether what is `open` was done; absent: nothing is. False if the attempt has lost the run, or
 * if another run has replaced the memory of the scraper.
 */
export function finishRun(
  table: Table,
  run: Counting,
  stopped: Omit<Progress, "checkpoint">,
  ending: Ending,
  due: Date | undefined,
  open: OpenEnd = WEBHOOK_OPEN,
  { changes, memory, warnings = [], bytes = 0 }: Compared = {},
): Promise<boolean> {
  const progress = {
    ...stopped,
    warnings: [...stopped.warnings, ...warnings],
    other_bytes: (stopped.other_bytes ?? 0) + bytes || undefined,
  };
  const stored = bytesOf(run, progress);
  const write = {
    set: {
      ...progress,
      inline_rows: progress.inline_rows,
      counted_bytes: stored,
      ...ending,
      ...(changes && { changes }),
      place: undefined,
      lease_until: undefined,
      credits_reserved: 0,
      ...(due === undefined ? NOT_DUE : { ...open, ...dueAt(run, due) }),
    },
    condition: OWNED,
    values: owned(run),
  };
  const credits = progress.credits_used - run.credits_reserved;
  const counted = { credits, bytes: stored - (run.counted_bytes ?? 0) };
  return writeStateAndCount(table, run, write, counted, memory && [memory]);
}

/** Whether an attempt still holds its run. */
export async function holdsRun(table: Table, claim: Claim): Promise<boolean> {
  const [state] = await readStates(table, [claim]);
  return state?.status === "running" && state.attempt === claim.attempt;
}

/**
 * Takes credits from the account's month before a run in progress spends them, and counts bytes that it stores. False if the
 * attempt has lost the run.
 */
export function countInProgress(table: Table, run: Counting, more: Counted): Promise<boolean> {
  const set = {
    credits_reserved: run.credits_reserved + more.credits,
    counted_bytes: (run.counted_bytes ?? 0) + more.bytes,
  };
  return writeStateAndCount(table, run, { set, condition: OWNED, values: owned(run) }, more);
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

/** The states of these runs and batches; one that does not exist is left out. */
export async function readStates(table: Table, refs: readonly RunRef[]): Promise<RunState[]> {
  const ids = new Set(refs.map(({ id }) => id));
  const keys = refs.map(stateKey).filter((key) => key !== undefined);
  const states = await getAll<RunState>(table, keys);
  return states.filter(({ id }) => ids.has(id));
}
