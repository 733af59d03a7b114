import type { CDPSession } from "playwright-core";

/** The cookies that a run's servers set, as far as they change what later requests send. */
export interface SetCookies {
  watch(cdp: CDPSession): void;
  /** How often a server has set a cookie that was not there, or had another value. */
  readonly changes: number;
}

export function createSetCookies(): SetCookies {
  const values = new Map<string, string>();
  let changes = 0;
  return {
    get changes() {
      return changes;
    },
    watch(cdp) {
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
