import { describe, expect, test } from "@jest/globals";
import type { RunWarning } from "../../../functions/contract/runs/run.ts";
import { CHECKPOINT_VERSION } from "../../../functions/runs/checkpoint.ts";
import type { RunRef, RunState, StoredRun } from "../../../functions/runs/run.ts";
import { STOP_GRACE_MS, UNSEEN_MS } from "../../../functions/runs/run-limits.ts";
import { creditsUsed, monthOf } from "../../../functions/store/credits.ts";
import { allDue } from "../../../functions/store/runs/due.ts";
import { newId } from "../../../functions/store/runs/numbering.ts";
import { endWebhook } from "../../../functions/store/runs/run-follow-up.ts";
import {
  breakLease,
  claimRun,
  countInProgress,
  elapsedOf,
  finishRun,
  holdsRun,
  isLeased,
  postponeRun,
  readStates,
  releaseRun,
  saveProgress,
} from "../../../functions/store/runs/run-state.ts";
import { getRun } from "../../../functions/store/runs/runs.ts";
import { memoryWrite, readMemory } from "../../../functions/store/scraper-memory.ts";
import { bytesOf, storedBytes } from "../../../functions/store/storage.ts";
import { startTables } from "./engines.ts";
import * as samples from "./samples.ts";
import { definition, newAccount, storeRun, storeScraper } from "./samples.ts";

const later = (time: Date, ms: number) => new Date(time.getTime() + ms);
const noResult = { row_count: 0, row_bytes: 0, segments: [], credits_used: 0, warnings: [], elapsed_ms: 0 };
const noProgress = { ...noResult, checkpoint: undefined };
const success = { status: "successful", error: null, finished_at: new Date().toISOString() } as const;

const NOW = new Date("2026-11-21T00:00:00.000Z");
const at = (ms: number) => later(NOW, ms).toISOString();

test.each<[string, Partial<RunState>, boolean]>([
  ["without a claim", {}, false],
  ["until its lease ends", { lease_until: at(1) }, true],
  ["when its lease ends", { lease_until: at(0) }, false],
  ["with a lease of two that are as long as usual", { lease_until: at(2_000) }, true],
  ["with a longer lease, of a clock that was ahead", { lease_until: at(2_001) }, false],
  ["while it may take time to stop", { lease_until: at(1), stop_requested_at: at(1 - STOP_GRACE_MS) }, true],
  ["when it should have stopped", { lease_until: at(1), stop_requested_at: at(-STOP_GRACE_MS) }, false],
])("whether an executor holds a run %s", (_, state, expected) => {
  expect(isLeased(state as RunState, NOW, 1_000)).toBe(expected);
});

test.each<[string, Partial<RunState>, number]>([
  ["what has passed since it was measured", { seen_at: at(-4_000), due_at: at(-2_000) }, 4_000],
  ["what has passed, if nothing is planned", { seen_at: at(-4_000) }, 4_000],
  ["what was planned, if it is not over", { seen_at: at(-1_000), due_at: at(9e9) }, 1_000],
  [
    "no more than a little after what was planned",
    { seen_at: at(-9e9), due_at: at(-9e9 + 60_000) },
    60_000 + UNSEEN_MS,
  ],
  ["no more than a little, if nothing is planned", { seen_at: at(-9e9) }, UNSEEN_MS],
  ["nothing planned before it was measured", { seen_at: at(-9e9), due_at: at(-9e9 - 60_000) }, UNSEEN_MS],
  ["nothing, if the clock was set back", { seen_at: at(1_000), due_at: at(2_000) }, 0],
])("the time of a run counts %s", (_, state, expected) => {
  expect(elapsedOf({ elapsed_ms: 100, ...state } as RunState, NOW)).toBe(100 + expected);
});

