import type { ProxySettings } from "../contract/scraper.ts";

/** Credits that one loaded page costs, by the kind of proxy it came through. */
export const creditMultipliers: Record<ProxySettings["type"], number> = {
  none: 1,
  datacenter: 1,
  residential: 10,
  custom: 1,
};
