import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import type { Step } from "../../../../functions/contract/steps.ts";
import { sendHtml } from "../../../site/site.ts";
import { items, list, names, startItemSite } from "./item-site.ts";

/* Sites and pages in trouble: what is an error, and what is tried again. */

const { engine, site, brokenOrigin } = await startItemSite();

const visit = (url: string) => engine.run({ steps: [{ type: "visit", url }, list] });

test.concurrent("HTTP 410 with what is no page is named by its status", async () => {
  site.setRoute("/gone", (_, response) => {
    response.writeHead(410, { "content-type": "application/zip" }).end("zip");
  });
  expect((await visit(site.url("/gone"))).failure).toMatchObject({
    code: "http_error",
    message: expect.stringContaining("410"),
    evidence: { url: site.url("/gone") },
  });
});

test.concurrent.each([429, 502, 503])("HTTP %i is tried again, and counted once", async (status) => {
  const path = site.newPath();
  let calls = 0;
  site.setRoute(path, (_, response) => {
    calls += 1;
    if (calls > 1) sendHtml(response, items(2));
    else response.writeHead(status, { "retry-after": "0", "content-type": "text/html" }).end("later");
  });
  const told = await visit(site.url(path));
  expect(told.rows).toEqual(names(2));
  expect(told.loads).toBe(1);
});

