/// <reference lib="dom" />
import { isStatic, knownShadowRoots } from "./query.ts";
import { pass } from "./waiting.ts";

/** Whether the document changed since `watchChanges` was called. */
let isChanged = false;
let watchedSince = 0;

const observer = new MutationObserver(() => {
  isChanged = true;
  observer.disconnect();
});

/** Watches a document that has just been read, and that its scripts may still change. */
export function watchChanges(): void {
  observer.disconnect();
  isChanged = false;
  watchedSince = performance.now();
  if (isStatic()) return;
  for (const root of [document, ...knownShadowRoots()])
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** How long a page may take until it is idle, in ms. */
const IDLE_MS = 500;

/** Whether the document has changed within `ms` of its time since it was read, or in the next frame or idle moment. */
export async function changed({ ms }: { ms: number }): Promise<boolean> {
  await pass(watchedSince + ms - performance.now());
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: IDLE_MS }));
  const hasRecords = observer.takeRecords().length > 0;
  observer.disconnect();
  return isChanged || hasRecords;
}
