import { startShopSite } from "./shop-site.ts";

/** The shop in a process of its own, so that serving it is not counted as anybody's work. */
const site = await startShopSite();
process.send?.({ origin: site.origin });
process.on("disconnect", () => process.exit(0));
