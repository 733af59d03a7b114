import type { ProxySettings } from "../contract/scraper.ts";

/** Credits per loaded page, by the type of proxy. */
export const creditMultipliers: Record<ProxySettings["type"], number> = {
  none: 1,
  datacenter: 1,
  residential: 10,
  custom: 1,
};
