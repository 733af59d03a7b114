import type { JsonSource } from "../../../functions/contract/steps/json-source.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Handler } from "../../site/site.ts";
import { cards, lamps, type Page, type Pages, pageOf, SITE, visit } from "../page.ts";

/* Lists and values of JSON: where it comes from, how lists of it go on, and what is wrong with it. */

const script = (value: unknown, attributes = 'type="application/json" id="data"') =>
  `<script ${attributes}>${typeof value === "string" ? value : JSON.stringify(value)}</script>`;
const send =
  (value: unknown, status = 200): Handler =>
  (_, response) =>
    void response
      .writeHead(status, { "content-type": "application/json" })
      .end(typeof value === "string" ? value : JSON.stringify(value));
const list = (json: JsonSource, more: object = {}): Step => ({
  type: "get_list",
  json,
  fields: [{ name: "name", path: "$.name" }],
  ...more,
});
const names = (from: number, to: number) => lamps(from, to);
const DATA = "#data";
const ITEMS = "$.items[*]";
const inScript = { source: DATA, path: ITEMS };
const inResponse = { source: "response:*/api/items*", path: ITEMS };

/** A page whose script requests `/api/items?page=n`, and adds or replaces elements. */
const requesting = (script: string, more = "") => `<ul id=list></ul>${more}<script>
let page = 0;
const show = (items, adds) => {
  if (!adds) list.textContent = "";
  for (const { name } of items) list.append(Object.assign(document.createElement("li"), { textContent: name }));
};
const load = async (number, adds) => {
  page = number;
  const response = await fetch("/api/items?page=" + number);
  const { items } = await response.json();
  show(items, adds);
  return items;
};
${script}</script>`;
/** Three pages of two lamps each. */
const api: Handler = (request, response) => {
  const page = pageOf(request);
  send({ items: page > 3 ? [] : names(2 * page - 1, 2 * page), total: 6 })(request, response);
};
const failing = (html: string, json: JsonSource, code: string, message: string | RegExp): Page => ({
  html,
  steps: [visit(), list(json)],
  failure: { code, message },
});
/** A page that requests JSON of another form, in which a text looks like an assignment. */
const inForm = (
  type: string,
  body: string,
  script = 'fetch("/api").then((response) => response.text())',
): Page => ({
  html: `<script>${script}</script>`,
  routes: { "/api": (_, response) => void response.writeHead(200, { "content-type": type }).end(body) },
  steps: [visit(), list({ source: "response:*/api", path: "$[*]" })],
});
const ASSIGNING = { name: "Lamp 2", note: "x=[1], y={}" };
const LINES = `${JSON.stringify({ name: "Lamp 1" })}\n${JSON.stringify(ASSIGNING)}`;
const clicked = (more: Partial<Page>): Page => ({
  routes: { "/api/items": api },
  rows: names(1, 6),
  ...more,
});

