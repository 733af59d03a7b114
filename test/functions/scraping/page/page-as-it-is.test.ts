import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import type { Step } from "../../../../functions/contract/steps.ts";
import { type Site, sendHtml, startSite } from "../../../site/site.ts";
import { type Engine, startEngine } from "../harness.ts";

let engine: Engine;
let site: Site;
let broken: Server;
let brokenOrigin: string;
beforeAll(async () => {
  site = await startSite();
  // Accepts connections and cuts them: a server in trouble.
  broken = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
  const { port } = broken.address() as AddressInfo;
  brokenOrigin = `http://127.0.0.1:${port}`;
  engine = await startEngine([site.host, site.host.replace("127.0.0.1", "localhost"), `127.0.0.1:${port}`]);
});
afterAll(async () => {
  await engine.close();
  await site.close();
  broken.close();
});

const items = (count: number) =>
  Array.from({ length: count }, (_, n) => `<p class=item>Item ${n + 1}</p>`).join("");
const list: Step = { type: "get_list", selector: ".item", fields: [{ name: "name" }], timeout_ms: 3_000 };
const scrape = (path: string, ...steps: Step[]) =>
  engine.run({ steps: [{ type: "visit", url: site.url(path) }, ...steps, list] });
const names = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `Item ${n + 1}` }));

