import type { ProxySettings } from "../contract/scrapers/scraper.ts";

/** Credits per loaded page, by the type of proxy. */
export const creditMultipliers: Record<ProxySettings["type"], number> = {
  none: 1,
  datacenter: 1,
  residential: 10,
  custom: 1,
};
