/// <reference lib="dom" />

/** How soon after a document begins, or is acted on, its first look must come to be counted as such, in ms. */
const PROMPT_MS = 100;

let actedAt = performance.now();

/** To be called when the page is pressed or scrolled. */
export function noteAct(): void {
  actedAt = performance.now();
}

/** Whether hardly any of the page's time has passed since its start or the last action. */
export const isPrompt = (): boolean => performance.now() < actedAt + PROMPT_MS;
