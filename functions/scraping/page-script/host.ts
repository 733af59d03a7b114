/// <reference lib="dom" />
import { type HostMessage, SETTLE_BINDING, type SettleRequest } from "./rest-protocol.ts";
import { isStatic } from "./static.ts";

/**
 * What the page script asks of the engine: to let the page's time pass and to draw frames until the page is at rest. The
 * page script itself has no timers.
 */

const world = globalThis as { [SETTLE_BINDING]?: (request: string) => void };
let waiting: (() => void)[] = [];

/** Resolves when nothing is left that could change the page soon. */
export function settle(request: SettleRequest = {}): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  world[SETTLE_BINDING]?.(JSON.stringify(request satisfies HostMessage));
  return promise;
}

/** Tells the engine that something is about to be pressed. */
export const pressing = (): void => world[SETTLE_BINDING]?.(JSON.stringify("pressing" satisfies HostMessage));

/** Called by the engine when the page is at rest. */
export function settled(): void {
  const resolvers = waiting;
  waiting = [];
  for (const resolve of resolvers) resolve();
}

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
