const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long to wait after each failed attempt, in ms; after the last of them the delivery has failed. */
const DELAYS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 12 * HOUR];

/** The wait in ms before the next attempt, after this many have failed; undefined when there is none. */
export const delayAfter = (attempts: number): number | undefined => DELAYS[attempts - 1];