describe("lists", () => {
  test("one that is rendered late", async () => {
    site.setRoute(
      "/late",
      `<div id=root></div><script>setTimeout(() => { root.innerHTML = ${JSON.stringify(items(3))}; }, 700)</script>`,
    );
    expect((await scrape("/late")).rows).toEqual(names(3));
  });

  test("one in shadow roots, with fields in shadow roots of their own", async () => {
    site.setRoute(
      "/shadow",
      `<x-list></x-list><script>
      customElements.define("x-item", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<b class=name>" + this.getAttribute("n") + "</b>"; } });
      customElements.define("x-list", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<x-item class=row n=One></x-item><x-item class=row n=Two></x-item>"; } });
      </script>`,
    );
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url("/shadow") },
        { type: "get_list", selector: ".row", fields: [{ name: "name", selector: ".name" }] },
      ],
    });
    expect(told.rows).toEqual([{ name: "One" }, { name: "Two" }]);
  });

  test("many rows say what few of them say, where selectors match the rows too, and cells are absent or nested", async () => {
    const row = (n: number) =>
      `<div class=item>${n % 7 === 0 ? "" : `<section><div>Name ${n}</div><div>Other ${n}</div></section>`}${n % 5 === 0 ? `<b>${n}</b>` : ""}</div><div>Between</div>`;
    const rows = Array.from({ length: 600 }, (_, n) => row(n));
    site.setRoute("/many", rows.join(""));
    site.setRoute("/few", rows.slice(0, 100).join(""));
    const take = async (path: string) => {
      const told = await engine.run({
        steps: [
          { type: "visit", url: site.url(path) },
          {
            type: "get_list",
            selector: ".item",
            fields: [
              { name: "first", selector: "div" },
              { name: "bold", selector: "b" },
            ],
          },
        ],
      });
      return told.rows;
    };
    const [many, few] = [await take("/many"), await take("/few")];
    expect(few).toHaveLength(100);
    expect(many).toHaveLength(600);
    expect(many.slice(0, 100)).toEqual(few);
    expect(many[1]).toEqual({ first: "Name 1" });
    expect(many[35]).toEqual({ bold: "35" });
  });

  test("one in an iframe, and one in an iframe of another site", async () => {
    site.setRoute("/inner", items(2));
    site.setRoute(
      "/outer",
      `<iframe id=f src="/inner"></iframe><iframe id=g src="${site.origin.replace("127.0.0.1", "localhost")}/inner"></iframe>`,
    );
    for (const frame of ["#f", "#g"]) {
      const told = await engine.run({
        steps: [{ type: "visit", url: site.url("/outer") }, { ...list, frame } as Step],
      });
      expect(told.failure).toBeUndefined();
      expect(told.rows).toEqual(names(2));
    }
  });

  test("one that waits for its images, where the scraper asks for them", async () => {
    const image = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
    site.setRoute("/image", (_, response) => {
      response.writeHead(200, { "content-type": "image/gif" }).end(image);
    });
    site.setRoute(
      "/gallery",
      `<div id=root></div><img src="/image" onload='root.innerHTML = ${JSON.stringify(items(2))}'>`,
    );
    const steps: Step[] = [
      { type: "visit", url: site.url("/gallery") },
      { ...list, timeout_ms: 1_000 } as Step,
    ];
    expect((await engine.run({ steps })).failure).toMatchObject({ code: "element_not_found" });
    expect(site.requests).not.toContain("/image");
    expect((await engine.run({ steps, loadImages: true })).rows).toEqual(names(2));
    expect(site.requests).toContain("/image");
  });

  test("one in a sandbox where no script runs, at once, late, to its end, and not there", async () => {
    const policy = "sandbox; default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
    site.setRoute("/sandbox", (_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy });
      response.write("<h1>Lamps</h1>");
      setTimeout(() => response.end(items(2)), 800);
    });
    site.setRoute("/sandboxed", `<iframe id=f sandbox src="/sandbox"></iframe>`);
    const take = (path: string, more: object, pagination: Pagination = { type: "none" }) =>
      engine.run({
        steps: [{ type: "visit", url: site.url(path) }, { ...list, ...more } as Step],
        pagination,
      });
    expect((await take("/sandbox", {})).rows).toEqual(names(2));
    expect((await take("/sandboxed", { frame: "#f" })).rows).toEqual(names(2));
    const scrolled = await take("/sandbox", {}, { type: "infinite_scroll" });
    expect(scrolled.failure).toBeUndefined();
    expect(scrolled.rows).toEqual(names(2));
    for (const [path, more] of [
      ["/sandbox", {}],
      ["/sandboxed", { frame: "#f" }],
    ] as const) {
      const { failure } = await take(path, { selector: ".none", ...more });
      expect(failure).toMatchObject({ code: "element_not_found", step: 1 });
    }
  });

  test("selectors of other kinds", async () => {
    site.setRoute(
      "/kinds",
      `<section><h2>Sold</h2>${items(1)}</section><section><h2>New</h2>${items(2)}</section>`,
    );
    for (const selector of [
      "xpath=//section[h2='New']/p",
      "section:has-text('New') >> .item",
      "section:has(h2:text-is('New')) .item",
    ]) {
      const told = await engine.run({
        steps: [{ type: "visit", url: site.url("/kinds") }, { ...list, selector } as Step],
      });
      expect(told.failure).toBeUndefined();
      expect(told.rows).toEqual(names(2));
    }
    const bad = await engine.run({
      steps: [{ type: "visit", url: site.url("/kinds") }, { ...list, selector: "p[" } as Step],
    });
    expect(bad.failure).toMatchObject({ code: "invalid_step", step: 1 });
  });

  test("fields that are counted, that stand behind their row, and around it", async () => {
    site.setRoute(
      "/behind",
      `<dl id=first><dt class=item>One <b>a</b><b>b</b></dt><dd>1</dd></dl>
      <dl id=second><dt class=item>Two <b>c</b><b>d</b></dt><dd>2</dd><dd>3</dd></dl>`,
    );
    const fields = [
      { name: "counted", selector: "b >> nth=1" },
      { name: "next", selector: "+ dd" },
      { name: "last", selector: ":scope ~ dd:last-child" },
      { name: "id", selector: "..", attribute: "id" },
    ];
    const scrapeFields = (...wanted: typeof fields) =>
      engine.run({
        steps: [
          { type: "visit", url: site.url("/behind") },
          { type: "get_list", selector: ".item", fields: wanted },
        ],
      });
    const rows = [
      { counted: "b", next: "1", last: "1", id: "first" },
      { counted: "d", next: "2", last: "3", id: "second" },
    ];
    expect((await scrapeFields(...fields)).rows).toEqual(rows);
    expect((await scrapeFields(...fields.slice(1))).rows).toEqual(
      rows.map(({ counted: _, ...others }) => others),
    );
  });

  test("a field that Playwright has to find visible", async () => {
    site.setRoute("/twice", "<p class=item><b hidden>Old price</b><b>Price</b>");
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url("/twice") },
        { type: "get_list", selector: ".item", fields: [{ name: "name", selector: "b:visible" }] },
      ],
    });
    expect(told.rows).toEqual([{ name: "Price" }]);
  });

  test("text, html, attributes and absolute addresses; what is missing is left out", async () => {
    site.setRoute(
      "/values",
      `<base href="/shop/"><div class=item data-sku="7"><a href="../p?x=1#y"> A  <b>lamp</b> </a><img src="i.png"></div>`,
    );
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url("/values") },
        {
          type: "get_list",
          selector: ".item",
          fields: [
            { name: "text", selector: "a" },
            { name: "html", selector: "a", attribute: "html" },
            { name: "href", selector: "a", attribute: "href" },
            { name: "src", selector: "img", attribute: "src" },
            { name: "sku", attribute: "data-sku" },
            { name: "price", selector: ".price" },
            { name: "rel", selector: "a", attribute: "rel" },
          ],
        },
      ],
    });
    expect(told.rows).toEqual([
      {
        text: "A lamp",
        html: " A  <b>lamp</b> ",
        href: site.url("/p?x=1#y"),
        src: site.url("/shop/i.png"),
        sku: "7",
      },
    ]);
  });

  test("an answer that comes in pieces, with pauses between its rows and before its next link", async () => {
    site.setRoute("/pieces", async (_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).write("<p class=item>Item 1</p>");
      await sleep(1_600);
      response.write("<p class=item>Item 2</p>");
      await sleep(3_600);
      response.end("<a class=next href=/pieces2>Next</a>");
    });
    site.setRoute("/pieces2", "<p class=item>Item 3</p>");
    const told = await engine.run({
      steps: [{ type: "visit", url: site.url("/pieces") }, { ...list, timeout_ms: 10_000 } as Step],
      pagination: { type: "next_button", selector: ".next" },
    });
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual(names(3));
  });

  test("an answer that never ends", async () => {
    site.setRoute("/endless", (_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).write(items(5));
    });
    expect((await scrape("/endless")).rows).toEqual(names(5));
  });

  test("an old list is not taken for the new one that a step brings", async () => {
    site.setRoute(
      "/search",
      `<input aria-label=Search><div id=out>${items(3)}</div><script>
      document.querySelector("input").oninput = (event) => { clearTimeout(window.t); window.t = setTimeout(async () => {
        const text = await (await fetch("/find?q=" + event.target.value)).text(); document.getElementById("out").innerHTML = text; }, 250); };</script>`,
    );
    site.setRoute("/find", (_, response) => {
      setTimeout(() => sendHtml(response, "<p class=item>Found</p>"), 200);
    });
    const told = await scrape("/search", { type: "write_input", field_name: "Search", value: "lamp" });
    expect(told.rows).toEqual([{ name: "Found" }]);
  });

  test("an old value is not taken for the one that comes with data, or with the page that these lead to", async () => {
    const answers = { "/here-then": "heading.textContent = 'New'", "/there-then": "location = '/new'" };
    site.setRoute("/new", "<h1 id=heading>New</h1>");
    site.setRoute("/data", async (_, response) => {
      await sleep(600);
      sendHtml(response, "{}");
    });
    for (const [path, then] of Object.entries(answers)) {
      site.setRoute(
        path,
        `<h1 id=heading>Old</h1><button onclick="fetch('/data').then(() => { ${then} })">Go</button>`,
      );
      const told = await engine.run({
        steps: [
          { type: "visit", url: site.url(path) },
          { type: "click", field_name: "Go" },
          { type: "get_text", field_name: "title", selector: "h1" },
        ],
      });
      expect(told.failure).toBeUndefined();
      expect(told.rows).toEqual([{ title: "New" }]);
    }
  });

  test("a page that goes at the very end of a wait for its list leaves it to the next one", async () => {
    site.setRoute("/went", items(2));
    site.setRoute(
      "/going",
      `${items(1)}<button onclick="setTimeout(() => { location = '/went'; }, 100)">Go</button><script>
      onpagehide = () => { const end = Date.now() + 1000; while (Date.now() < end); };</script>`,
    );
    const told = await scrape("/going", { type: "click", field_name: "Go" });
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual(names(2));
  });
});

