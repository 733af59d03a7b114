/// <reference lib="dom" />
import { NO_TIMER } from "../rest-protocol.ts";
import { type Around, wrap } from "./wrap.ts";

/** Notes when the timers of a page are due: without any, there is nothing to wait for. */

const { performance, setTimeout, EventTarget } = window;
const { addEventListener } = EventTarget.prototype;

/** By the page's time, in ms: of timers by their ids, and of what else waits for a time by itself. */
const due = new Map<unknown, number>();
/** Whether the page may have timers from before this script. */
const isLate = document.documentElement !== null;

const timer =
  (isRepeated: boolean): Around =>
  (call, _, args) => {
    const [handler, delay] = args;
    const isFunction = typeof handler === "function";
    if (isFunction)
      args[0] = (...values: unknown[]) => {
        if (isRepeated) note();
        else due.delete(id);
        return Reflect.apply(handler, window, values);
      };
    const id = call();
    const ms = Number(delay) || 0;
    const note = () => due.set(id, performance.now() + ms);
    note();
    // The browser executes it after the code that the page has given as a text.
    if (!isFunction && !isRepeated) setTimeout(() => due.delete(id), ms);
    return id;
  };
wrap(window, ["setTimeout"], timer(false));
wrap(window, ["setInterval"], timer(true));
// Either ends both.
wrap(window, ["clearTimeout", "clearInterval"], (call, _, [id]) => {
  due.delete(Number(id));
  return call();
});
wrap(window.Scheduler?.prototype, ["postTask"], (call, _, [, options]) => {
  const done = call() as Promise<unknown>;
  due.set(done, performance.now() + ((options as SchedulerPostTaskOptions)?.delay ?? 0));
  const end = () => due.delete(done);
  done.then(end, end);
  return done;
});

wrap(window.AbortSignal, ["timeout"], (call, _, [ms]) => {
  const signal = call() as AbortSignal;
  due.set(signal, performance.now() + Number(ms));
  addEventListener.call(signal, "abort", () => due.delete(signal));
  return signal;
});
// The browser connects it again after some time.
window.EventSource = new Proxy(window.EventSource, {
  construct(native, args, self) {
    due.set(native, 0);
    return Reflect.construct(native, args, self);
  },
});

/** How long it is until the next timer is due, in ms; negative if it is late. */
export const nextTimerMs = (): number =>
  isLate ? 0 : due.values().reduce((least, at) => Math.min(least, at - performance.now()), NO_TIMER);
