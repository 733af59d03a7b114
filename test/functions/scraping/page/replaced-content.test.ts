import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { createBudget } from "../../../../functions/scraping/budget.ts";
import { readFields } from "../../../../functions/scraping/page/page-fields.ts";
import type { Tab } from "../../../../functions/scraping/page/tab.ts";
import { items, names, list as quickList, startItemSite } from "./item-site.ts";

/* Documents without scripts of their own that something else changes or replaces after they were loaded. */

const { engine, site } = await startItemSite();

/** On a loaded machine, documents that replace one another take their time. */
const list = { ...quickList, timeout_ms: 30_000 };
const OLD = items(3).replaceAll("Item", "Old");
const SHOW = `innerHTML = ${JSON.stringify(items(3))}`;
const later = (code: string) => `<script>setTimeout(() => { ${code} }, 1000)</script>`;
const swap = later("document.querySelector('iframe').src = '/slow'");
site.setRoute("/old", OLD);
site.setRoute("/slow", (_, response) => {
  setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end(items(3)), 700);
});
site.setRoute("/refreshed", `<meta http-equiv=refresh content="1;url=/slow">${OLD}`);
site.setRoute("/refreshed-by-header", (_, response) => {
  response.writeHead(200, { "content-type": "text/html", refresh: "1;url=/slow" }).end(OLD);
});
site.setRoute("/swapped", `<iframe src=/old></iframe>${swap}`);
const changes = `<div>${OLD}</div>${later(`document.querySelector("div").${SHOW}`)}`;
site.setRoute("/changes", changes.replace("1000", "2000"));
site.setRoute("/again", `<meta http-equiv=refresh content="1;url=/changes">${OLD}`);
site.setRoute("/again-inside", `<iframe src=/old></iframe>${swap.replace("/slow", "/changes")}`);
site.setRoute("/given-an-address", `<iframe></iframe>${swap}`);
site.setRoute("/refreshed-inside", "<iframe src=/refreshed></iframe>");
site.setRoute(
  "/changed-inside",
  `<iframe src=/old></iframe>${later(`document.querySelector('iframe').contentDocument.body.${SHOW}`)}`,
);
site.setRoute("/changed-from-inside", `<div>${OLD}</div><iframe src=/changes-parent></iframe>`);
site.setRoute("/changes-parent", later(`parent.document.querySelector('div').${SHOW}`));
site.setRoute(
  "/shadow",
  `<x-list><template shadowrootmode=open><div>${OLD}</div></template></x-list>
  ${later(`document.querySelector('x-list').shadowRoot.querySelector('div').${SHOW}`)}`,
);

for (const pause of [1_500, 2_500]) {
  const path = `/paused-${pause}`;
  site.setRoute(path, async (_, response) => {
    const [first, ...others] = items(3).split(/(?=<p)/);
    response.writeHead(200, { "content-type": "text/html" }).write(`${first}${" ".repeat(2_000)}`);
    await sleep(pause);
    response.end(others.join(""));
  });
  site.setRoute(`${path}-later`, `<meta http-equiv=refresh content="1;url=${path}">${OLD}`);
}

test.concurrent.each([
  ["a page that is replaced by one that arrives in parts", "/paused-1500-later"],
  ["a page that is replaced by one that arrives in parts, late", "/paused-2500-later"],
  ["a page that replaces itself", "/refreshed"],
  ["a page that is replaced by a header of its response", "/refreshed-by-header"],
  ["a page that the script of a frame changes", "/changed-from-inside"],
  ["a frame that the page around it replaces", "/swapped", "iframe"],
  ["a frame that the page around it gives an address", "/given-an-address", "iframe"],
  ["a frame that the page around it changes", "/changed-inside", "iframe"],
  ["a frame that replaces itself", "/refreshed-inside", "iframe"],
  ["a page that is replaced by the same one, which changes", "/again"],
  ["a frame that is replaced by the same one, which changes", "/again-inside", "iframe"],
  ["a shadow root", "/shadow"],
])("a list is read as it is in the end: in %s", async (_, path, frame = "") => {
  for (const selector of [".item", ".item:visible"]) {
    const told = await engine.run({
      steps: [{ type: "visit", url: site.url(path) }, { ...list, selector, ...(frame && { frame }) } as Step],
    });
    expect(told.rows).toEqual(names(3));
  }
});

