import type { ProxySettings } from "../contract/scraper.ts";
import type { Egress } from "./egress.ts";
import { findProxy, type ProxyList } from "./proxy-list.ts";
import { type EgressOptions, startEgress } from "./start-egress.ts";

export interface EgressForRunOptions extends Pick<EgressOptions, "allowHosts"> {
  /** Read only for a run that asks for a proxy. */
  proxies: () => ProxyList | Promise<ProxyList>;
}

/**
 * Opens the way out that a run's scraper asks for: direct, or through one of the operator's proxies.
 * @throws RunFailure `proxy_failed` when it asks for a proxy that is not set up
 */
export async function startEgressForRun(
  { proxy }: { proxy: ProxySettings },
  { proxies, ...options }: EgressForRunOptions,
): Promise<Egress> {
  if (proxy.type === "none") return startEgress(options);
  return startEgress({ ...options, upstream: findProxy(await proxies(), proxy) });
}
