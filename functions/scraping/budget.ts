import { setTimeout as sleep } from "node:timers/promises";
import { ANSWER_MS, RESERVE_MS } from "./timing.ts";

/** The time that an execution has left; every timeout is limited by it. */
export interface Budget {
  /** Milliseconds left, never negative. */
  remaining(): number;
  /** `ms`, or what is left when that is less; at least 1, because 0 means "no limit" to Playwright. */
  cut(ms: number): number;
  /** Waits, at most until the budget is used up. Does not keep a stopped process alive. */
  pause(ms: number): Promise<void>;
  /** Time for an answer of the page to arrive, beyond the time that the page may take, in ms. */
  answerMs: number;
}

/** @param deadline ms since the epoch. Changes of the system clock after this call don't affect the budget. */
export const createBudget = (deadline: number, answerMs = ANSWER_MS): Budget => {
  const end = performance.now() + deadline - Date.now() - RESERVE_MS;
  const remaining = () => Math.max(0, end - performance.now());
  const cut = (ms: number) => Math.max(1, Math.min(ms, remaining()));
  return { remaining, cut, answerMs, pause: (ms) => sleep(cut(ms), undefined, { ref: false }) };
};
