import { startShopSite } from "./shop-site.ts";

/** The shop in a process of its own, so that serving it is not counted as anybody's work. Its argument is the latency. */
const site = await startShopSite(Number(process.argv[2]));
process.send?.({ origin: site.origin });
process.on("disconnect", () => process.exit(0));
