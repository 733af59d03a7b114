import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startShop } from "../../../examples/shop/server.ts";
import { startService } from "../../../local/service.ts";
import { reachablePorts, type SharedService } from "./shared-service.ts";

/* The service and the shop that many test files share. It ends with the process that has started it. */

const data = await mkdtemp(join(tmpdir(), "gleaner-e2e-"));
const shop = await startShop();
const service = await startService({
  port: 0,
  data,
  log: { info() {}, error: (message, fields) => console.error(message, fields) },
  allowHosts: [new URL(shop.url).host, ...reachablePorts().map((port) => `127.0.0.1:${port}`)],
});

async function stop(): Promise<void> {
  await service.stop();
  await shop.close();
  await rm(data, { recursive: true });
  process.exit(0);
}
process.once("disconnect", stop);
const shared: SharedService = { url: service.url, data, shopUrl: shop.url };
process.send?.(shared);
