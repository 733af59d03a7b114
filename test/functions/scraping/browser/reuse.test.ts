import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "@jest/globals";
import { RunFailure } from "../../../../functions/runs/failure.ts";
import { createBrowsers, singleProcessArgs } from "../../../../functions/scraping/browser/browsers.ts";
import type { LeasedBrowser } from "../../../../functions/scraping/browser/leased-browser.ts";
import { cacheFolder } from "../../../../local/data/cache-folder.ts";
import { startSite } from "../../../site/site.ts";
import { browserProcesses, descendants, killRenderers, startEngine } from "../harness.ts";

const site = await startSite();
const create = (args?: readonly string[]) =>
  createBrowsers({
    cacheFolder: cacheFolder(),
    egress: { allowHosts: [site.host] },
    ...(args && { args }),
  });
const browsers = create();
afterAll(async () => {
  await browsers.close();
  await site.close();
});

/** The same process has the same connection to it. */
const isSame = (one: LeasedBrowser, other: LeasedBrowser) => one.browser === other.browser;

test("a browser serves the next run of its account, in a context that has nothing of the run before", async () => {
  let cookie: string | undefined;
  let loads = 0;
  site.setRoute("/visit", (request, response) => {
    cookie = request.headers.cookie;
    response.writeHead(200, { "content-type": "text/html", "set-cookie": "seen=1; max-age=1000" });
    response.end("<script src='/cached.js'></script>");
  });
  site.setRoute("/cached.js", (_, response) => {
    loads += 1;
    response.writeHead(200, { "content-type": "text/javascript", "cache-control": "max-age=1000" }).end();
  });
  const visit = async ({ tab: { page } }: LeasedBrowser) => {
    await page.goto(site.url("/visit"));
    return page.evaluate(() => {
      const before = [localStorage.length, document.cookie, window.name];
      localStorage.setItem("seen", "1");
      window.name = "seen";
      return before;
    });
  };
  // As the service does it, which does not know yet whose run comes.
  browsers.warm();
  const first = await browsers.lease({ account: "a" });
  const empty = await visit(first);
  expect({ cookie, loads }).toEqual({ cookie: undefined, loads: 1 });
  await first.close(true);
  const second = await browsers.lease({ account: "a" });
  expect(isSame(first, second)).toBe(true);
  expect(second.context).not.toBe(first.context);
  expect(await visit(second)).toEqual(empty);
  expect({ cookie, loads }).toEqual({ cookie: undefined, loads: 2 });
  expect(second.egress.proxyUrl).not.toBe(first.egress.proxyUrl);
  await second.close(true);
});

test("no other account gets it, nor a run that needs other options", async () => {
  const first = await browsers.lease({ account: "b" });
  await first.close(true);
  const others = [
    { account: "c" },
    {},
    { account: "b", loadImages: true },
    { account: "b", userAgent: "Another" },
  ];
  for (const options of others) {
    const other = await browsers.lease(options);
    expect(isSame(first, other)).toBe(false);
    await other.close();
  }
  const second = await browsers.lease({ account: "b" });
  expect(isSame(first, second)).toBe(true);
  await second.close();
  const withImages = await browsers.lease({ account: "b", loadImages: true });
  await withImages.close(true);
  const withoutImages = await browsers.lease({ account: "b" });
  expect(isSame(withImages, withoutImages)).toBe(false);
  await withoutImages.close();
  const next = await browsers.lease({ account: "b", loadImages: true });
  expect(isSame(withImages, next)).toBe(true);
  await next.close();
});

test("a run that did not go well, or that left a page behind, ends its browser", async () => {
  const first = await browsers.lease({ account: "d" });
  await first.close();
  expect(first.browser.isConnected()).toBe(false);
  const second = await browsers.lease({ account: "d" });
  await (await second.browser.newContext()).newPage();
  await second.close(true);
  expect(second.browser.isConnected()).toBe(false);
});

test("a browser that has served many runs is replaced", async () => {
  const first = await browsers.lease({ account: "f" });
  let [last, runs] = [first, 1];
  for (; runs < 100; runs += 1) {
    await last.close(true);
    if (!first.browser.isConnected()) break;
    last = await browsers.lease({ account: "f" });
  }
  expect(runs).toBe(20);
});

test("what comes late of a run does not end the next one", async () => {
  const first = await browsers.lease({ account: "e" });
  await first.close(true);
  first.end(new RunFailure("too_large", "late"));
  const second = await browsers.lease({ account: "e" });
  expect(isSame(first, second)).toBe(true);
  expect(second.failure()).toBeUndefined();
  expect(await second.tab.page.evaluate(() => 1 + 1)).toBe(2);
  await second.close();
});

test("a browser of a single process, whose pages share its clock, serves one run", async () => {
  const single = create(singleProcessArgs);
  const leased = await single.lease({ account: "a" });
  await leased.close(true);
  expect(leased.browser.isConnected()).toBe(false);
  await single.close();
});

test("runs share a browser until one fails; a page that crashes gets another", async () => {
  const engine = await startEngine([site.host], { ownBrowsers: true, account: "a" });
  const mainProcesses = () =>
    descendants().flatMap(({ pid, command }) =>
      command.includes("--headless") && !command.includes("--type=") ? [pid] : [],
    );
  const before = mainProcesses();
  const own = () => mainProcesses().filter((pid) => !before.includes(pid));
  let isCrashing = true;
  site.setRoute("/crashing", (_, response) => {
    if (isCrashing) killRenderers();
    else response.writeHead(200, { "content-type": "text/html" }).end("<p>Row");
    isCrashing = false;
  });
  site.setRoute("/list", "<p>Row");
  const run = (path: string) =>
    engine.run({
      steps: [
        { type: "visit", url: site.url(path) },
        { type: "get_list", selector: "p", fields: [{ name: "name" }] },
      ],
    });
  try {
    const told = [await run("/list")];
    const [first] = own();
    told.push(await run("/list"));
    expect(own()).toEqual([first]);
    told.push(await run("/crashing"));
    for (const { rows } of told) expect(rows).toEqual([{ name: "Row" }]);
    const [second] = own();
    expect(second).not.toBe(first);
    expect((await run("/missing")).failure?.code).toBe("http_error");
    // A process that was killed is gone a moment later.
    while (own().length > 0) await sleep(50);
  } finally {
    await engine.close();
  }
});

test("nothing is left when the service stops, also of browsers that wait for a run", async () => {
  const stopping = create();
  const [one, other] = [await stopping.lease({ account: "a" }), await stopping.lease({ account: "b" })];
  await one.close(true);
  await Promise.all([other.close(true), stopping.close()]);
  await browsers.close();
  expect(await browserProcesses()).toEqual([]);
});
