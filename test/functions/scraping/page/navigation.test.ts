import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { sendHtml } from "../../../site/site.ts";
import { items, list, names, startItemSite } from "./item-site.ts";

/* Steps and pages that lead to another page, or to none. */

const { engine, site, brokenOrigin, scrape } = await startItemSite();
site.setRoute("/here", items(2));

test.concurrent("a click that opens a new tab", async () => {
  site.setRoute(
    "/late",
    `<div id=root></div><script>setTimeout(() => { root.innerHTML = ${JSON.stringify(items(3))}; }, 700)</script>`,
  );
  site.setRoute("/opener", `<a target=_blank href="/late">Open</a>`);
  site.setRoute("/opener2", `<button onclick="window.open('/late')">Open</button>`);
  site.setRoute("/opener3", `<button onclick="setTimeout(() => window.open('/late'), 500)">Open</button>`);
  for (const path of ["/opener", "/opener2", "/opener3"]) {
    const told = await scrape(path, { type: "click", field_name: "Open" });
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual(names(3));
    expect(told.loads).toBe(2);
  }
});

test.concurrent("a click that opens a new tab on a slow server", async () => {
  site.setRoute("/slow", (_, response) => {
    setTimeout(() => sendHtml(response, items(2)), 3_000);
  });
  site.setRoute("/slow-opener", `<a target=_blank href="/slow">Open</a>`);
  const told = await scrape("/slow-opener", { type: "click", field_name: "Open" });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(2));
  expect(told.loads).toBe(2);
});

test.concurrent("a click that opens a new tab, after the page has opened one for a download by itself", async () => {
  site.setRoute("/report", (_, response) => {
    response.writeHead(200, { "content-type": "application/zip" }).end("zip");
  });
  site.setRoute("/later", (_, response) => {
    setTimeout(() => sendHtml(response, items(2)), 1_000);
  });
  site.setRoute(
    "/reports",
    `<a target=_blank href="/later">Open</a>${items(3)}<script>window.open("/report")</script>`,
  );
  const told = await scrape(
    "/reports",
    { type: "wait", value: 1_000 },
    { type: "click", field_name: "Open" },
  );
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(2));
});

test.concurrent("a click that opens a new tab for a download, for nothing or for mail stays on its page", async () => {
  site.setRoute("/archive", (_, response) => {
    response.writeHead(200, { "content-type": "application/zip" }).end("zip");
  });
  site.setRoute(
    "/offers",
    `<a target=_blank href="/archive">Archive</a><a target=_blank href="/nothing">Nothing</a><a target=_blank href="mailto:a@b.test">Mail</a>${items(2)}`,
  );
  site.setRoute("/nothing", (_, response) => {
    response.writeHead(204).end();
  });
  const started = Date.now();
  const told = await scrape(
    "/offers",
    { type: "click", field_name: "Archive" },
    { type: "click", field_name: "Nothing" },
    { type: "click", field_name: "Mail" },
  );
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(2));
  expect(told.loads).toBe(1);
  // Each window that the browser does not tell of is waited for half a minute.
  expect(Date.now() - started).toBeLessThan(85_000);
});

test.concurrent.each([
  ["a server that cuts the connection", "Broken", "navigation_failed"],
  ["an address of the inside", "Inside", "blocked_address"],
  ["a server without TLS", "Secure", "navigation_failed"],
])("a click that opens a new tab where no page comes: %s", async (_, field_name, code) => {
  site.setRoute(
    "/dead-ends",
    `<a target=_blank href="${brokenOrigin}/">Broken</a><a target=_blank href="http://169.254.169.254/">Inside</a><a target=_blank href="${brokenOrigin.replace("http:", "https:")}/">Secure</a>`,
  );
  const { failure } = await scrape("/dead-ends", { type: "click", field_name });
  expect(failure).toMatchObject({ code, step: 1 });
  expect(failure?.evidence?.url).toMatch(/^https?:/);
});

test.concurrent.each<[string, Step[]]>([
  ["click", [{ type: "click", field_name: "Go", timeout_ms: 3_000 }]],
  ["submit", [{ type: "write_input", value: "x", submit: true, timeout_ms: 3_000 }]],
  [
    "press",
    [
      { type: "click", selector: "input" },
      { type: "press_key", value: "Enter", timeout_ms: 3_000 },
    ],
  ],
])("a %s waits for the page that it leads to, longer than for its element", async (_, steps) => {
  const path = site.newPath();
  site.setRoute(path, "<h1>Form</h1><form action=/answer><input name=q><button>Go</button></form>");
  site.setRoute("/answer", async (_, response) => {
    await sleep(4_000);
    sendHtml(response, "<h1>Answer</h1>");
  });
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      ...steps,
      { type: "get_text", field_name: "title", selector: "h1" },
    ],
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual([{ title: "Answer" }]);
  expect(told.loads).toBe(2);
});

test.concurrent("redirects, a meta refresh and a script's redirect", async () => {
  site.setRedirect("/r1", "/r2");
  site.setRedirect("/r2", "/here");
  site.setRoute("/meta", `<meta http-equiv=refresh content="0;url=/here">`);
  site.setRoute("/js", `<script>location.replace("/here")</script>`);
  for (const path of ["/r1", "/meta", "/js"]) expect((await scrape(path)).rows).toEqual(names(2));
});

