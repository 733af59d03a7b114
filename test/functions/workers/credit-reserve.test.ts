import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { RUN_TIMING } from "../../../functions/run-timing.ts";
import type { StoredRun } from "../../../functions/runs/run.ts";
import { StageTimes } from "../../../functions/stages.ts";
import { addCredits, creditsUsed } from "../../../functions/store/credits.ts";
import { newId } from "../../../functions/store/runs/numbering.ts";
import { CreditReserve } from "../../../functions/workers/credit-reserve.ts";
import { RunRecorder } from "../../../functions/workers/run-recorder.ts";
import { startTable } from "../store/local-table.ts";
import { claimNew, newAccount } from "../store/samples.ts";
import { isWrite, withSend } from "../store/with-send.ts";

const table = await startTable();
const NOW = new Date("2026-11-21T00:00:00.000Z");
const exhausted = { code: "credits_exhausted" };
const recorders: RunRecorder[] = [];

// A run that got no credits asks again at once.
beforeEach(() => void jest.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => {
  jest.restoreAllMocks();
  for (const recorder of recorders.splice(0)) recorder.close();
});

interface Scene {
  /** The credit limit of the account. */
  limit: number | null;
  /** Credits of one page. */
  perPage?: number;
  /** Credits that other runs have used or reserved. */
  others?: number;
  /** What earlier attempts at the run have left. */
  before?: Partial<Pick<StoredRun, "credits_used" | "credits_reserved">>;
}

interface Hooks {
  /** Called before the credits of the month are read for the nth time. */
  onRead?: (reads: number) => Promise<void> | undefined;
  /** Called after the nth write. */
  onWrite?: (writes: number) => Promise<void> | undefined;
}

/** A run of an account, before it asks for credits. */
async function scene({ limit, perPage = 1, others = 0, before }: Scene) {
  const account = await newAccount(table, { credit_limit: limit });
  const run = { ...(await claimNew(table, NOW, account)), ...before };
  const hooks: Hooks = {};
  let [reads, writes] = [0, 0];
  const watched = withSend(table, async (send, command) => {
    const isRead = command.name === "QueryCommand" && JSON.stringify(command.input).includes("#CREDITS#");
    if (isRead) {
      reads += 1;
      await hooks.onRead?.(reads);
    }
    const result = await send();
    if (isWrite(command)) {
      writes += 1;
      await hooks.onWrite?.(writes);
    }
    return result;
  });
  const options = { now: () => NOW, timing: RUN_TIMING, stages: new StageTimes(undefined) };
  const recorder = new RunRecorder(watched, run, options);
  recorders.push(recorder);
  let byOthers = 0;
  /** Other runs use credits, or give some back. */
  const use = (credits: number) => {
    byOthers += credits;
    return addCredits(table, { account, id: newId(99, NOW), credits, at: NOW });
  };
  await use(others);
  return {
    recorder,
    hooks,
    use,
    open: () => CreditReserve.open(watched, run, recorder, perPage),
    /** The credits that the run has reserved, as its account counts them. */
    reserved: async () => (await creditsUsed(table, account, "2026-11")) - byOthers,
    writes: () => writes,
  };
}

test.each<[string, Scene, number]>([
  ["nothing without a limit", { limit: null }, 0],
  ["a twentieth of what the account has left", { limit: 700, others: 100 }, 30],
  ["whole pages", { limit: 799, perPage: 10 }, 30],
  ["a page at least", { limit: 19 }, 1],
  ["a page at least, although the account has less left", { limit: 15, perPage: 10, others: 10 }, 10],
  ["the credits of 50 pages at most", { limit: 19_999 }, 50],
  ["nothing for the first pages if much is left", { limit: 20_001, others: 1 }, 0],
  [
    "credits also if much is left, after the first pages",
    { limit: 20_000, before: { credits_used: 20 } },
    70,
  ],
  ["by the credits of a page", { limit: 199_999, perPage: 10 }, 500],
  ["nothing for the first pages, by the credits of a page", { limit: 200_000, perPage: 10 }, 0],
  [
    "nothing while an earlier attempt's are not spent",
    { limit: 1_000, before: { credits_reserved: 7, credits_used: 6 } },
    0,
  ],
  [
    "more when an earlier attempt's are spent",
    { limit: 1_000, before: { credits_reserved: 7, credits_used: 7 } },
    50,
  ],
])("a run reserves %s", async (_, how, expected) => {
  const { recorder, open, reserved, writes } = await scene(how);
  await open();
  expect(await reserved()).toBe(expected);
  expect(recorder.creditsReserved).toBe((how.before?.credits_reserved ?? 0) + expected);
  expect(writes()).toBe(expected > 0 ? 1 : 0);
});

