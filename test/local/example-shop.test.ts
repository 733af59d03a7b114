import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "@jest/globals";
import { startExampleShop } from "../../local/example-shop.ts";

test("if another program uses the port of the shop, the shop takes another and says so", async () => {
  const other = createServer().listen(4100, "localhost");
  // Something else on this machine may use it already.
  await Promise.race([once(other, "listening"), once(other, "error")]).catch(() => {});
  const shop = await startExampleShop();
  try {
    expect(shop.url).toBe(`http://${shop.host}/books`);
    expect((await fetch(shop.url)).status).toBe(200);
    expect(shop.notice).toBe(
      `Another program uses port 4100 of the bookshop. In examples and in the documentation, replace localhost:4100 by ${shop.host}.`,
    );
  } finally {
    await shop.close();
    other.close();
  }
});
