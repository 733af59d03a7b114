/// <reference lib="dom" />
import { IDLE_MS } from "../../timing.ts";

/**
 * Replaces idle callbacks by timers. The browser ends the idle part of a frame by the real time. A page whose clock is
 * ahead of that never gets any.
 */
const { requestIdleCallback: request, setTimeout, clearTimeout, performance } = window;

const timers = new Map<number, number>();
let last = 0;

window.requestIdleCallback = function requestIdleCallback(callback, options) {
  // Throws.
  if (typeof callback !== "function") return request(callback, options);
  last += 1;
  const id = last;
  const end = performance.now() + (options?.timeout || Number.POSITIVE_INFINITY);
  const call = () => {
    const now = performance.now();
    if (document.readyState === "loading" && now < end) {
      timers.set(id, setTimeout(call, IDLE_MS.parsed));
      return;
    }
    timers.delete(id);
    callback({
      didTimeout: now >= end,
      timeRemaining: () => Math.max(0, now + IDLE_MS.most - performance.now()),
    });
  };
  timers.set(id, setTimeout(call, IDLE_MS.delay));
  return id;
};

window.cancelIdleCallback = function cancelIdleCallback(id) {
  clearTimeout(timers.get(id));
  timers.delete(id);
};
