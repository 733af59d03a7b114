/// <reference lib="dom" />
import { WORK } from "./page-world/work-events.ts";

/** Work that the page's scripts wait for, and that is neither a timer nor a request. */

/** How long work may take, in ms of the page's time, until it counts as endless. */
const WORK_MS = 10_000;
const POLL_MS = 20;

let isObserving = false;
let underWay = 0;
let isEndless = false;

document.addEventListener(WORK.observes, () => {
  isObserving = true;
});
document.addEventListener(WORK.begins, () => {
  underWay += 1;
});
document.addEventListener(WORK.ends, () => {
  underWay = Math.max(0, underWay - 1);
});

/** Whether the page observes sizes or positions, of which it is told in drawn frames only. */
export const observesLayout = (): boolean => isObserving;

/** Waits until no work is under way. */
export async function waitForWork(): Promise<void> {
  if (underWay === 0 || isEndless) return;
  const started = performance.now();
  while (underWay > 0 && !isEndless) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    isEndless = performance.now() > started + WORK_MS;
  }
}