test.concurrent("a next page that fails for a moment is loaded again", async () => {
  let calls = 0;
  site.setRoute("/first", `${items(2)}<a class=next href="/second">Next</a>`);
  site.setRoute("/second", (_, response) => {
    calls += 1;
    sendHtml(response, "<p class=item>Item 3</p>", calls > 1 ? 200 : 503);
  });
  const told = await engine.run({
    steps: [{ type: "visit", url: site.url("/first") }, list],
    pagination: { type: "next_button", selector: ".next" },
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(3));
  expect(told.loads).toBe(2);
});

test.concurrent("connections that are cut, redirects without end, other kinds of content", async () => {
  expect((await visit(brokenOrigin)).failure).toMatchObject({ code: "navigation_failed", step: 0 });
  site.setRedirect("/loop", "/loop");
  expect((await visit(site.url("/loop"))).failure).toMatchObject({
    code: "navigation_failed",
    message: expect.stringContaining("redirect"),
  });
  site.setRoute("/json", (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  expect((await visit(site.url("/json"))).failure).toMatchObject({
    code: "not_html",
    message: expect.stringContaining("json"),
  });
  site.setRoute("/nothing", (_, response) => {
    response.writeHead(204).end();
  });
  expect((await visit(site.url("/nothing"))).failure).toMatchObject({
    code: "not_html",
    message: expect.stringContaining("204"),
  });
  const secure = site.url("/x").replace("http:", "https:");
  expect((await visit(secure)).failure).toMatchObject({
    code: "navigation_failed",
    evidence: { url: secure },
  });
});

test.concurrent("a page that breaks off is loaded again, and counted once", async () => {
  let calls = 0;
  site.setRoute("/cut-off", (_, response) => {
    calls += 1;
    if (calls > 1) return sendHtml(response, items(2));
    response.writeHead(200, { "content-type": "text/html", "content-length": "9999" });
    response.write("<title>Lamps</title>", () => setTimeout(() => response.destroy(), 200));
  });
  const told = await visit(site.url("/cut-off"));
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(2));
  expect(told.loads).toBe(1);
});

const text: Step = { type: "get_text", field_name: "name", selector: ".item", timeout_ms: 1_000 };
test.concurrent.each([list, text])(
  "a page that can't be unpacked says nothing of its selectors: %j",
  async (step) => {
    const path = site.newPath();
    site.setRoute(path, (_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(items(2));
    });
    const { failure } = await engine.run({ steps: [{ type: "visit", url: site.url(path) }, step] });
    expect(failure).toMatchObject({ code: "navigation_failed", step: 1 });
  },
);

test.concurrent("a page that is not complete in time says nothing of its selectors", async () => {
  site.setRoute("/never", () => {});
  site.setRoute("/waits", `<h1>Lamps</h1><script src="/never"></script>${items(2)}`);
  expect((await visit(site.url("/waits"))).failure).toMatchObject({ code: "timeout", step: 1 });
});

/** Sends the first three of five items, and breaks off. */
const sendHalf = (response: ServerResponse, half: string) => {
  response.writeHead(200, { "content-type": "text/html", "content-length": "9999" });
  response.write(half, () => setTimeout(() => response.destroy(), 100));
};

test.concurrent.each<["one page" | "pages by their addresses", number]>([
  ["one page", 1],
  ["one page", 2],
  ["pages by their addresses", 1],
  ["pages by their addresses", 2],
])(
  "rows after the point where %s broke off, at page %i, are taken when it comes whole, once each",
  async (kind, broken) => {
    const path = site.newPath();
    const pagination: Pagination =
      kind === "one page"
        ? { type: "none" }
        : { type: "url_template", url: site.url(`${path}?page={page}`), start: 2 };
    const named = (page: string, count: number) =>
      items(count).replaceAll("Item", page === "1" ? "Item" : "Other");
    const calls = new Map<string, number>();
    site.setRoute(path, (request, response) => {
      const page = new URL(request.url ?? "", site.origin).searchParams.get("page") ?? "1";
      calls.set(page, (calls.get(page) ?? 0) + 1);
      if (Number(page) > 2) sendHtml(response, "<p>No more</p>");
      else if (page === String(broken) && calls.get(page) === 1) sendHalf(response, named(page, 3));
      else sendHtml(response, named(page, 5));
    });
    const told = await engine.run({ steps: [{ type: "visit", url: site.url(path) }, list], pagination });
    expect(told.failure).toBeUndefined();
    const others = names(5).map(({ name }) => ({ name: name.replace("Item", "Other") }));
    expect(told.rows).toEqual(kind === "one page" ? names(5) : [...names(5), ...others]);
    // The page that says that there are no more was loaded, too.
    expect(told.loads).toBe(kind === "one page" ? 1 : 3);
  },
);

test.concurrent("a page that breaks off each time gives the rows that it has, and is counted once", async () => {
  site.setRoute("/always", (_, response) => sendHalf(response, items(3)));
  const told = await visit(site.url("/always"));
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(3));
  expect(told.loads).toBe(1);
});

const anyText: Step = { type: "get_text", field_name: "name", selector: ".item", timeout_ms: 60_000 };
// So long that the documents come to their bound before it, on a slow machine too.
const anyList = { ...list, timeout_ms: 60_000 } as Step;
test.concurrent.each<[string, string, number, Step[]]>([
  ["by a refresh", `<meta http-equiv=refresh content="0">`, 30, [anyList]],
  ["by a script", "<script>location.reload()</script>", 30, [anyText]],
  // How many documents come while a step waits is up to the machine.
  [
    "by a script, while a step waits",
    "<script>location.reload()</script>",
    130,
    [{ type: "wait", value: 3_000 }, anyList],
  ],
])("a page that leads to itself without end, %s", async (_, again, most, steps) => {
  const path = site.newPath();
  site.setRoute(path, async (_, response) => {
    // Slower than each document is noticed, on a busy machine too.
    await sleep(100);
    sendHtml(response, `<h1>Wait</h1>${again}`);
  });
  const told = await engine.run({ steps: [{ type: "visit", url: site.url(path) }, ...steps] });
  expect(told.failure).toMatchObject({
    code: "navigation_failed",
    message: expect.stringContaining("keeps navigating"),
  });
  expect(told.loads).toBeLessThan(most);
});

// Alone: a picture is taken in the time that there is for it.
test.each([403, 404, 500])("HTTP %i of the site is named by its status", async (status) => {
  const path = site.newPath();
  site.setRoute(path, (_, response) => sendHtml(response, "<h1>Error</h1>", status));
  const { failure, loads } = await visit(site.url(path));
  expect(failure).toMatchObject({
    code: "http_error",
    step: 0,
    message: expect.stringContaining(String(status)),
  });
  expect(failure?.evidence).toMatchObject({ url: site.url(path), screenshot: expect.anything() });
  expect(loads).toBe(0);
});

// Alone: all requests of the site are looked at.
test.each([590, 999])("HTTP %i is named by its status, and asked for once", async (status) => {
  site.setRoute("/denied", (_, response) => sendHtml(response, "<h1>Denied</h1>", status));
  const { requests } = site;
  const before = requests.length;
  expect((await visit(site.url("/denied"))).failure).toMatchObject({
    code: "http_error",
    message: expect.stringContaining(`HTTP ${status}`),
  });
  expect(requests.slice(before)).toEqual(["/denied"]);
});