test.concurrent("client-side routing is no page load", async () => {
  site.setRoute(
    "/spa",
    `<a href="/spa/list" onclick="event.preventDefault(); history.pushState({}, '', this.href); setTimeout(() => { main.innerHTML = ${items(
      2,
    )
      .replaceAll('"', "'")
      .replaceAll("<", "&lt;")
      .replace(/^/, "`")
      .replace(/$/, "`")} }, 100)">List</a><main id=main></main>`,
  );
  const told = await scrape("/spa", { type: "click", field_name: "List" });
  expect(told.rows).toEqual(names(2));
  expect(told.loads).toBe(1);
});

test.concurrent("dialogs, beforeunload and downloads", async () => {
  site.setRoute(
    "/dialogs",
    `<script>alert("hi"); onbeforeunload = (event) => { event.preventDefault(); event.returnValue = "stay"; };</script>
    <button onclick="if (confirm('sure?')) document.body.insertAdjacentHTML('beforeend', '<a href=/here>On</a>')">Ask</button><a href="/file">File</a>`,
  );
  site.setRoute("/file", (_, response) => {
    response
      .writeHead(200, {
        "content-type": "application/zip",
        "content-disposition": "attachment; filename=a.zip",
      })
      .end("zip");
  });
  const told = await scrape(
    "/dialogs",
    { type: "click", field_name: "File" },
    { type: "click", field_name: "Ask" },
    { type: "click", field_name: "On" },
  );
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(2));
  const file = await engine.run({ steps: [{ type: "visit", url: site.url("/file") }] });
  expect(file.failure).toMatchObject({ code: "not_html" });
});

test.concurrent("a question that a list's control asks is answered with OK", async () => {
  site.setRoute(
    "/question",
    `${items(2)}<button id=next onclick="if (confirm('Leave this page?')) location = '/rest'">Next</button>`,
  );
  site.setRoute("/rest", items(3));
  const told = await engine.run({
    steps: [{ type: "visit", url: site.url("/question") }, list],
    pagination: { type: "next_button", selector: "#next", max_pages: 2 },
  });
  expect(told).toMatchObject({ failure: undefined, warnings: [], loads: 2 });
  expect(told.rows).toEqual([...names(2), ...names(3)]);
});

test.concurrent("a question that no step caused is answered with Cancel, and warned of", async () => {
  site.setRoute(
    "/asks",
    `${items(2)}<script>if (confirm("Open our app?")) location = "/elsewhere"; prompt("Your name?");</script>`,
  );
  const told = await engine.run({ steps: [{ type: "visit", url: site.url("/asks") }, list] });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(2));
  expect(told.warnings).toMatchObject([
    { code: "dialog_cancelled", message: expect.stringContaining('"Open our app?"') },
  ]);
});

test.concurrent.each([
  ["an input that a script resets", 'setTimeout(() => { q.value = ""; q.oninput = show; }, 800)'],
  [
    "an input that a script replaces",
    "setTimeout(() => { const other = q.cloneNode(); q.replaceWith(other); other.oninput = show; }, 600)",
  ],
  [
    "an input that a script takes care of after data",
    'fetch("/here").then(() => setTimeout(() => { q.oninput = show; }, 500))',
  ],
])("a step waits for a page's first timers: %s", async (_, script) => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<input id=q aria-label=Search><div id=list>${items(1)}</div>
     <script>const show = ({ target }) => { list.innerHTML = '<p class=item>' + target.value + '</p>'; }; ${script}</script>`,
  );
  const told = await scrape(path, { type: "write_input", field_name: "Search", value: "lamp" });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual([{ name: "lamp" }]);
});

const consent = (id: string) =>
  `<div id=consent style="position:fixed;inset:0;background:#fff" ${id}>Cookies? <button onclick="consent.remove()">Accept all</button></div>`;

test.concurrent("a covered element is told as such; an optional click uncovers it", async () => {
  site.setRoute("/consent", `${consent("")}<button onclick="location = '/here'">Products</button>`);
  const covered = await scrape("/consent", { type: "click", field_name: "Products", timeout_ms: 2_000 });
  expect(covered.failure).toMatchObject({ code: "element_covered", step: 1 });
  const told = await scrape(
    "/consent",
    { type: "click", field_name: "Accept all", optional: true },
    { type: "click", field_name: "No such banner", optional: true, timeout_ms: 200 },
    { type: "click", field_name: "Products" },
  );
  expect(told.rows).toEqual(names(2));
});

test.concurrent("a covered element is told as such, however long the tag that covers it is", async () => {
  site.setRoute("/long-tag", `${consent(`class="${"fixed inset-0 ".repeat(12)}"`)}<button>Products</button>`);
  const { failure } = await scrape("/long-tag", { type: "click", field_name: "Products", timeout_ms: 2_000 });
  expect(failure).toMatchObject({ code: "element_covered", step: 1 });
  expect(failure?.message).toMatch(/is covered by <div .{100,120}…\. Close/);
});

test.concurrent("a covered link with an address is followed by it", async () => {
  site.setRoute("/covered-link", `${consent("")}<a href="/here"><b>Products</b></a><a href="#">Menu</a>`);
  const click = (field_name: string) => ({ type: "click", field_name, timeout_ms: 2_000 }) as const;
  expect(await scrape("/covered-link", click("Products"))).toMatchObject({
    failure: undefined,
    rows: names(2),
  });
  const menu = await scrape("/covered-link", click("Menu"));
  expect(menu.failure).toMatchObject({ code: "element_covered", step: 1 });
});