describe.each(await startTables())("a run on $name", ({ table, test }) => {
  const claimNew = (now?: Date) => samples.claimNew(table, now);

  async function storeNew(options?: Parameters<typeof storeRun>[3]): Promise<RunRef> {
    const account = await newAccount(table);
    return storeRun(table, account, await storeScraper(table, account, definition, new Date()), options);
  }

  test("is claimed by one of many", async () => {
    const run = await storeNew();
    const now = new Date();
    const claims = await Promise.all(Array.from({ length: 5 }, () => claimRun(table, run, now, 1000)));
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  test("goes to another attempt when its lease ends, and the first can write nothing more", async () => {
    const now = new Date();
    const first = await claimNew(now);
    expect(await saveProgress(table, first, noProgress, { now, leaseUntil: later(now, 1000) })).toBe(true);
    expect(await claimRun(table, first, later(now, 999), 1000)).toBeUndefined();
    const second = await claimRun(table, first, later(now, 1000), 1000);
    expect(second).toMatchObject({ attempt: 2, claims: 2 });
    expect(await claimRun(table, first, later(now, 1999), 1000)).toBeUndefined();
    expect(await saveProgress(table, first, noProgress, { now, leaseUntil: later(now, 9000) })).toBe(false);
    expect(await releaseRun(table, first, noProgress, { now, due: now, faults: 0 })).toBe(false);
    expect(await finishRun(table, first, noResult, success, undefined)).toBe(false);
    expect(await getRun(table, first)).toMatchObject({ status: "running", attempt: 2 });
  });

  test("that was let go can be claimed at once, and its claims count from one again", async () => {
    const now = new Date();
    const first = await claimNew(now);
    const progress = { ...noProgress, checkpoint: { page: 7 }, credits_used: 3 };
    await releaseRun(table, first, progress, { now, due: now, faults: 0 });
    expect(await claimRun(table, first, now, 1000)).toMatchObject({
      attempt: 2,
      claims: 1,
      place: { checkpoint: { page: 7 } },
      credits_used: 3,
    });
  });

  test("whose holder is known to be dead can be claimed at once", async () => {
    const now = new Date();
    const first = await claimNew(now);
    await breakLease(table, first);
    expect(await claimRun(table, first, now, 1000)).toMatchObject({ attempt: 2, claims: 1 });
  });

  test("ends once, for good", async () => {
    const run = await claimNew();
    expect(await finishRun(table, run, { ...noResult, credits_used: 2 }, success, undefined)).toBe(true);
    expect(await finishRun(table, run, noResult, { ...success, status: "failed" }, undefined)).toBe(false);
    expect(await claimRun(table, run, later(new Date(), 1e9), 1000)).toBeUndefined();
    const ended = await getRun(table, run);
    expect(ended).toMatchObject({ status: "successful", credits_used: 2, warnings: [] });
    expect(ended).not.toHaveProperty("lease_until");
  });

  test("is due until its follow-up work is done", async () => {
    const now = new Date();
    const run = await claimNew(now);
    const isDue = async () => {
      for await (const { id, account } of allDue(table, "RUN", later(now, 3_600_000))) {
        if (id === run.id && account === run.account) return true;
      }
      return false;
    };
    await finishRun(table, run, noResult, success, now);
    expect(await isDue()).toBe(true);
    await endWebhook(table, run, "delivered");
    expect(await isDue()).toBe(false);
  });

  test("is postponed by one of two sweeps", async () => {
    const now = new Date();
    const run = await storeNew({ now, dueAt: now });
    const seen = await getRun(table, run);
    if (seen === undefined) throw new Error("not stored");
    expect(await postponeRun(table, seen, { now, due: later(now, 1000) })).toBe(true);
    expect(await postponeRun(table, seen, { now, due: later(now, 1000) })).toBe(false);
  });

  test("whose lease a clock ahead has written can be claimed", async () => {
    const now = new Date();
    const run = await claimNew(later(now, 2 * 3_600_000));
    expect(await claimRun(table, run, now, 60_000)).toMatchObject({ attempt: 2 });
  });

  async function read(ref: RunRef): Promise<StoredRun> {
    const run = await getRun(table, ref);
    if (run === undefined) throw new Error("no run");
    return run;
  }

  test("takes its time from its first claim on, and keeps its due time", async () => {
    const run = await storeNew({ now: NOW, dueAt: later(NOW, 5_000) });
    const first = { attempt: 1, claims: 1, started_at: at(30_000), elapsed_ms: 0, seen_at: at(30_000) };
    const claimed = await claimRun(table, run, later(NOW, 30_000), 1_000);
    expect(claimed).toMatchObject({ ...first, lease_until: at(31_000), due_at: at(5_000) });
    expect(claimed).toEqual(await read(run));
    expect(await claimRun(table, run, later(NOW, 32_000), 1_000)).toMatchObject({
      ...{ attempt: 2, claims: 2, started_at: at(30_000), elapsed_ms: 2_000, seen_at: at(32_000) },
      ...{ lease_until: at(33_000), due_at: at(5_000) },
    });
  });

  test("that does not exist can't be claimed", async () => {
    const account = await newAccount(table);
    expect(await claimRun(table, { account, id: newId(1, NOW) }, NOW, 1_000)).toBeUndefined();
  });

  test("that was given up is due again once it is claimed", async () => {
    const run = await storeNew({ now: NOW });
    expect(await postponeRun(table, await read(run), { now: NOW, due: undefined })).toBe(true);
    expect(await read(run)).not.toHaveProperty("due_at");
    expect(await claimRun(table, run, later(NOW, 1_000), 1_000)).toMatchObject({ due_at: at(1_000) });
  });

  test("has the progress of the newest renewal, and counts dead claims and faults until it has got rows", async () => {
    const first = await claimNew(NOW);
    await releaseRun(table, first, undefined, { now: NOW, due: later(NOW, 7_000), faults: 2 });
    await claimRun(table, first, NOW, 1_000);
    const run = await claimRun(table, first, later(NOW, 1_000), 1_000);
    if (run === undefined) throw new Error("not claimed");
    const now = later(NOW, 1_500);
    const progress = {
      ...noProgress,
      checkpoint: { page: 7 },
      inline_rows: 3,
      credits_used: 2,
      elapsed_ms: 9,
    };
    await saveProgress(table, run, progress, { now, leaseUntil: later(now, 1_000) });
    expect(await read(run)).toMatchObject({
      ...{ attempt: 3, claims: 2, faults: 2, due_at: at(7_000), seen_at: at(1_500), lease_until: at(2_500) },
      ...{ inline_rows: 3, credits_used: 2, elapsed_ms: 9 },
      place: { version: CHECKPOINT_VERSION, checkpoint: { page: 7 } },
    });
    const renewal = { now, leaseUntil: later(now, 2_000), due: later(now, 3_000), isAdvanced: true };
    await saveProgress(table, run, noProgress, renewal);
    const stored = await read(run);
    expect(stored).toMatchObject({ claims: 1, faults: 0, due_at: at(4_500), lease_until: at(3_500) });
    for (const name of ["place", "inline_rows"]) expect(stored).not.toHaveProperty(name);
  });

  test("that a fault has released keeps its progress, and is due when another attempt has to have begun", async () => {
    const run = await claimNew(NOW);
    const progress = { ...noProgress, checkpoint: { page: 7 }, credits_used: 2 };
    await saveProgress(table, run, progress, { now: NOW, leaseUntil: later(NOW, 1_000) });
    const release = { now: NOW, due: later(NOW, 7_000), faults: 2 };
    expect(await releaseRun(table, run, undefined, release)).toBe(true);
    const stored = await read(run);
    expect(stored).toMatchObject({
      ...{ claims: 0, faults: 2, due_at: at(7_000), credits_used: 2 },
      place: { checkpoint: { page: 7 } },
    });
    expect(stored).not.toHaveProperty("lease_until");
  });

  test("counts credits and bytes for its account in progress and at its end, each once", async () => {
    const claimed = await claimNew(NOW);
    const counted = async () => [
      await creditsUsed(table, claimed.account, monthOf(NOW)),
      await storedBytes(table, claimed.account),
    ];
    expect(await countInProgress(table, claimed, { credits: 30, bytes: 5_000 })).toBe(true);
    const run = { ...claimed, credits_reserved: 30, counted_bytes: 5_000 };
    expect(await countInProgress(table, run, { credits: 12, bytes: 100 })).toBe(true);
    expect(await counted()).toEqual([42, 5_100]);
    expect(await read(run)).toMatchObject({ credits_reserved: 42, counted_bytes: 5_100 });
    const result = { ...noResult, row_bytes: 70, other_bytes: 9, credits_used: 40 };
    const bytes = bytesOf(run, { ...result, other_bytes: 9 + 11 });
    const end = { ...run, credits_reserved: 42, counted_bytes: 5_100 };
    expect(await finishRun(table, end, result, success, undefined, undefined, { bytes: 11 })).toBe(true);
    expect(await counted()).toEqual([40, bytes]);
    expect(await countInProgress(table, end, { credits: 1, bytes: 1 })).toBe(false);
    expect(await counted()).toEqual([40, bytes]);
    expect(await read(run)).toMatchObject({ credits_reserved: 0, counted_bytes: bytes, other_bytes: 20 });
  });

  test("has at its end what the comparison adds, and no place any more", async () => {
    const run = await claimNew(NOW);
    const progress = { ...noProgress, checkpoint: { page: 7 }, inline_rows: 1 };
    await saveProgress(table, run, progress, { now: NOW, leaseUntil: later(NOW, 1_000) });
    const warnings = ["field_empty", "rows_repeated"].map((code) => ({ code, message: "", step: 0 }));
    const [own, found] = warnings as RunWarning[];
    const result = { ...noResult, warnings: own ? [own] : [] };
    const changes = { stored: { prefix: "a", pieces: 1 } } as StoredRun["changes"];
    const compared = { changes, warnings: found ? [found] : [] };
    await finishRun(table, run, result, success, undefined, undefined, compared);
    const stored = await read(run);
    expect(stored).toMatchObject({ ...success, warnings, changes });
    for (const name of ["place", "inline_rows", "other_bytes", "lease_until", "due_at", "undelivered"])
      expect(stored).not.toHaveProperty(name);
  });

  test("ends together with the memory of its scraper, or not if another run has replaced that", async () => {
    const [run, late] = [await claimNew(NOW), await claimNew(NOW)];
    const content = { keys: { prefix: "a", pieces: 0 }, usual: [], usualOf: "" };
    const memory = memoryWrite(table, run, content, { before: undefined, now: NOW });
    const end = (claim: StoredRun) =>
      finishRun(table, claim, noResult, success, undefined, undefined, { memory });
    expect(await end(run)).toBe(true);
    expect(await readMemory(table, run, NOW)).toMatchObject(content);
    expect(await end(late)).toBe(false);
    expect(await read(late)).toMatchObject({ status: "running" });
  });

  test("is due at its end for what is left to do", async () => {
    const [webhook, report] = [await claimNew(NOW), await claimNew(NOW)];
    await finishRun(table, webhook, noResult, success, later(NOW, 1_000));
    expect(await read(webhook)).toMatchObject({ undelivered: true, due_at: at(1_000) });
    await finishRun(table, report, noResult, success, later(NOW, 1_000), { unreported: true });
    expect(await read(report)).toMatchObject({ unreported: true, due_at: at(1_000) });
    expect(await read(report)).not.toHaveProperty("undelivered");
  });

  test("is held by its newest attempt until it ends", async () => {
    const first = await claimNew(NOW);
    expect(await holdsRun(table, first)).toBe(true);
    const second = await claimRun(table, first, later(NOW, 60_000), 60_000);
    if (second === undefined) throw new Error("not claimed");
    // Whoever believes that the first one is dead is late.
    await breakLease(table, first);
    expect(await read(first)).toMatchObject({ claims: 2, lease_until: at(120_000) });
    expect([await holdsRun(table, first), await holdsRun(table, second)]).toEqual([false, true]);
    await finishRun(table, second, noResult, success, undefined);
    expect(await holdsRun(table, second)).toBe(false);
    expect(await holdsRun(table, { ...second, id: newId(2, NOW) })).toBe(false);
  });

  test("is measured when it is postponed, until it ends or somebody claims it", async () => {
    const run = await claimNew(NOW);
    const now = later(NOW, 2_000);
    await postponeRun(table, run, { now, due: later(NOW, 9_000) });
    const measured = { elapsed_ms: 2_000, seen_at: at(2_000), due_at: at(9_000) };
    const seen = await read(run);
    expect(seen).toMatchObject(measured);
    const next = await claimRun(table, run, later(NOW, 61_000), 60_000);
    expect(await postponeRun(table, seen, { now, due: later(NOW, 10_000) })).toBe(false);
    if (next === undefined) throw new Error("not claimed");
    await finishRun(table, next, noResult, success, later(NOW, 70_000));
    await postponeRun(table, await read(run), { now: later(NOW, 99_000), due: later(NOW, 99_000) });
    expect(await read(run)).toMatchObject({ elapsed_ms: 0, seen_at: at(61_000), due_at: at(99_000) });
  });

  test("is read by its id, and not by that of another with its number", async () => {
    const run = await storeNew();
    const idOf = async (ref: RunRef) =>
      (await readStates(table, [ref, { ...run, id: "none" }])).map(({ id }) => id);
    expect(await idOf(run)).toEqual([run.id]);
    expect(await idOf({ ...run, id: newId(1, NOW) })).toEqual([]);
    expect(await idOf({ ...run, id: "none" })).toEqual([]);
  });
});
