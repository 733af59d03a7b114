import { expect, test } from "@jest/globals";
import type { PageCapture } from "../../../functions/scraping/page/pictures/capture.ts";
import { startSite } from "../../site/site.ts";
import { startEngine } from "./harness.ts";

test.each([
  [true, [{ source: "response:*/api/items*", text: '{"items":[1,2]}' }]],
  [false, undefined],
])("a capture has the JSON that the page has requested, if it is wanted: %s", async (wantsJson, json) => {
  const site = await startSite();
  const looks: PageCapture[] = [];
  const onCapture = (seen: PageCapture) => void looks.push(seen);
  const engine = await startEngine([site.host], {
    wrap: (scrape) => (job, context) =>
      scrape(job, { ...context, capture: { wantsScreenshot: false, wantsJson, onCapture } }),
  });
  site.setRoute("/", '<p>Page</p><script>fetch("/api/items?page=1"); fetch("/missing")</script>');
  site.setRoute("/api/items", '{"items":[1,2]}');
  await engine.run({ steps: [{ type: "visit", url: site.url("/") }] });
  expect(JSON.parse(looks[0]?.snapshot ?? "{}").json).toEqual(json);
  await engine.close();
  await site.close();
});
