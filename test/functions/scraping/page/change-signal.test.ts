import { getEventListeners } from "node:events";
import { expect, test } from "@jest/globals";
import { ChangeSignal } from "../../../../functions/scraping/page/change-signal.ts";

const LONG_MS = 60_000;
const never = () => false;

test("everyone who waits is woken by a change", async () => {
  const changes = new ChangeSignal();
  const { signal } = new AbortController();
  let isDone = false;
  const woken = [changes.until(() => isDone, LONG_MS, signal), changes.until(() => isDone, LONG_MS, signal)];
  changes.notify();
  isDone = true;
  changes.notify();
  expect(await Promise.all(woken)).toEqual([true, true]);
});

test("what is done already needs no change", async () => {
  expect(await new ChangeSignal().until(() => true, LONG_MS, new AbortController().signal)).toBe(true);
});

test("a wait ends by itself", async () => {
  expect(await new ChangeSignal().until(never, 1, new AbortController().signal)).toBe(false);
});

test("a crash ends every wait with its reason, also one that begins after it", async () => {
  const changes = new ChangeSignal();
  const crash = new AbortController();
  const waiting = changes.until(never, LONG_MS, crash.signal);
  crash.abort(new Error("crashed"));
  await expect(waiting).rejects.toThrow("crashed");
  await expect(changes.until(never, LONG_MS, crash.signal)).rejects.toThrow("crashed");
});

test("a wait that has ended leaves nothing behind", async () => {
  const changes = new ChangeSignal();
  const { signal } = new AbortController();
  for (let count = 0; count < 100; count += 1) {
    let isDone = false;
    const waiting = changes.until(() => isDone, LONG_MS, signal);
    isDone = true;
    changes.notify();
    await waiting;
  }
  await changes.until(never, 1, signal);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
