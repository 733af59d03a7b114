/** The time that an execution has left; every time-out is cut from it. */
export interface Budget {
  /** Milliseconds left, never negative. */
  remaining(): number;
  /** `ms`, or what is left when that is less; at least 1, because 0 means "no limit" to Playwright. */
  cut(ms: number): number;
}

/** @param deadline ms since the epoch */
export const createBudget = (deadline: number): Budget => {
  const remaining = () => Math.max(0, deadline - Date.now());
  return { remaining, cut: (ms) => Math.max(1, Math.min(ms, remaining())) };
};
