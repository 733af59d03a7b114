/// <reference lib="dom" />

/** A read counts as early if it comes within this time of the page's start or of the last action, in ms. */
const EARLY_MS = 100;

let actedAt = performance.now();

/** To be called when the page is pressed or scrolled. */
export function noteAction(): void {
  actedAt = performance.now();
}

/** Whether a read now would be early: hardly any of the page's time has passed since its start or the last action. */
export const isEarly = (): boolean => performance.now() < actedAt + EARLY_MS;
