import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "@jest/globals";
import type { BrowserContext } from "playwright-core";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import type { StepOf } from "../../../../functions/contract/steps.ts";
import type { Browsers } from "../../../../functions/scraping/browser/browsers.ts";
import { createScraper } from "../../../../functions/scraping/engine.ts";
import type { ReadingEngine } from "../../../../functions/scraping/job.ts";
import { sendHtml, startSite } from "../../../site/site.ts";
import { startEngine } from "../harness.ts";

const site = await startSite();
const engine = await startEngine([site.host]);
afterAll(async () => {
  await engine.close();
  await site.close();
});

const PAGES = 6;
const path = site.newPath();
site.setRoute(path, async (request, response) => {
  const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
  // Long enough for loading ahead to be worthwhile.
  await sleep(50);
  const next = page < PAGES ? `<a class=next href="${path}?page=${page + 1}">Next</a>` : "";
  sendHtml(response, `<a class=item href="${path}/item?n=${page}">Item ${page}</a>${next}`);
});
site.setRoute(`${path}/item`, "<b>1.00</b>");

const list: StepOf<"get_list"> = {
  type: "get_list",
  selector: ".item",
  fields: [{ name: "name" }, { name: "url", attribute: "href" }],
};
const details = { url_field: "url", fields: [{ name: "price", selector: "b" }] };
const nextButton: Pagination = { type: "next_button", selector: ".next" };
const template: Pagination = { type: "url_template", url: site.url(`${path}?page={page}`), max_pages: PAGES };

interface Case {
  list?: Partial<StepOf<"get_list">>;
  pagination: Pagination;
  engine?: ReadingEngine;
}

const cases: [name: string, job: Case][] = [
  ["details", { list: { details }, pagination: { type: "none" } }],
  ["details by HTTP", { list: { details }, pagination: nextButton, engine: "http" }],
  ["pages ahead of a next button", { pagination: nextButton }],
  ["pages of a template", { pagination: template }],
];

test.each(cases)("tabs of %s are closed when their list is finished", async (_, { list: own, ...job }) => {
  const afterwards = site.newPath();
  let context: BrowserContext | undefined;
  const browsers: Browsers = {
    ...engine.browsers,
    async lease(options) {
      const leased = await engine.browsers.lease(options);
      context = leased.context;
      return leased;
    },
  };
  let most = 0;
  let left: number | undefined;
  site.setRoute(afterwards, async (_, response) => {
    // They close while the run goes on.
    for (let round = 0; round < 500 && context?.pages().length !== 1; round += 1) await sleep(10);
    left = context?.pages().length;
    sendHtml(response, "<p>Done</p>");
  });
  const batches = createScraper(browsers)(
    {
      steps: [
        { type: "visit", url: site.url(path) },
        { ...list, ...own },
        { type: "visit", url: site.url(afterwards) },
      ],
      rowsLimit: 100,
      ...job,
    },
    { deadline: Date.now() + 60_000, answerMs: 10_000, onPageLoad: () => {} },
  );
  let rows = 0;
  for await (const batch of batches) {
    most = Math.max(most, context?.pages().length ?? 0);
    rows += batch.rows.length;
  }
  expect(rows).toBe(job.pagination.type === "none" ? 1 : PAGES);
  expect(most).toBeGreaterThan(1);
  expect(left).toBe(1);
});