site.setRoute("/sign-in", "<h1>Sign in</h1>");
// The list is there for three seconds: it has to be read before.
site.setRoute("/expired", `${items(3)}<meta http-equiv=refresh content="3;url=/sign-in">`);
const EXPIRES = [
  ["/expired-by-script", items(3), later("location.replace('/sign-in')")],
  ["/expired-inside", "<iframe src=/old></iframe>", swap.replace("/slow", "/sign-in")],
] as const;
for (const [path, list, script] of EXPIRES) site.setRoute(path, list + script.replace("1000", "3000"));

test.concurrent.each([
  ["by itself", "/expired", "Item"],
  ["by a script", "/expired-by-script", "Item"],
  ["in a frame", "/expired-inside", "Old", "iframe"],
])(
  "a run warns of a list whose page is replaced by one without it: %s",
  async (_, path, name, frame = "") => {
    for (const selector of [".item", ".item:visible"]) {
      const told = await engine.run({
        steps: [
          { type: "visit", url: site.url(path) },
          { ...list, selector, ...(frame && { frame }) } as Step,
        ],
      });
      expect(told.rows).toEqual([1, 2, 3].map((n) => ({ name: `${name} ${n}` })));
      expect(told.warnings).toMatchObject([
        {
          code: "rows_may_be_missing",
          message: expect.stringContaining("a document without the list"),
          step: 1,
        },
      ]);
    }
  },
);

test.concurrent.each([
  ["for good", "", [1, 2, 3].map((n) => ({ name: `Old ${n}` })), [{ code: "rows_may_be_missing", step: 1 }]],
  ["and shows it again", `setTimeout(() => { list.${SHOW} }, 3_000);`, names(3), []],
])("a script removes a list after it was read, %s", async (_, then, rows, warnings) => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<div id=list>${OLD}</div>${later(`list.innerHTML = "<p>No results</p>"; ${then}`)}`.replace(
      "setTimeout",
      "const list = document.querySelector('#list'); setTimeout",
    ),
  );
  for (const selector of [".item", ".item:visible"]) {
    const told = await engine.run({
      steps: [{ type: "visit", url: site.url(path) }, { ...list, selector } as Step],
    });
    expect(told.rows).toEqual(rows);
    expect(told.warnings).toMatchObject(warnings);
  }
});

const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

test.concurrent.each([
  [
    "whose first pages check the browser, and load again",
    (n: number, cookie: string) =>
      cookie.includes("checked=1")
        ? `<h1>Item ${n}</h1><b>${n} EUR</b>`
        : `<h1>Checking</h1><b>0 EUR</b>${later("document.cookie = 'checked=1; path=/'; location.reload()")}`,
  ],
  [
    "that are filled when they come into view",
    (n: number) => `<h1>Item ${n}</h1><p style="height: 3000px"></p><b>Loading…</b><script>
      const price = document.querySelector("b");
      new IntersectionObserver(([entry]) => { if (entry.isIntersecting) price.textContent = "${n} EUR"; }).observe(price);
      </script>`,
  ],
  [
    "that are filled by a script which the pages before them do not have",
    (n: number) => {
      if (n < 4) return `<h1>Item ${n}</h1><b>${n} EUR</b>`;
      if (n < 7) return `<h1>Item ${n}</h1><b>${n} EUR</b><script>document.title = "Item";</script>`;
      return `<h1>Item ${n}</h1><b>0 EUR</b>${later(`document.querySelector("b").textContent = "${n} EUR"`)}`;
    },
  ],
])("details are read as they are in the end: %s", async (_, page) => {
  const path = site.newPath();
  site.setRoute(path, numbers.map((n) => `<a class=item href="${path}/${n}">Item ${n}</a>`).join(""));
  for (const n of numbers)
    site.setRoute(`${path}/${n}`, (request, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(page(n, request.headers.cookie ?? ""));
    });
  const fields = [{ name: "url", attribute: "href" }];
  for (const price of ["b", "b:visible"]) {
    const shown = [
      { name: "title", selector: "h1" },
      { name: "price", selector: price },
    ];
    const step = { ...list, fields, details: { url_field: "url", fields: shown } } as Step;
    const told = await engine.run({ steps: [{ type: "visit", url: site.url(path) }, step] });
    expect(told.rows).toEqual(
      numbers.map((n) => ({ url: site.url(`${path}/${n}`), title: `Item ${n}`, price: `${n} EUR` })),
    );
  }
});

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
