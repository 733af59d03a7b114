import { startShop } from "./server.ts";

// The address that the scrapers in examples/ name.
const shop = await startShop({ host: "localhost", port: 4100 }).catch((error: Error) => {
  console.error(`The shop can't open: ${error.message}`);
  process.exit(1);
});
console.log(`The shop is open at ${shop.url} (Ctrl-C closes it)`);
process.once("SIGINT", () => void shop.close());