test("a run reserves more when it has not enough for its next page", async () => {
  const { recorder, open, reserved } = await scene({ limit: 600 });
  const reserve = await open();
  const spend = async (pages: number) => {
    for (let page = 0; page < pages; page += 1) reserve.spendPage();
    await reserve.waitUntilGranted();
    return [recorder.creditsUsed, await reserved()];
  };
  expect(await spend(29)).toEqual([29, 30]);
  expect(await spend(1)).toEqual([30, 30 + 28]);
  expect(await spend(28)).toEqual([58, 58 + 27]);
});

test("the first pages that no credits were reserved for are reserved with those of later ones", async () => {
  const { open, reserved } = await scene({ limit: 1_000_000 });
  const reserve = await open();
  const spend = async (pages: number) => {
    for (let page = 0; page < pages; page += 1) reserve.spendPage();
    await reserve.waitUntilGranted();
    return reserved();
  };
  expect(await spend(19)).toBe(0);
  expect(await spend(1)).toBe(20 + 50);
});

test("a run without a limit loads as many pages as it wants to", async () => {
  const { recorder, open, reserved } = await scene({ limit: null, perPage: 10 });
  const reserve = await open();
  for (let page = 0; page < 1_000; page += 1) reserve.spendPage();
  await reserve.waitUntilGranted();
  expect([recorder.creditsUsed, await reserved()]).toEqual([10_000, 0]);
});

test("pages that load side by side count although the account has less left than they reserve at a time", async () => {
  const { recorder, open, reserved } = await scene({ limit: 30 });
  const reserve = await open();
  for (const credits of [10, 20, 30]) {
    for (let page = 0; page < 10; page += 1) reserve.spendPage();
    await reserve.waitUntilGranted();
    expect([recorder.creditsUsed, await reserved()]).toEqual([credits, credits]);
  }
});

test("pages beyond the account's limit are taken back, and no further ones are loaded", async () => {
  const { recorder, open, reserved } = await scene({ limit: 45, perPage: 10 });
  const reserve = await open();
  for (let page = 0; page < 7; page += 1) reserve.spendPage();
  await expect(reserve.waitUntilGranted()).rejects.toMatchObject(exhausted);
  // Each run exceeds the limit by less than the credits of one page.
  expect([recorder.creditsUsed, await reserved()]).toEqual([50, 50]);
  expect(() => reserve.spendPage()).toThrow(expect.objectContaining(exhausted));
  expect(recorder.creditsUsed).toBe(50);
});

test("the last page of an account's credits counts, and the next one is not loaded", async () => {
  const { recorder, open } = await scene({ limit: 2 });
  const reserve = await open();
  for (let page = 0; page < 2; page += 1) {
    reserve.spendPage();
    await reserve.waitUntilGranted();
  }
  expect(() => reserve.spendPage()).toThrow(expect.objectContaining(exhausted));
  expect(recorder.creditsUsed).toBe(2);
});

test.each<[string, number, number, number]>([
  ["all that it asked for if enough is left for both", 10, 900, 50],
  ["what the others leave", 10, 970, 30],
  ["a page at least", 10, 995, 10],
])("a run that reserves at the same time as others gets %s", async (_, perPage, others, expected) => {
  const { recorder, hooks, use, open, reserved } = await scene({ limit: 1_000, perPage });
  hooks.onWrite = (writes) => (writes === 1 ? use(others) : undefined);
  await open();
  expect([recorder.creditsReserved, await reserved()]).toEqual([expected, expected]);
});

test("a run gives back what it has reserved if others took the last credits at the same time", async () => {
  const { recorder, hooks, use, open, reserved } = await scene({ limit: 1_000, before: { credits_used: 3 } });
  hooks.onWrite = (writes) => (writes === 1 ? use(997) : undefined);
  const reserve = await open();
  expect(() => reserve.spendPage()).toThrow(expect.objectContaining(exhausted));
  // What it had spent is reserved now.
  expect([recorder.creditsUsed, recorder.creditsReserved, await reserved()]).toEqual([3, 3, 3]);
});

test("a run asks four times, with random delays, for the credits that others give back, and writes nothing before", async () => {
  for (const [freed, credits] of [
    [4, 1],
    [5, 0],
  ]) {
    const { hooks, use, open, reserved, writes } = await scene({ limit: 10, others: 10 });
    const delays = jest.spyOn(Math, "random").mockClear();
    hooks.onRead = (reads) => (reads === freed ? use(-10) : undefined);
    const reserve = await open();
    expect([await reserved(), writes()]).toEqual([credits, credits]);
    expect(delays).toHaveBeenCalledTimes(3);
    if (credits === 0) expect(() => reserve.spendPage()).toThrow(expect.objectContaining(exhausted));
  }
});

test("the error of a reservation ends the run at its next page, and at each wait", async () => {
  const { recorder, hooks, open } = await scene({ limit: 10 });
  const reserve = await open();
  hooks.onRead = () => Promise.reject(new Error("The table is down."));
  reserve.spendPage();
  await expect(reserve.waitUntilGranted()).rejects.toThrow("The table is down.");
  expect(() => reserve.spendPage()).toThrow("The table is down.");
  expect(recorder.creditsUsed).toBe(1);
});
