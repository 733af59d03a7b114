import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import type { ScrapeJob } from "../../../../functions/scraping/job.ts";
import { items, names, startItemSite } from "./item-site.ts";

/* The time of pages, which jumps ahead while the engine waits for them. */

const { engine, site } = await startItemSite();

/** The timers of one page, and what the run of two such pages may take: less than both of them together. */
const LATE_MS = 55_000;
const PAGES = 2;
const RUN_MS = 105_000;

const list: Step = { type: "get_list", selector: ".item", fields: [{ name: "name" }] };
const scrape = (html: string, more: Partial<ScrapeJob> = {}, deadline?: number) => {
  const path = site.newPath();
  site.setRoute(path, html);
  const steps: Step[] = [{ type: "visit", url: site.url(path) }, list];
  return engine.run({ steps, ...more }, deadline);
};
const rows = JSON.stringify(items(3));
const show = `document.body.insertAdjacentHTML("beforeend", ${rows});`;
/** Rows that differ from those of other pages, which would end the list. */
const showOwn = `document.body.insertAdjacentHTML("beforeend", ${rows}.replaceAll("Item", location.pathname));`;
site.setRoute("/rows", (_, response) => {
  setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end(items(3)), 100);
});
site.setRoute("/events", (_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
});
site.setRoute("/never", () => {});

test.concurrent.each(
  Object.entries({
    "a timer": `setTimeout(() => { ${showOwn} }, ${LATE_MS})`,
    "a chain of timers and requests": `let count = 0;
      const next = async () => {
        const text = await (await fetch("/rows")).text();
        if (++count < 5) setTimeout(next, ${LATE_MS / 5});
        else document.body.innerHTML = text.replaceAll("Item", location.pathname);
      };
      next();`,
    "a timer that waits for a frame": `setTimeout(() => requestAnimationFrame(() => { ${showOwn} }), ${LATE_MS})`,
    "a timer that waits for an idle moment": `setTimeout(() => requestIdleCallback(() => { ${showOwn} }), ${LATE_MS})`,
    "a timer of a frame of the page": `const frame = document.createElement("iframe");
      frame.srcdoc = '<script>setTimeout(() => parent.show(), ${LATE_MS})<' + '/script>';
      document.body.append(frame);
      function show() { ${showOwn} }`,
    "a clock on the page that ticks": `let shown = 0;
      const clock = document.body.appendChild(document.createElement("time"));
      setInterval(() => { clock.textContent = Date.now(); if (++shown === ${LATE_MS / 1_000}) { ${showOwn} } }, 1_000);`,
    "requests again and again": `setInterval(() => fetch("/rows"), ${LATE_MS / 5}); setTimeout(() => { ${showOwn} }, ${LATE_MS})`,
  }),
)("rows that come after %s do not take the time that they say", async (_, script) => {
  const path = site.newPath();
  for (let page = 1; page <= PAGES; page += 1) site.setRoute(path + page, `<body><script>${script}</script>`);
  const pagination = { type: "url_template", url: `${site.url(path)}{page}`, max_pages: PAGES } as const;
  const steps = [{ ...list, timeout_ms: 60_000 } as Step];
  const told = await engine.run({ steps, pagination }, Date.now() + RUN_MS);
  expect(told.failure).toBeUndefined();
  expect(told.outcome).toBe("done");
  expect(told.rows).toHaveLength(3 * PAGES);
});

test.concurrent.each(
  Object.entries({
    "a worker's timer": `const code = "setTimeout(() => postMessage(1), 1500)";
      new Worker(URL.createObjectURL(new Blob([code]))).onmessage = () => { ${show} };`,
    "thirty frames": `let count = 0;
      const frame = () => { if (++count < 30) requestAnimationFrame(frame); else { ${show} } };
      requestAnimationFrame(frame);`,
    "events of a stream that never ends": `new EventSource("/events").onmessage = () => setTimeout(() => { ${show} }, 1500);`,
    "a request that is never answered": `fetch("/never"); setTimeout(() => { ${show} }, 1500);`,
    "a transition": `document.body.style = "transition: opacity 1s; opacity: 1";
      setTimeout(() => { document.body.style.opacity = ".5"; }, 500);
      document.body.addEventListener("transitionend", () => { ${show} });`,
  }),
)("rows that come after %s are waited for", async (_, script) => {
  const told = await scrape(`<body><script>${script}</script>`);
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(3));
});

test.concurrent("a script that waits in a loop until the time has passed", async () => {
  const busy = "const end = Date.now() + 300; while (Date.now() < end);";
  const told = await scrape(`<body><script>setTimeout(() => { ${busy} ${show} }, 200)</script>`);
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(3));
  expect(told.loads).toBe(1);
});

test.concurrent("rows that such a script replaces after three seconds", async () => {
  const busy = "const end = Date.now() + 300; while (Date.now() < end);";
  const replace = `document.querySelector("main").innerHTML = ${JSON.stringify(items(3))};`;
  const told = await scrape(
    `<main>${items(2)}</main><script>setTimeout(() => { ${busy} ${replace} }, 3000)</script>`,
  );
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(3));
});

test.concurrent("the time of a page is left alone where the scraper says so", async () => {
  const late = `<body><script>setTimeout(() => { ${show} }, ${LATE_MS})</script>`;
  const steps: Step[] = [{ ...list, timeout_ms: 2_000 } as Step];
  const pagination = { type: "url_template", url: site.url("/left{page}"), max_pages: 1 } as const;
  site.setRoute("/left1", late);
  const told = await engine.run({ steps, pagination, clock: "real" });
  expect(told.failure).toMatchObject({ code: "element_not_found" });
});

test.concurrent("answers that take their time are waited for at their own speed", async () => {
  site.setRoute("/late", async (_, response) => {
    await sleep(2_500);
    response.writeHead(200, { "content-type": "text/html" }).end(items(3));
  });
  const told = await scrape(
    `<body><script>setTimeout(() => { document.body.innerHTML = "<p>Too late"; }, 60_000);
      fetch("/late").then((response) => response.text()).then((text) => { document.body.innerHTML = text; });</script>`,
  );
  expect(told.rows).toEqual(names(3));
});

test.concurrent("a page may wait in a loop for the time to pass while it is left", async () => {
  const path = site.newPath();
  for (const page of [1, 2, 3])
    site.setRoute(
      path + page,
      `${items(3).replaceAll("Item", `Page ${page}, item`)}<a class=next href="${path}${page + 1}">Next</a>
      <script>onpagehide = () => { const end = Date.now() + 300; while (Date.now() < end); };</script>`,
    );
  const told = await engine.run({
    steps: [{ type: "visit", url: `${site.url(path)}1` }, list],
    pagination: { type: "next_button", selector: ".next", max_pages: 3 },
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows.map(({ name }) => name)).toEqual(
    [1, 2, 3].flatMap((page) => [1, 2, 3].map((item) => `Page ${page}, item ${item}`)),
  );
});
