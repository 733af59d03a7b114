/// <reference lib="dom" />
import { type HostMessage, SETTLE_BINDING, type SettleRequest } from "./rest-protocol.ts";

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
