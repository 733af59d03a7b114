import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { BrowserContext } from "playwright-core";
import type { StepOf } from "../../../../functions/contract/steps/steps.ts";
import type { Browsers } from "../../../../functions/scraping/browser/browsers.ts";
import { createScraper } from "../../../../functions/scraping/engine.ts";
import type { ReadingEngine } from "../../../../functions/scraping/job.ts";
import type { Tab } from "../../../../functions/scraping/page/tab.ts";
import { createTabPool } from "../../../../functions/scraping/page/tab-pool.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/** A tab, and whether it is open. */
function fakeTab() {
  const tab = {
    isOpen: true,
    async close() {
      tab.isOpen = false;
    },
    async holdLayout() {},
  };
  return tab as typeof tab & Tab;
}

function fakePool() {
  const opening: PromiseWithResolvers<Tab>[] = [];
  const session = {
    politeness: { concurrency: 2 },
    tab: fakeTab(),
    newTab() {
      const tab = Promise.withResolvers<Tab>();
      opening.push(tab);
      return tab.promise;
    },
  };
  /** The tabs, once they are open. */
  const open = () =>
    opening.splice(0).map(({ resolve }) => {
      const tab = fakeTab();
      resolve(tab);
      return tab;
    });
  return { pool: createTabPool(session, true), session, open };
}

test("tabs are opened up to the limit, then whoever needs one waits", async () => {
  const { pool, open } = fakePool();
  const acquired = [pool.acquire(), pool.acquire()];
  const waiting = pool.acquire();
  const [one, other] = open();
  expect(await Promise.all(acquired)).toEqual([one, other]);
  pool.release(other as Tab);
  expect(await waiting).toBe(other);
});

test("all tabs are closed with their pool: those that are free, in use, on their way to their user, or still opening", async () => {
  const { pool, session, open } = fakePool();
  const first = pool.acquire();
  const [used] = open();
  await first;
  const [left, before] = [session.tab, fakeTab()];
  const acquiring = pool.acquire();
  // The session goes on in a tab of the pool, which gets the one that it leaves.
  pool.release(before);
  session.tab = used as typeof left;
  pool.release(left);
  pool.close();
  const [late] = open();
  await acquiring;
  expect([used, left, before, late].map((tab) => tab?.isOpen)).toEqual([true, false, false, false]);
});

test("who waits for a tab is told when the pool is closed", async () => {
  const { pool, open } = fakePool();
  const acquired = [pool.acquire(), pool.acquire()];
  const waiting = pool.acquire();
  pool.close();
  await expect(waiting).rejects.toThrow("The list has ended");
  await expect(pool.acquire()).rejects.toThrow("The list has ended");
  const tabs = open();
  await Promise.all(acquired);
  expect(tabs.map(({ isOpen }) => isOpen)).toEqual([false, false]);
});

const { engine, site } = await startEngineAndSite();
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

interface Case {
  list?: Partial<StepOf<"get_list">>;
  engine?: ReadingEngine;
}

const cases: [name: string, job: Case][] = [
  ["details by HTTP", { list: { details }, engine: "http" }],
  ["pages ahead of a next button", {}],
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
    for (let round = 0; round < 3_000 && context?.pages().length !== 1; round += 1) await sleep(10);
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
      pagination: { type: "next_button", selector: ".next" },
      ...job,
    },
    { deadline: Date.now() + 60_000, answerMs: 10_000, onPageLoad: () => {} },
  );
  let rows = 0;
  for await (const batch of batches) {
    most = Math.max(most, context?.pages().length ?? 0);
    rows += batch.rows.length;
  }
  expect(rows).toBe(PAGES);
  expect(most).toBeGreaterThan(1);
  expect(left).toBe(1);
});
