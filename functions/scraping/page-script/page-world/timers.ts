/// <reference lib="dom" />
import { AHEAD_MS } from "../../timing.ts";
import { ASK, TELL_TIMERS } from "../rest-protocol.ts";

/** Counts the timers of a page whose time is real: without any, there is nothing to wait for. */

const { CustomEvent, EventTarget, performance } = window;
const { setTimeout: setOnce, setInterval: setRepeating, clearTimeout: clear } = window;
const { dispatchEvent, addEventListener } = EventTarget.prototype;

/** When each timer is due, and how often each interval is, in ms. */
const due = new Map<number, number>();
const repeated = new Map<number, number>();
/** Delayed tasks that are not done. */
let tasks = 0;

window.setTimeout = function setTimeout(handler: TimerHandler, ms = 0, ...args: unknown[]) {
  const id = setOnce(handler, ms, ...args);
  due.set(id, performance.now() + (Number(ms) || 0));
  // The browser executes it after the other, which may throw.
  setOnce(() => due.delete(id), ms);
  return id;
} as typeof setOnce;

window.setInterval = function setInterval(handler: TimerHandler, ms = 0, ...args: unknown[]) {
  const id = setRepeating(handler, ms, ...args);
  repeated.set(id, Number(ms) || 0);
  return id;
} as typeof setRepeating;

// Either ends both.
const forget = (id: unknown): void => {
  due.delete(Number(id));
  repeated.delete(Number(id));
  clear(id as number);
};
window.clearTimeout = function clearTimeout(id) {
  forget(id);
};
window.clearInterval = function clearInterval(id) {
  forget(id);
};

const { postTask } = window.Scheduler?.prototype ?? {};
if (postTask)
  window.Scheduler.prototype.postTask = function (this: Scheduler, ...args: Parameters<typeof postTask>) {
    const done = postTask.apply(this, args);
    tasks += 1;
    const end = () => {
      tasks -= 1;
    };
    done.then(end, end);
    return done;
  } as typeof postTask;

addEventListener.call(document, ASK, () => {
  const now = performance.now();
  const timers = [...due.values()].filter((at) => at <= now + AHEAD_MS);
  const intervals = [...repeated.values()].filter((ms) => ms <= AHEAD_MS);
  const detail = timers.length + intervals.length + tasks;
  dispatchEvent.call(document, new CustomEvent(TELL_TIMERS, { detail }));
});
