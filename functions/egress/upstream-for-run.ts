import type { ProxySettings } from "../contract/scraper.ts";
import { findProxy, type ProxyList } from "./proxy-list.ts";
import type { Upstream } from "./upstream-route.ts";

/**
 * The operator's proxy that a run's scraper asks for; undefined where it asks for none. `proxies` is only called for
 * one that does.
 * @throws RunFailure `proxy_failed` when it asks for a proxy that is not set up
 */
export async function upstreamForRun(
  { proxy }: { proxy: ProxySettings },
  proxies: () => ProxyList | Promise<ProxyList>,
): Promise<Upstream | undefined> {
  return proxy.type === "none" ? undefined : findProxy(await proxies(), proxy);
}