describe("pages that lead elsewhere", () => {
  test("a click that opens a new tab", async () => {
    site.setRoute("/opener", `<a target=_blank href="/late">Open</a>`);
    site.setRoute("/opener2", `<button onclick="window.open('/late')">Open</button>`);
    for (const path of ["/opener", "/opener2"]) {
      const told = await scrape(path, { type: "click", field_name: "Open" });
      expect(told.failure).toBeUndefined();
      expect(told.rows).toEqual(names(3));
      expect(told.loads).toBe(2);
    }
  });

  test("a click that opens a new tab on a slow server", async () => {
    site.setRoute("/slow", (_, response) => {
      setTimeout(() => sendHtml(response, items(2)), 3_000);
    });
    site.setRoute("/slow-opener", `<a target=_blank href="/slow">Open</a>`);
    const told = await scrape("/slow-opener", { type: "click", field_name: "Open" });
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual(names(2));
    expect(told.loads).toBe(2);
  });

  test("a click that opens a new tab for a download or for mail stays on its page", async () => {
    site.setRoute("/archive", (_, response) => {
      response.writeHead(200, { "content-type": "application/zip" }).end("zip");
    });
    site.setRoute(
      "/offers",
      `<a target=_blank href="/archive">Archive</a><a target=_blank href="mailto:a@b.test">Mail</a>${items(2)}`,
    );
    const told = await scrape(
      "/offers",
      { type: "click", field_name: "Archive" },
      { type: "click", field_name: "Mail" },
    );
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual(names(2));
    expect(told.loads).toBe(1);
  });

  test("a click that opens a new tab where no page comes", async () => {
    site.setRoute(
      "/dead-ends",
      `<a target=_blank href="${brokenOrigin}/">Broken</a><a target=_blank href="http://169.254.169.254/">Inside</a><a target=_blank href="${brokenOrigin.replace("http:", "https:")}/">Secure</a>`,
    );
    for (const [field_name, code] of [
      ["Broken", "navigation_failed"],
      ["Inside", "blocked_address"],
      ["Secure", "navigation_failed"],
    ] as const) {
      const { failure } = await scrape("/dead-ends", { type: "click", field_name });
      expect(failure).toMatchObject({ code, step: 1 });
      expect(failure?.evidence?.url).toMatch(/^https?:/);
    }
  });

  test.each<[string, Step[]]>([
    ["click", [{ type: "click", field_name: "Go", timeout_ms: 300 }]],
    ["submit", [{ type: "write_input", value: "x", submit: true, timeout_ms: 300 }]],
    [
      "press",
      [
        { type: "click", selector: "input" },
        { type: "press_key", value: "Enter", timeout_ms: 300 },
      ],
    ],
  ])("a %s waits for the page that it leads to, longer than for its element", async (_, steps) => {
    site.setRoute("/form", "<h1>Form</h1><form action=/answer><input name=q><button>Go</button></form>");
    site.setRoute("/answer", async (_, response) => {
      await sleep(1_500);
      sendHtml(response, "<h1>Answer</h1>");
    });
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url("/form") },
        ...steps,
        { type: "get_text", field_name: "title", selector: "h1" },
      ],
    });
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual([{ title: "Answer" }]);
    expect(told.loads).toBe(2);
  });

  test("redirects, a meta refresh and a script's redirect", async () => {
    site.setRoute("/here", items(2));
    site.setRedirect("/r1", "/r2");
    site.setRedirect("/r2", "/here");
    site.setRoute("/meta", `<meta http-equiv=refresh content="0;url=/here">`);
    site.setRoute("/js", `<script>location.replace("/here")</script>`);
    for (const path of ["/r1", "/meta", "/js"]) expect((await scrape(path)).rows).toEqual(names(2));
  });

  test("client-side routing is no page load", async () => {
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

  test("dialogs, beforeunload and downloads", async () => {
    site.setRoute(
      "/dialogs",
      `<script>alert("hi"); onbeforeunload = (event) => { event.preventDefault(); event.returnValue = "stay"; };</script>
      <button onclick="if (!confirm('sure?')) document.body.insertAdjacentHTML('beforeend', '<a href=/here>On</a>')">Ask</button><a href="/file">File</a>`,
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

  test("a covered element is told as such; an optional click uncovers it", async () => {
    site.setRoute(
      "/consent",
      `<div id=consent style="position:fixed;inset:0;background:#fff">Cookies? <button onclick="consent.remove()">Accept all</button></div><a href="/here">Products</a>`,
    );
    const covered = await scrape("/consent", { type: "click", field_name: "Products", timeout_ms: 600 });
    expect(covered.failure).toMatchObject({ code: "element_covered", step: 1 });
    const told = await scrape(
      "/consent",
      { type: "click", field_name: "Accept all", optional: true },
      { type: "click", field_name: "No such banner", optional: true, timeout_ms: 200 },
      { type: "click", field_name: "Products" },
    );
    expect(told.rows).toEqual(names(2));
  });
});

describe("faults", () => {
  const visit = (url: string) => engine.run({ steps: [{ type: "visit", url }, list] });

  test("errors of the site name their status; what may pass is tried again and counted once", async () => {
    for (const status of [403, 404, 500]) {
      site.setRoute("/error", (_, response) => sendHtml(response, "<h1>Error</h1>", status));
      const { failure, loads } = await visit(site.url("/error"));
      expect(failure).toMatchObject({
        code: "http_error",
        step: 0,
        message: expect.stringContaining(String(status)),
      });
      expect(failure?.evidence).toMatchObject({ url: site.url("/error"), screenshot: expect.anything() });
      expect(loads).toBe(0);
    }
    for (const status of [590, 999]) {
      site.setRoute("/denied", (_, response) => sendHtml(response, "<h1>Denied</h1>", status));
      const { requests } = site;
      const before = requests.length;
      expect((await visit(site.url("/denied"))).failure).toMatchObject({
        code: "http_error",
        message: expect.stringContaining(`HTTP ${status}`),
      });
      expect(requests.slice(before)).toEqual(["/denied"]);
    }
    site.setRoute("/gone", (_, response) => {
      response.writeHead(410, { "content-type": "application/zip" }).end("zip");
    });
    expect((await visit(site.url("/gone"))).failure).toMatchObject({
      code: "http_error",
      message: expect.stringContaining("410"),
      evidence: { url: site.url("/gone") },
    });
    for (const status of [429, 502, 503]) {
      let calls = 0;
      site.setRoute("/flaky", (_, response) => {
        calls += 1;
        if (calls > 1) sendHtml(response, items(2));
        else response.writeHead(status, { "retry-after": "0", "content-type": "text/html" }).end("later");
      });
      const told = await visit(site.url("/flaky"));
      expect(told.rows).toEqual(names(2));
      expect(told.loads).toBe(1);
    }
  });

  test("a next page that fails for a moment is loaded again", async () => {
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

  test("connections that are cut, redirects without end, other kinds of content", async () => {
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

  test("a page that breaks off, can't be unpacked, or is not out in time says nothing of its selectors", async () => {
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
    site.setRoute("/unpacked", (_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(items(2));
    });
    expect((await visit(site.url("/unpacked"))).failure).toMatchObject({
      code: "navigation_failed",
      step: 1,
    });
    const text: Step = { type: "get_text", field_name: "name", selector: ".item", timeout_ms: 1_000 };
    expect(
      (await engine.run({ steps: [{ type: "visit", url: site.url("/unpacked") }, text] })).failure,
    ).toMatchObject({ code: "navigation_failed", step: 1 });
    site.setRoute("/never", () => {});
    site.setRoute("/waits", `<h1>Lamps</h1><script src="/never"></script>${items(2)}`);
    expect((await visit(site.url("/waits"))).failure).toMatchObject({ code: "timeout", step: 1 });
  });

  test.each<[string, Pagination]>([
    ["one page", { type: "none" }],
    ["pages by their addresses", { type: "url_template", url: "{site}/part?page={page}", start: 2 }],
  ])("rows behind where %s broke off are taken when it comes whole, once each", async (_, pagination) => {
    const named = (page: string, count: number) =>
      items(count).replaceAll("Item", page === "1" ? "Item" : "Other");
    const half = (response: ServerResponse, page: string) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": "9999" });
      response.write(named(page, 3), () => setTimeout(() => response.destroy(), 100));
    };
    const steps: Step[] = [{ type: "visit", url: site.url("/part") }, list];
    const goesOn =
      pagination.type === "url_template"
        ? { ...pagination, url: pagination.url.replace("{site}", site.origin) }
        : pagination;
    for (const broken of [1, 2]) {
      const calls = new Map<string, number>();
      site.setRoute("/part", (request, response) => {
        const page = new URL(request.url ?? "", site.origin).searchParams.get("page") ?? "1";
        calls.set(page, (calls.get(page) ?? 0) + 1);
        if (Number(page) > 2) sendHtml(response, "<p>No more</p>");
        else if (page === String(broken) && calls.get(page) === 1) half(response, page);
        else sendHtml(response, named(page, 5));
      });
      const told = await engine.run({ steps, pagination: goesOn });
      expect(told.failure).toBeUndefined();
      const others = names(5).map(({ name }) => ({ name: name.replace("Item", "Other") }));
      expect(told.rows).toEqual(pagination.type === "none" ? names(5) : [...names(5), ...others]);
      // The page that says that there are no more was loaded, too.
      expect(told.loads).toBe(pagination.type === "none" ? 1 : 3);
    }
    // A server that never ends what it sends.
    site.setRoute("/part", (_, response) => half(response, "1"));
    const always = await engine.run({ steps });
    expect(always.failure).toBeUndefined();
    expect(always.rows).toEqual(names(3));
    expect(always.loads).toBe(1);
  });

  test("a page that leads to itself without end", async () => {
    const text: Step = { type: "get_text", field_name: "name", selector: ".item" };
    const wait: Step = { type: "wait", value: 3_000 };
    site.setRoute("/again", "<h1>Wait</h1><script>location.reload()</script>");
    site.setRoute("/refresh", `<h1>Wait</h1><meta http-equiv=refresh content="0">`);
    for (const [path, most, ...steps] of [
      ["/refresh", 30, list],
      ["/again", 30, text],
      // How many documents come while a step waits is up to the machine.
      ["/again", 130, wait, list],
    ] as const) {
      const told = await engine.run({ steps: [{ type: "visit", url: site.url(path) }, ...steps] });
      expect(told.failure).toMatchObject({
        code: "navigation_failed",
        message: expect.stringContaining("keeps navigating"),
      });
      expect(told.loads).toBeLessThan(most);
    }
  });

  test("a page that allocates without end crashes alone, and is tried in a new browser", async () => {
    let calls = 0;
    const hog = "<script>const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));</script>";
    site.setRoute("/hog", (_, response) => {
      calls += 1;
      sendHtml(response, calls > 1 ? items(2) : hog);
    });
    // How long it takes to crash is up to the machine.
    const patient = { ...list, timeout_ms: 40_000 } as Step;
    const told = await engine.run({ steps: [{ type: "visit", url: site.url("/hog") }, patient] });
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual(names(2));
    expect(told.loads).toBe(1);
  });

  test("a page that hangs the browser's page ends by its time-out", async () => {
    site.setRoute("/hang", `<p>x</p><script>for (;;) {}</script>`);
    const told = await engine.run({
      steps: [{ type: "visit", url: site.url("/hang") }, { ...list, timeout_ms: 300 } as Step],
    });
    expect(told.failure).toMatchObject({ code: "timeout", step: 1 });
  });
});
