import { getEventListeners } from "node:events";
import { expect, test } from "@jest/globals";
import { abortable } from "../../functions/abortable.ts";

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

test("gives what the work gives, and leaves nothing at the signal", async () => {
  const { signal } = new AbortController();
  for (let call = 0; call < 100; call++) {
    const work = abortable(Promise.resolve(call), signal);
    expect(listeners(signal)).toBe(1);
    expect(await work).toBe(call);
    expect(listeners(signal)).toBe(0);
  }
  await expect(abortable(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
  expect(listeners(signal)).toBe(0);
});

test("rejects with the reason as soon as the signal fires, whatever becomes of the work", async () => {
  const controller = new AbortController();
  const work = Promise.withResolvers<string>();
  const result = abortable(work.promise, controller.signal);
  const reason = new Error("stopped");
  controller.abort(reason);
  await expect(result).rejects.toBe(reason);
  expect(listeners(controller.signal)).toBe(0);
  work.reject(new Error("too late to matter"));
});

test("rejects at once when the signal has fired before", async () => {
  const reason = new Error("stopped");
  const signal = AbortSignal.abort(reason);
  await expect(abortable(new Promise(() => undefined), signal)).rejects.toBe(reason);
  await expect(abortable(Promise.resolve("a result"), signal)).rejects.toBe(reason);
  await expect(abortable(Promise.reject(new Error("broken")), signal)).rejects.toBe(reason);
});

test("waits for the work where there is no signal", async () => {
  expect(await abortable(Promise.resolve(1), undefined)).toBe(1);
});
