import { setTimeout as sleep } from "node:timers/promises";
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
  expect(values).toEqual(["Item", "5 EUR"]);
  expect(reads).toBe(2);
  await close();
});

test("fields that only Playwright finds are not looked for in a document that is half parsed", async () => {
  const path = site.newPath();
  let visits = 0;
  site.setRoute(path, async (_, response) => {
    visits += 1;
    response.writeHead(200, { "content-type": "text/html" }).write(`<h1>Item</h1>${" ".repeat(2_000)}`);
    if (visits === 2) await sleep(1_000);
    response.end("<b>5 EUR</b>");
  });
  const { tab, close } = await engine.browsers.lease();
  await tab.navigate(site.url(path), 30_000);
  const prepareMarks: Tab["prepareMarks"] = tab.prepareMarks.bind(tab);
  let prepared = 0;
  Object.assign(tab, {
    prepareMarks: async (...args: Parameters<Tab["prepareMarks"]>) => {
      await prepareMarks(...args);
      prepared += 1;
      if (prepared === 1) await tab.navigate(site.url(path), 30_000);
    },
  });
  const fields = [{ selector: "h1" }, { selector: "b:visible" }];
  const budget = createBudget(Date.now() + 60_000, 10_000);
  const values = await readFields(tab, { fields, names: ["title", "price"], timeout: 30_000, budget });
  expect(values).toEqual(["Item", "5 EUR"]);
  await close();
});
