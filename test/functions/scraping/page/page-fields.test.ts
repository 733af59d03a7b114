import { expect, test } from "@jest/globals";
import { createBudget } from "../../../../functions/scraping/budget.ts";
import { readFields } from "../../../../functions/scraping/page/page-fields.ts";
import type { Tab } from "../../../../functions/scraping/page/tab.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

test("fields that only Playwright finds are read from the document in which they were found", async () => {
  const path = site.newPath();
  site.setRoute(path, "<h1>Item</h1><b>5 EUR</b>");
  const { tab, close } = await engine.browsers.lease();
  await tab.navigate(site.url(path), 30_000);
  const call: Tab["call"] = tab.call.bind(tab);
  let reads = 0;
  Object.assign(tab, {
    call: async (...args: Parameters<Tab["call"]>) => {
      if (args[0] === "readPage") {
        reads += 1;
        if (reads === 1) await tab.navigate(site.url(path), 30_000);
      }
      return call(...args);
    },
  });
  const fields = [{ selector: "h1" }, { selector: "b:visible" }];
  const budget = createBudget(Date.now() + 60_000, 10_000);
  const values = await readFields(tab, { fields, names: ["title", "price"], timeout: 30_000, budget });
  expect(values).toEqual({ values: ["Item", "5 EUR"], several: [], isBlank: false });
  await close();
});
