import { expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scrapers/scraper.ts";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/* A list of 1,000 offers whose details are on pages of their own, and of which 20 are new since the run before. */

const OFFERS = 1_000;
const NEW = 20;
/** The most pages that a run may load. */
const LOADS = 25;

const { engine, site } = await startEngineAndSite({
  wrap: (scrape) => (job, context) =>
    scrape(job, { ...context, isKnown: ({ sku }) => Number(sku) <= OFFERS - NEW }),
});

/** The newest offers come first, but for an old one that the shop recommends. */
const offers = [1, ...Array.from({ length: OFFERS - 1 }, (_, index) => OFFERS - index)];
const cards = (from: number, to: number) =>
  offers
    .slice(from, to)
    .map((sku) => `<li><a href="/offer/${sku}">${sku}</a></li>`)
    .join("");
for (const sku of offers) site.setRoute(`/offer/${sku}`, `<b>${sku} pieces</b>`);
site.setRoute("/whole", `<ul>${cards(0, OFFERS)}</ul>`);
site.setRoute("/pages", (request, response) => {
  const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
  const next = page * 20 < OFFERS ? `<a rel="next" href="/pages?page=${page + 1}">Older offers</a>` : "";
  sendHtml(response, `<ul>${cards((page - 1) * 20, page * 20)}</ul>${next}`);
});

const list: Step = {
  type: "get_list",
  selector: "li",
  fields: [{ name: "sku" }, { name: "url", selector: "a", attribute: "href" }],
  key: ["sku"],
  details: { url_field: "url", fields: [{ name: "stock", selector: "b" }] },
};

test.each<[string, { pagination: Pagination; stopAfterKnownPages?: number }]>([
  ["/whole", { pagination: { type: "none" } }],
  ["/pages", { pagination: { type: "next_button", selector: "a[rel=next]" }, stopAfterKnownPages: 1 }],
])("of 1,000 rows, only the details of the 20 new ones are loaded: %s", async (path, job) => {
  const from = site.requests.length;
  const { rows, loads, warnings, failure } = await engine.run({
    steps: [{ type: "visit", url: site.url(path) }, list],
    ...job,
  });
  expect({ warnings, failure }).toEqual({ warnings: [], failure: undefined });
  const skus = Array.from({ length: NEW }, (_, index) => String(OFFERS - index));
  expect(rows).toEqual(skus.map((sku) => ({ sku, url: site.url(`/offer/${sku}`), stock: `${sku} pieces` })));
  const requested = site.requests.slice(from).filter((each) => /^\/(whole|pages|offer)/.test(each));
  expect(requested.filter((each) => each.startsWith("/offer/"))).toHaveLength(NEW);
  expect(loads).toBeLessThanOrEqual(LOADS);
  expect(requested.length).toBeLessThanOrEqual(LOADS);
});
