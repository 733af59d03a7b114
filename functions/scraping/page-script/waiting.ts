/// <reference lib="dom" />
import { settle } from "./host.ts";
import { isStatic } from "./static.ts";

/** Whether nothing can change the document any more. */
const isFinal = (): boolean => document.readyState === "complete" && isStatic();

/**
 * Whether `check` becomes true within `ms` of the page's time, where the page is at rest. Such a page stays as it is for some
 * seconds, so later checks follow only where there is more time than that.
 */
export async function waitUntil(check: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  while (!check()) {
    if (isFinal() || performance.now() >= end) return false;
    await settle({ more: true });
  }
  return true;
}
