import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { BLOCKED_REQUESTS } from "../../../../functions/scraping/page/blocked-requests.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();
const list: Step = {
  type: "get_list",
  selector: ".item",
  fields: [{ name: "name", selector: "b" }],
};
const FILES = ["/font.woff2", "/film.mp4", "/film.webm?v=2", "/sound.mp3", "/picture.png"];

/** A page that shows its list once it has asked for everything. */
const asking = (addresses: readonly string[]) => `
  <style>@font-face{font-family:own;src:url(${FILES[0]})}p{font-family:own}</style><p>Text</p>
  <video src="${FILES[1]}" preload=auto></video><video src="${FILES[2]}" preload=auto></video>
  <audio src="${FILES[3]}" preload=auto></audio><img src="${FILES[4]}"><script>
  Promise.allSettled(${JSON.stringify(addresses)}.map((address) => fetch(address))).then(async (results) => {
    await document.fonts.ready;
    document.body.insertAdjacentHTML("beforeend",
      results.map(({ status }) => '<div class=item><b>' + status + '</b></div>').join(""));
  });</script>`;

test("films, sounds and fonts are not loaded, unless a scraper asks for everything", async () => {
  for (const file of FILES) site.setRoute(file.split("?")[0] as string, "<p>a file</p>");
  site.setRoute("/page", asking(["/page"]));
  const steps: Step[] = [{ type: "visit", url: site.url("/page") }, list];
  site.requests.length = 0;
  expect((await engine.run({ steps })).rows).toEqual([{ name: "fulfilled" }]);
  expect(site.requests.filter((request) => FILES.includes(request))).toEqual([]);
  expect((await engine.run({ steps, loadImages: true })).rows).toEqual([{ name: "fulfilled" }]);
  expect(new Set(site.requests.filter((request) => FILES.includes(request)))).toEqual(new Set(FILES));
});

test("addresses that only look like such a file's lead where they lead", async () => {
  const addresses = [
    "/www.avis.example/data",
    "/data?film=a.mp4",
    "/film.mp4/facts",
    "/Apple_Inc.",
    "/sound.mp3x",
  ];
  for (const address of addresses) site.setRoute(address.split("?")[0] as string, "<p>data</p>");
  site.setRoute("/looks", asking(addresses));
  const told = await engine.run({ steps: [{ type: "visit", url: site.url("/looks") }, list] });
  expect(told.rows).toEqual(addresses.map(() => ({ name: "fulfilled" })));
});

test.each([
  ["https://www.google-analytics.com/g/collect?v=2", true],
  ["https://doubleclick.net/", true],
  ["https://stats.g.doubleclick.net:8443/dc.js", true],
  ["http://evildoubleclick.net/", false],
  ["https://doubleclick.net.example.com/", false],
  ["https://shop.example.com./list", false],
  ["https://shop.example.com/?from=https://www.hotjar.com/", false],
  ["https://hotjar.com.example.com/www.hotjar.com/", false],
])("%s is a tracker's: %s", (address, isTracker) => {
  const first = BLOCKED_REQUESTS.find(({ urlPattern }) => new URLPattern(urlPattern).test(address));
  expect(first?.block ?? false).toBe(isTracker);
});
