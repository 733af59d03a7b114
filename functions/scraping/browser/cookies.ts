import type { BrowserContext, CDPSession } from "playwright-core";
import { within } from "../time-limit.ts";
import { CALL_MS, COOKIES_AHEAD_MS } from "../timing.ts";

/** The same cookies with ends that are so much later. Those that last as long as the browser, or have ended, stay as they are. */
export const shifted = <C extends { expires?: number }>(cookies: readonly C[], ms = 0): C[] =>
  cookies.map((cookie) =>
    ms !== 0 && cookie.expires !== undefined && cookie.expires > 0
      ? { ...cookie, expires: cookie.expires + ms / 1_000 }
      : cookie,
  );

/**
 * How long a run's cookies live in a browser whose clock is that of its pages, as where it is a single process. Each page makes
 * the clock jump some seconds ahead of the real time: a sign-in that lasts for a quarter of an hour would be over after two
 * hundred pages, which take seconds.
 */
export class CookieLives {
  /** How far the clock was ahead when the lives were last extended, in ms. */
  aheadMs = 0;
  /** How much of the pages' time has passed since. */
  #passedMs = 0;

  /**
   * Extends the lives of all cookies by what the clock has gained, once that may be much.
   * @param ms how much of a page's time has passed
   * @param now what the clock says
   */
  async passed(ms: number, now: () => Promise<number | undefined>, context: BrowserContext): Promise<void> {
    this.#passedMs += ms;
    if (this.#passedMs < COOKIES_AHEAD_MS) return;
    const time = await now();
    if (time === undefined) return;
    const gainedMs = time - Date.now() - this.aheadMs;
    this.#passedMs = 0;
    this.aheadMs += gainedMs;
    const cookies = await within(CALL_MS, context.cookies());
    const ending = cookies.filter(({ expires }) => expires > 0);
    if (ending.length > 0) await within(CALL_MS, context.addCookies(shifted(ending, gainedMs)));
  }
}

export type SetCookies = ReturnType<typeof createSetCookies>;

/** The cookies that a run's servers set, as far as they change what later requests send. */
export function createSetCookies() {
  const values = new Map<string, string>();
  let changes = 0;
  return {
    /** How often a server has set a cookie that was not there, or had another value. */
    get changes(): number {
      return changes;
    },
    watch(cdp: CDPSession): void {
      cdp.on("Network.responseReceivedExtraInfo", ({ headers }) => {
        const key = Object.keys(headers).find((name) => name.toLowerCase() === "set-cookie");
        for (const line of key === undefined ? [] : (headers[key] ?? "").split("\n")) {
          const [cookie = ""] = line.split(";");
          const name = cookie.slice(0, cookie.indexOf("=") + 1);
          if (values.get(name) === cookie) continue;
          values.set(name, cookie);
          changes += 1;
        }
      });
    },
  };
}
