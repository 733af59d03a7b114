import { setTimeout as sleep } from "node:timers/promises";
import { ANSWER_MS, RESERVE_MS } from "./timing.ts";

export type Budget = ReturnType<typeof createBudget>;

/**
 * The time that an execution has left; every timeout is limited by it.
 * @param deadline ms since the epoch. Changes of the system clock after this call don't affect the budget.
 * @param answerMs time for an answer of the page to arrive, beyond the time that the page may take
 */
export const createBudget = (deadline: number, answerMs = ANSWER_MS) => {
  const end = performance.now() + deadline - Date.now() - RESERVE_MS;
  /** Milliseconds left, never negative. */
  const remaining = () => Math.max(0, end - performance.now());
  /** `ms`, or what is left when that is less; at least 1, because 0 means "no limit" to Playwright. */
  const cut = (ms: number) => Math.max(1, Math.min(ms, remaining()));
  /** Waits, at most until the budget is used up. Does not keep a stopped process alive. */
  const pause = (ms: number): Promise<void> => sleep(cut(ms), undefined, { ref: false });
  return { remaining, cut, answerMs, pause };
};
