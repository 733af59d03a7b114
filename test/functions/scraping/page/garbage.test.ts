import { expect, test } from "@jest/globals";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

test("the documents of a long list are freed while it is read", async () => {
  const DOCUMENTS = 40;
  site.setRoute("/page", "<!doctype html><p>One page</p>");
  const { context, tab, close } = await engine.browsers.lease();
  const devTools = await context.newCDPSession(tab.page);
  for (let number = 1; number <= DOCUMENTS; number += 1)
    await tab.navigate(site.url(`/page?number=${number}`), 30_000);
  // Without that, a page that small frees none of them.
  const { documents } = await devTools.send("Memory.getDOMCounters");
  expect(documents).toBeLessThan(DOCUMENTS);
  await close();
});
