import { expect, test } from "@jest/globals";
import { closePage } from "../../../../functions/scraping/page/close-page.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

test("pages are closed, also while their next documents arrive", async () => {
  const path = site.newPath();
  site.setRoute(path, (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).write("<p>The end never comes.");
  });
  const leased = await engine.browsers.lease();
  // Chromium forgets about every third of them if they are closed only once.
  for (let round = 0; round < 10; round += 1) {
    const { page } = await leased.opener.open();
    const closed = Promise.withResolvers<void>();
    page.once("response", () => closed.resolve(closePage(page)));
    const going = page.goto(site.url(path)).catch(() => {});
    await closed.promise;
    expect(page.isClosed()).toBe(true);
    await going;
    await closePage(page);
  }
  await leased.close();
});
