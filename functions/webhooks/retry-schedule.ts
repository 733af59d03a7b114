const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after each failed attempt, in ms. The delivery fails after one more attempt than there are delays. */
const DELAYS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 12 * HOUR];

/** The delay in ms before the next attempt, after this many failed; undefined if there is no next attempt. */
export const delayAfter = (attempts: number): number | undefined => DELAYS[attempts - 1];

/**
 * Whether the next attempt has to wait. `nextAt`: its time, ISO 8601; absent if it may be made at once. A time that no
 * delay can lead to was set by a clock that was ahead, and does not count.
 */
export function isTooEarly(nextAt: string | undefined, now: Date): boolean {
  const wait = Date.parse(nextAt ?? "") - now.getTime();
  return wait > 0 && wait <= Math.max(...DELAYS);
}

/** The most attempts at a delivery. */
export const MAX_ATTEMPTS = DELAYS.length + 1;
