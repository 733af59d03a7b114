import type { WebhookState } from "../runs/run.ts";
import { CLAIM_MS } from "../runs/webhook-attempt.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after each failed attempt, in ms. The delivery fails after one more attempt than there are delays. */
const DELAYS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 12 * HOUR];

/** The delay in ms before the next attempt, after this many failed; undefined if there is no next attempt. */
export const delayAfter = (attempts: number): number | undefined => DELAYS[attempts - 1];

/** The longest time in ms from the claim of this attempt to the next one, unless the clock is set. */
export const waitAfter = (attempts: number): number => Math.max(CLAIM_MS, delayAfter(attempts) ?? 0);

/**
 * Whether the next attempt at a webhook has to wait. A time that is further ahead than the delay after the last
 * attempt was set by a clock that was ahead, and does not count.
 */
export function isTooEarly(
  { webhook_next_at: nextAt, webhook_attempts: attempts = 0 }: WebhookState,
  now: Date,
): boolean {
  const wait = Date.parse(nextAt ?? "") - now.getTime();
  return wait > 0 && wait <= waitAfter(attempts);
}

/** The most attempts at a delivery. */
export const MAX_ATTEMPTS = DELAYS.length + 1;
