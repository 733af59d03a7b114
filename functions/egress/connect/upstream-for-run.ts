import type { ProxySettings } from "../../contract/scrapers/scraper.ts";
import { findProxy, type ProxyList } from "./proxy-list.ts";
import type { Upstream } from "./upstream-route.ts";

/**
 * The operator's proxy for a run; undefined if its scraper uses none. Calls `proxies` only if the scraper uses one.
 * @throws RunFailure `proxy_failed` if the proxy is not set up
 */
export async function upstreamForRun(
  { proxy }: { proxy: ProxySettings },
  proxies: () => ProxyList | Promise<ProxyList>,
): Promise<Upstream | undefined> {
  return proxy.type === "none" ? undefined : findProxy(await proxies(), proxy);
}