export default {
  "a script element": {
    html:
      cards(1, 1) +
      script({
        items: [
          { name: "Lamp 1", price: 1.5, tags: ["a", "b"], offer: { price: "7" }, none: null, on: true },
          { name: "Lamp 2", price: 0, id: 1 },
        ],
      }).replace('"id":1', '"id":12345678901234567890'),
    steps: [
      visit(),
      list(inScript, {
        fields: [
          { name: "name", path: "$.name" },
          { name: "price", path: "$.price" },
          { name: "tags", path: "$.tags[*]", all: true, separator: ", " },
          { name: "raw", path: "$.tags" },
          { name: "offer", path: "$.offer.price" },
          { name: "on", path: "$['on']" },
          { name: "id", path: "$.id" },
          { name: "none", path: "$.none" },
        ],
      }),
    ],
    rows: [
      { name: "Lamp 1", price: "1.5", tags: "a, b", raw: '["a","b"]', offer: "7", on: "true" },
      { name: "Lamp 2", price: "0", id: "12345678901234567890" },
    ],
    warnings: [{ code: "field_empty", field: "none", message: "the path $.none" }],
  },
  "several scripts, of which one is broken": {
    html: `${script("{", 'type="application/ld+json"')}${script({ items: [{ name: "Lamp 1" }] }, 'type="application/ld+json"')}
${script({ items: [{ name: "Lamp 2" }] }, 'type="application/ld+json"')}`,
    steps: [visit(), list({ source: 'script[type="application/ld+json"]', path: ITEMS })],
    rows: names(1, 2),
  },
  "a script that assigns it": {
    html: `<script id=state>var a = {}; window.STATE = {"items":[{"name":"Lamp 1"},{"name":"Lamp 2"}],"s":"}\\"]"}; go();function go() {}</script>`,
    steps: [visit(), list({ source: "#state", path: ITEMS })],
    rows: names(1, 2),
  },
  "an attribute": {
    html: `<div id=app data-page='${JSON.stringify({ items: names(1, 2) })}'></div>`,
    steps: [visit(), list({ source: "xpath=//div[@id='app']/@data-page", path: ITEMS })],
    rows: names(1, 2),
  },
  "in a frame": {
    html: '<iframe id=inner src="/inner"></iframe>',
    routes: { "/inner": script({ items: names(1, 2) }) },
    steps: [visit(), list(inScript, { frame: "#inner" })],
    rows: names(1, 2),
  },
  "rows within rows, required fields and a key": {
    html: script({
      items: [
        { name: "Lamp 1", sizes: [{ size: "S" }, { size: "M" }] },
        { name: "Lamp 2" },
        { sizes: [{ size: "L" }] },
        { name: "Lamp 1" },
      ],
    }),
    steps: [
      visit(),
      list(inScript, {
        key: ["name"],
        fields: [
          { name: "name", path: "$.name", required: true },
          { name: "sizes", list: { path: "$.sizes[*]", fields: [{ name: "size", path: "$.size" }] } },
        ],
      }),
    ],
    rows: [{ name: "Lamp 1", size: "S" }, { name: "Lamp 1", size: "M" }, { name: "Lamp 2" }],
  },
  "a document": {
    routes: { "/": send({ items: names(1, 3) }) },
    steps: [visit(), list({ path: ITEMS })],
    rows: names(1, 3),
  },
  "documents of a url_template": {
    routes: { "/api/items": api },
    steps: [list({ path: ITEMS })],
    pagination: { type: "url_template", url: "http://site.example/api/items?page={page}" },
    rows: names(1, 6),
  },
  "a response": {
    ...clicked({ html: requesting("load(1);"), rows: names(1, 2) }),
    steps: [visit(), list(inResponse)],
  },
  "a response, after a click on something else": {
    ...clicked({ html: requesting("load(1);", "<button>Accept</button>"), rows: names(1, 2) }),
    steps: [visit(), { type: "click", field_name: "Accept" }, list(inResponse)],
  },
  "a response that a click replaces": {
    ...clicked({
      html: requesting("load(1);", '<button onclick="load(3)">Sale</button>'),
      rows: names(5, 6),
    }),
    steps: [visit(), { type: "click", field_name: "Sale" }, list(inResponse)],
  },
  "a response that is requested twice": {
    ...clicked({ html: requesting("load(1);setTimeout(() => load(1), 500);"), rows: names(1, 2) }),
    steps: [visit(), list(inResponse)],
  },
  "a response in another form": {
    rows: names(1, 2),
    variants: {
      lines: inForm("application/x-ndjson", LINES),
      "one line": { ...inForm("application/x-ndjson", '{"name":"Lamp 1"}\n'), rows: names(1, 1) },
      "after a guard": inForm("application/json", `while(1);[${LINES.replace("\n", ",")}]`),
      "a call, in a script element": inForm(
        "text/javascript",
        `/**/ typeof show === 'function' && show([${LINES.replace("\n", ",")}]);`,
        'document.head.append(Object.assign(document.createElement("script"), { src: "/api" }))',
      ),
    },
  },
  "a response that breaks off": {
    failure: { code: "element_not_found", message: "is not JSON, or breaks off" },
    variants: {
      json: inForm("application/json", `[${JSON.stringify(ASSIGNING)},{`),
      lines: inForm("application/x-ndjson", LINES.slice(0, -1)),
    },
  },
  "responses by POST": {
    html: `<ul id=list></ul><script>
for (const after of [0, 2]) fetch("/graphql", { method: "POST", body: JSON.stringify({ after }) });
</script>`,
    routes: {
      "/graphql": (request, response) => {
        let body = "";
        request.on("data", (chunk) => {
          body += chunk;
        });
        request.on("end", () => {
          const { after } = JSON.parse(body);
          send({ data: { items: names(after + 1, after + 2) } })(request, response);
        });
      },
    },
    steps: [visit(), list({ source: "response:*/graphql", path: "$.data.items[*]" })],
    rows: names(1, 4),
  },
  "next_button of a script": {
    ...clicked({
      html: requesting("load(1);", '<button onclick="if (page < 3) load(page + 1)">Next</button>'),
    }),
    steps: [visit(), list(inResponse)],
    pagination: { type: "next_button", field_name: "Next" },
  },
  "next_button of links": {
    routes: Object.fromEntries(
      [1, 2, 3].map((page) => [
        page === 1 ? "/" : `/${page}`,
        script({ items: names(2 * page - 1, 2 * page) }) +
          cards(2 * page - 1, 2 * page) +
          (page < 3 ? `<a href="/${page + 1}">Next</a>` : ""),
      ]),
    ),
    steps: [visit(), list(inScript)],
    pagination: { type: "next_button", field_name: "Next" },
    engines: ["browser", "auto", "http"],
    rows: names(1, 6),
    loads: 3,
  },
  load_more: {
    ...clicked({
      html: requesting("load(1);", '<button onclick="load(page + 1, true)">More</button>'),
    }),
    steps: [visit(), list(inResponse)],
    pagination: { type: "load_more", field_name: "More" },
  },
  infinite_scroll: {
    ...clicked({
      html: requesting(
        `load(1);let isBusy = false;
addEventListener("scroll", async () => {
  if (isBusy || scrollY + innerHeight < document.documentElement.scrollHeight - 50) return;
  isBusy = true;
  isBusy = (await load(page + 1, true)).length === 0;
});`,
        "<style>li { height: 600px }</style>",
      ),
    }),
    steps: [visit(), list(inResponse)],
    pagination: { type: "infinite_scroll" },
  },
  "a value, and details": {
    html: script({
      total: 2,
      items: names(1, 2).map((lamp, index) => ({ ...lamp, url: `/p/${index + 1}` })),
    }),
    routes: Object.fromEntries([1, 2].map((n) => [`/p/${n}`, script({ price: 10 * n, stock: 0 })])),
    steps: [
      visit(),
      { type: "get_text", field_name: "total", json: { source: DATA, path: "$.total" } },
      list(inScript, {
        fields: [
          { name: "name", path: "$.name" },
          { name: "url", path: "$.url" },
        ],
        details: {
          url_field: "url",
          fields: [
            { name: "price", json: { source: DATA, path: "$.price" } },
            { name: "stock", json: { source: DATA, path: "$.stock" } },
          ],
        },
      }),
    ],
    engines: ["browser", "auto"],
    rows: [1, 2].map((n) => ({
      total: "2",
      name: `Lamp ${n}`,
      url: `/p/${n}`,
      price: `${10 * n}`,
      stock: "0",
    })),
  },
  "addresses that are made absolute": {
    html: `<base href="/shop/"><p class=link>p/2</p>${script({ items: [{ url: "/p/1", tags: ["a", "no address"] }] })}`,
    steps: [
      visit(),
      {
        type: "get_text",
        field_name: "link",
        selector: ".link",
        transform: [{ type: "absolute" }],
      },
      list(inScript, {
        fields: [
          { name: "url", path: "$.url", transform: [{ type: "absolute" }] },
          { name: "tags", path: "$.tags[*]", all: true, transform: [{ type: "absolute" }] },
        ],
      }),
    ],
    rows: [{ link: `${SITE}/shop/p/2`, url: `${SITE}/p/1`, tags: `${SITE}/shop/a; no address` }],
  },
  "a list that says that it is longer": {
    html: `${script({ items: names(1, 2) })}<p>Showing 1–2 of 57</p>`,
    steps: [visit(), list(inScript)],
    rows: names(1, 2),
    warnings: [{ code: "rows_may_be_missing", message: "2 of 57" }],
  },
  "an optional list that is not there": {
    html: script({ items: [] }),
    steps: [visit(), list(inScript, { optional: true })],
    rows: [],
  },
  "no such path": failing(
    script({ items: [] }),
    inScript,
    "element_not_found",
    "matches the path $.items[*] in #data. Check the path",
  ),
  "no such script": failing(cards(1, 2), inScript, "element_not_found", "matches the source #data"),
  "no such response": failing(cards(1, 2), inResponse, "element_not_found", "requested nothing that matches"),
  "a page as a document": failing(
    cards(1, 2),
    { path: "$" },
    "element_not_found",
    "is a page, not a document",
  ),
  "not JSON": failing(script("{ items: [] }"), inScript, "element_not_found", "is not JSON"),
  "an invalid selector of a source": failing(
    cards(1, 2),
    { source: "#data[", path: "$" },
    "invalid_step",
    "#data[ is not a valid selector",
  ),
  "too large": failing(
    `<script type="application/json" id="data">["${"x".repeat(17 * 1024 ** 2)}"]</script>`,
    { source: DATA, path: "$" },
    "too_large",
    "the limit",
  ),
  "a response that is too large": {
    html: '<script>fetch("/large")</script>',
    routes: { "/large": send(`["${"x".repeat(50 * 1024 ** 2)}"]`) },
    steps: [visit(), list({ source: "response:*/large", path: "$" }, { timeout_ms: 20_000 })],
    failure: { code: "too_large", message: "the limit" },
  },
  "too deep": failing(
    script(`${"[".repeat(2_000)}1${"]".repeat(2_000)}`),
    { source: DATA, path: "$..name" },
    "too_large",
    "more levels",
  ),
  "a path that takes too long": {
    html: script({ items: [{ name: `${"a".repeat(60)}!` }] }),
    steps: [
      visit(),
      list({ source: DATA, path: "$.items[?search(@.name, '^(a+)+$')]" }, { timeout_ms: 500 }),
    ],
    failure: { code: "timeout", message: "Use a simpler path" },
    slow: "it takes the time after which a page is given up",
  },
  "fields with paths that match nothing": {
    html: script({ items: [{}, {}] }),
    steps: [visit(), list(inScript)],
    failure: { code: "fields_not_found", message: '"name" by the path $.name' },
  },
} satisfies Pages;
