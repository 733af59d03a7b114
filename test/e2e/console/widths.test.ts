import { expect, test } from "@jest/globals";
import type { Run } from "../../../functions/contract/runs/run.ts";
import { worldOfFile } from "./world-of-file.ts";

/* What has to be in sight on a phone, and at the width of a small computer. */

const world = await worldOfFile();
const PHONE = { viewport: { width: 390, height: 844 } };
const NOTEBOOK = { viewport: { width: 1280, height: 900 } };
const definition = {
  name: "Books",
  steps: [
    { type: "visit", url: `${world.shopUrl}/books` },
    { type: "get_list", selector: ".book-card", fields: [{ name: "book_author", selector: ".book-author" }] },
  ],
};

test("on a phone, an error of the recorder is in sight and as wide as the page", async () => {
  const page = await world.open("/record", PHONE);
  const address = page.getByLabel("Address of a page with a list");
  await address.fill("https://nowhere.invalid/a-long-path-of-a-page-with-a-list/and-more-of-it");
  await address.press("Enter");
  await page.locator(".notice.bad").waitFor();
  await page.waitForFunction(() => {
    const [alert, bar] = [".notice", ".save"].map((one) =>
      document.querySelector(one)?.getBoundingClientRect(),
    );
    return alert !== undefined && bar !== undefined && alert.top > 0 && alert.bottom <= bar.top;
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("on a phone, the progress of a run with very many steps is as wide as the page", async () => {
  const wait = { type: "wait", text: "Sold out", timeout_ms: 60_000, optional: true };
  const steps = [definition.steps[0], ...Array.from({ length: 199 }, () => wait)];
  const { id } = await world.putScraper({ name: "Many steps", steps });
  const run = (await world.post<Run>("/v1/runs", { scraper_id: id })).body.id;
  const page = await world.open(`/runs/${run}`, PHONE);
  await page.getByText(/of 200: Wait for Sold out/).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await world.post(`/v1/runs/${run}/stop`, {});
});

test("on a phone, the current tab is in sight", async () => {
  const { id } = await world.putScraper(definition);
  const page = await world.open(`/scrapers/${id}/webhook`, PHONE);
  const current = page.locator(".tabs [aria-current]");
  await current.waitFor();
  const [tab, all] = [await current.boundingBox(), await page.locator(".tabs").boundingBox()];
  if (tab === null || all === null) throw new Error("There are no tabs");
  expect(tab.x).toBeGreaterThan(all.x);
  expect(tab.x + tab.width).toBeLessThanOrEqual(all.x + all.width + 1);
});

test("the name of a field beside its bar has one line", async () => {
  const { id } = await world.putScraper(definition);
  const { body } = await world.post<Run>("/v1/runs", { scraper_id: id });
  await world.finished(body.id);
  const page = await world.open(`/scrapers/${id}`, NOTEBOOK);
  const name = page.locator(".fill th bdi");
  await name.waitFor();
  expect(await name.evaluate((element) => element.getClientRects().length)).toBe(1);
});
