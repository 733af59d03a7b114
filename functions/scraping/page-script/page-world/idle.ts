/// <reference lib="dom" />
/**
 * Replaces idle callbacks by timers. The browser ends the idle part of a frame by the real time. A page whose clock is
 * ahead of that never gets any.
 */
const { requestIdleCallback: request, setTimeout, clearTimeout, performance } = window;

/** How long a page may be idle, and how long it is until it is idle, in ms. */
const IDLE_MS = 50;
const DELAY_MS = 1;
/** How often to look whether a document is parsed, in ms. */
const PARSED_MS = 10;

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
      timers.set(id, setTimeout(call, PARSED_MS));
      return;
    }
    timers.delete(id);
    callback({ didTimeout: now >= end, timeRemaining: () => Math.max(0, now + IDLE_MS - performance.now()) });
  };
  timers.set(id, setTimeout(call, DELAY_MS));
  return id;
};

window.cancelIdleCallback = function cancelIdleCallback(id) {
  clearTimeout(timers.get(id));
  timers.delete(id);
};
