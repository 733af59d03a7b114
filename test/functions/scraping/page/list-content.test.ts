import { expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import type { Step } from "../../../../functions/contract/steps.ts";
import { items, list, names, startItemSite } from "./item-site.ts";

/* What a list's rows and fields may be in, and how selectors find them there. */

const { engine, site } = await startItemSite();

test.concurrent("a list in shadow roots, with fields in shadow roots of their own", async () => {
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

test.concurrent.each([
  "#host .card",
  "#host > .card",
  "main #host .inner > b.card",
  "#host x-inner .card",
  "#host > x-inner > p",
  "#host .card ~ .card",
  "#host .card + i, main .other",
  "#host [data-note='a > b, .card']",
  "#host :is(.card, i):not(:first-child)",
  "body *",
])("across shadow roots, %s matches what it matches for Playwright", async (selector) => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<main><div id=host></div><b class="card other">Outside</b></main><script>
    host.attachShadow({ mode: "open" }).innerHTML = "<b class=card>One</b><i>Two</i><b class=card data-note='a > b, .card'>Three</b><section class=inner><b class=card>Four</b></section><x-inner></x-inner>";
    const inner = host.shadowRoot.querySelector("x-inner");
    inner.attachShadow({ mode: "open" }).innerHTML = "<p>Five</p><div><b class=card>Six</b></div>";
    </script>`,
  );
  const textsOf = async (rows: string) => {
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url(path) },
        { type: "get_list", selector: rows, fields: [{ name: "text" }] },
      ],
    });
    expect(told.failure).toBeUndefined();
    return told.rows;
  };
  expect(await textsOf(selector)).toEqual(await textsOf(`${selector} >> internal:and="*"`));
});

test.concurrent("many rows say what few of them say, where selectors match the rows too, and cells are absent or nested", async () => {
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

test.concurrent("a list in an iframe, and one in an iframe of another site", async () => {
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

test.concurrent("a list in a sandbox where no script runs, at once, late, to its end, and not there", async () => {
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

test.concurrent("selectors of other kinds", async () => {
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

test.concurrent("fields that are counted, that stand behind their row, and around it", async () => {
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

test.concurrent("a field that Playwright has to find visible", async () => {
  site.setRoute("/twice", "<p class=item><b hidden>Old price</b><b>Price</b>");
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url("/twice") },
      { type: "get_list", selector: ".item", fields: [{ name: "name", selector: "b:visible" }] },
    ],
  });
  expect(told.rows).toEqual([{ name: "Price" }]);
});

test.concurrent("text, html, attributes and absolute addresses; what is missing is left out", async () => {
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

const late = (style: string, ...attributes: string[]) =>
  `<style>${style}</style>${items(100).replaceAll("<p", `<p ${attributes.join(" ")}`)}`;
test.concurrent.each([
  ["by a rule", late(".item { content-visibility: auto }")],
  ["by an attribute", late("", "style='content-visibility: auto'")],
  ["around them", late("div { content-visibility: auto; margin-top: 3000px }").replace("<p", "<div><p")],
  [
    "in a shadow root",
    `<x-list><template shadowrootmode=open>${late(".item { content-visibility: auto }")}</template></x-list>`,
  ],
])("rows that the browser lays out only when they come into view, as said %s", async (_, html) => {
  const path = site.newPath();
  site.setRoute(path, html);
  const told = await engine.run({ steps: [{ type: "visit", url: site.url(path) }, list] });
  expect(told.rows).toEqual(names(100));
});

test.concurrent("images that load when they come into view, in rows of a fixed size", async () => {
  const path = site.newPath();
  const rows = Array.from(
    { length: 30 },
    (_, n) => `<div class=item style="height: 150px"><img data-src=/${n}.png src="data:,"></div>`,
  );
  site.setRoute(
    path,
    `${rows.join("")}<script>
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) target.src = target.dataset.src;
    });
    for (const image of document.images) seen.observe(image);</script>`,
  );
  const fields = [{ name: "image", selector: "img", attribute: "src" }];
  const told = await engine.run({
    steps: [{ type: "visit", url: site.url(path) }, { ...list, fields } as Step],
  });
  expect(told.rows).toEqual(rows.map((_, n) => ({ image: site.url(`/${n}.png`) })));
});
