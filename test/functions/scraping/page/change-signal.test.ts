import { getEventListeners } from "node:events";
import { expect, test } from "@jest/globals";
import { ChangeSignal } from "../../../../functions/scraping/page/change-signal.ts";

const LONG_MS = 60_000;

test("everyone who waits is woken by a change", async () => {
  const changes = new ChangeSignal();
  const { signal } = new AbortController();
  const woken = [changes.next(LONG_MS, signal), changes.next(LONG_MS, signal)];
  changes.notify();
  await Promise.all(woken);
});

test("a wait ends by itself", async () => {
  await new ChangeSignal().next(1, new AbortController().signal);
});

test("a crash ends every wait with its reason, also one that begins after it", async () => {
  const changes = new ChangeSignal();
  const crash = new AbortController();
  const waiting = changes.next(LONG_MS, crash.signal);
  crash.abort(new Error("crashed"));
  await expect(waiting).rejects.toThrow("crashed");
  expect(() => changes.next(LONG_MS, crash.signal)).toThrow("crashed");
});

test("a wait that has ended leaves nothing behind", async () => {
  const changes = new ChangeSignal();
  const { signal } = new AbortController();
  for (let count = 0; count < 100; count += 1) {
    const waiting = changes.next(LONG_MS, signal);
    changes.notify();
    await waiting;
  }
  await changes.next(1, signal);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
