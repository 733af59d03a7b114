import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterAll } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { startSite } from "../../../site/site.ts";
import { startEngine } from "../harness.ts";

export const items = (count: number) =>
  Array.from({ length: count }, (_, n) => `<p class=item>Item ${n + 1}</p>`).join("");
/** The rows of these items. */
export const names = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `Item ${n + 1}` }));
export const list: Step = {
  type: "get_list",
  selector: ".item",
  fields: [{ name: "name" }],
  timeout_ms: 3_000,
};

/** An engine and a site of items, for all tests of a file. */
export async function startItemSite() {
  const site = await startSite();
  // Accepts connections and cuts them: a server in trouble.
  const broken = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
  const brokenHost = `127.0.0.1:${(broken.address() as AddressInfo).port}`;
  const engine = await startEngine([site.host, site.host.replace("127.0.0.1", "localhost"), brokenHost]);
  afterAll(async () => {
    await engine.close();
    await site.close();
    broken.close();
  });
  /** Visits a page, does the steps and takes the items that are there then. */
  const scrape = (path: string, ...steps: Step[]) =>
    engine.run({ steps: [{ type: "visit", url: site.url(path) }, ...steps, list] });
  return { engine, site, brokenOrigin: `http://${brokenHost}`, scrape };
}
