import type { ListField } from "../../../functions/contract/steps/steps.ts";
import { cardList, cards, lamps, OTHER_SITE, type Pages, SITE, visit } from "../page.ts";
import { eachDocument, inParts, times } from "../parts/documents.ts";

/* What a list's rows and fields may be in, and how selectors find them there. */

const named = (...names: string[]) => names.map((name) => ({ name }));

/** Selectors across shadow roots, and what they match, which is what they match for Playwright. */
const ACROSS: Record<string, string[]> = {
  "#host .card": ["One", "Three", "Four", "Six"],
  "#host > .card": ["One", "Three"],
  "main #host .inner > b.card": ["Four"],
  "#host x-inner .card": ["Six"],
  "#host > x-inner > p": ["Five"],
  "#host .card ~ .card": ["Three"],
  "#host .card + i, main .other": ["Two", "Outside"],
  "#host [data-note='a > b, .card']": ["Three"],
  "#host :is(.card, i):not(:first-child)": ["Two", "Three"],
};

const many = Array.from(
  { length: 600 },
  (_, n) =>
    `<div class=item>${n % 7 === 0 ? "" : `<section><div>Name ${n}</div><div>Other ${n}</div></section>`}${n % 5 === 0 ? `<b>${n}</b>` : ""}</div><div>Between</div>`,
);
const manyRows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...(n % 7 > 0 && { first: `Name ${n}` }),
    ...(n % 5 === 0 && { bold: String(n) }),
  }));
const manyList = {
  type: "get_list",
  selector: ".item",
  fields: [
    { name: "first", selector: "div" },
    { name: "bold", selector: "b" },
  ] as ListField[],
} as const;

/** Where the server says so, no script runs: not the engine's either, as it seems to the page. */
const POLICY = "sandbox; default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const sections = `<section><h2>Sold</h2>${cards(1, 1)}</section><section><h2>New</h2>${cards(1, 2)}</section>`;

const behind: ListField[] = [
  { name: "counted", selector: "b >> nth=1" },
  { name: "next", selector: "+ dd" },
  { name: "last", selector: ":scope ~ dd:last-child" },
  { name: "id", selector: "..", attribute: "id" },
];
const behindRows = [
  { counted: "b", next: "1", last: "1", id: "first" },
  { counted: "d", next: "2", last: "3", id: "second" },
];

const late = (style: string, attributes = "") =>
  `<style>${style}</style>${cards(1, 100).replaceAll("<li", `<li ${attributes}`)}`;
const LAZY = {
  "by a rule": late(".card { content-visibility: auto }"),
  "by an attribute": late("", "style='content-visibility: auto'"),
  "around them": late("div { content-visibility: auto; margin-top: 3000px }").replace("<li", "<div><li"),
  "in a shadow root": `<x-list><template shadowrootmode=open>${late(".card { content-visibility: auto }")}</template></x-list>`,
};

export default {
  "a list in shadow roots, with fields in shadow roots of their own": {
    html: `<x-list></x-list><script>
      customElements.define("x-item", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<b class=name>" + this.getAttribute("n") + "</b>"; } });
      customElements.define("x-list", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<x-item class=card n=One></x-item><x-item class=card n=Two></x-item>"; } });
      </script>`,
    steps: [visit(), { ...cardList, fields: [{ name: "name", selector: ".name" }] }],
    rows: named("One", "Two"),
  },
  "selectors across shadow roots": {
    html: `<main><div id=host></div><b class="card other">Outside</b></main><script>
      host.attachShadow({ mode: "open" }).innerHTML = "<b class=card>One</b><i>Two</i><b class=card data-note='a > b, .card'>Three</b><section class=inner><b class=card>Four</b></section><x-inner></x-inner>";
      const inner = host.shadowRoot.querySelector("x-inner");
      inner.attachShadow({ mode: "open" }).innerHTML = "<p>Five</p><div><b class=card>Six</b></div>";
      </script>`,
    variants: {
      "": {
        steps: [visit(), ...Object.keys(ACROSS).map((selector) => ({ ...cardList, selector }))],
      },
      "by Playwright": {
        steps: [
          visit(),
          ...Object.keys(ACROSS).map((selector) => ({
            ...cardList,
            selector: `${selector} >> internal:and="*"`,
          })),
        ],
      },
    },
    rows: Object.values(ACROSS).flatMap((names) => named(...names)),
  },
  "many rows say what few of them say, where selectors match the rows too, and cells are absent or nested": {
    ...eachDocument({ many: many.join(""), few: many.slice(0, 100).join("") }, { list: manyList }),
    rows: [...manyRows(600), ...manyRows(100)],
    warnings: [
      { code: "rows_empty", step: 1, count: 68 },
      { code: "rows_empty", step: 3, count: 12 },
    ],
  },
  "a list in an iframe, and one in an iframe of another site": {
    html: `<iframe id=f src="/inner"></iframe><iframe id=g src="${OTHER_SITE}/inner"></iframe>`,
    routes: { "/inner": cards(1, 2) },
    steps: [visit(), { ...cardList, frame: "#f" }, { ...cardList, frame: "#g" }],
    rows: times(2, lamps(1, 2)),
  },
  "a list in a sandbox where no script runs": {
    routes: {
      "/sandbox": (request, response) => {
        response.setHeader("content-security-policy", POLICY);
        return inParts(500, "<h1>Lamps</h1>", cards(1, 2))(request, response);
      },
      "/sandboxed": `<iframe id=f sandbox src="/sandbox"></iframe>`,
    },
    steps: [visit("/sandbox"), cardList],
    variants: {
      "at once, and in a frame": {
        steps: [visit("/sandbox"), cardList, visit("/sandboxed"), { ...cardList, frame: "#f" }],
        rows: times(2, lamps(1, 2)),
      },
      "to its end": { pagination: { type: "infinite_scroll" }, rows: lamps(1, 2) },
      "not there": {
        steps: [visit("/sandbox"), { ...cardList, selector: ".none", timeout_ms: 1_500 }],
        failure: { code: "element_not_found", step: 1 },
      },
      "not there, in a frame": {
        steps: [visit("/sandboxed"), { ...cardList, selector: ".none", frame: "#f", timeout_ms: 1_500 }],
        failure: { code: "element_not_found", step: 1 },
      },
    },
  },
  "selectors of other kinds": {
    html: sections,
    steps: [
      visit(),
      ...[
        "xpath=//section[h2='New']/li",
        "section:has-text('New') >> .card",
        "section:has(h2:text-is('New')) .card",
      ].map((selector) => ({ ...cardList, selector })),
    ],
    rows: times(3, lamps(1, 2)),
  },
  "a selector that is none": {
    html: sections,
    steps: [visit(), { ...cardList, selector: "p[" }],
    failure: { code: "invalid_step", step: 1 },
  },
  "fields that are counted, that stand behind their row, and around it": {
    html: `<dl id=first><dt class=card>One <b>a</b><b>b</b></dt><dd>1</dd></dl>
      <dl id=second><dt class=card>Two <b>c</b><b>d</b></dt><dd>2</dd><dd>3</dd></dl>`,
    steps: [visit(), { ...cardList, fields: behind }, { ...cardList, fields: behind.slice(1) }],
    rows: [...behindRows, ...behindRows.map(({ counted: _, ...others }) => others)],
  },
  "text, html, attributes and absolute addresses; what is missing is left out; what has to be visible": {
    html: `<base href="/shop/"><div class=card data-sku="7"><a href="../p?x=1#y"> A  <b>lamp</b> </a><img src="i.png"><i hidden>Old price</i><i>Price</i></div>`,
    steps: [
      visit(),
      {
        ...cardList,
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
      { ...cardList, fields: [{ name: "visible", selector: "i:visible" }] },
    ],
    rows: [
      {
        text: "A lamp",
        html: " A  <b>lamp</b> ",
        href: `${SITE}/p?x=1#y`,
        src: `${SITE}/shop/i.png`,
        sku: "7",
      },
      { visible: "Price" },
    ],
    warnings: [
      { code: "field_empty", field: "price" },
      { code: "field_empty", field: "rel" },
    ],
  },
  "rows that the browser lays out only when they come into view": {
    ...eachDocument(LAZY),
    rows: times(4, lamps(1, 100)),
  },
  "images that load when they come into view, in rows of a fixed size": {
    html: `${Array.from({ length: 30 }, (_, n) => `<div class=card style="height: 150px"><img data-src=/${n}.png src="data:,"></div>`).join("")}<script>
      const seen = new IntersectionObserver((entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) target.src = target.dataset.src;
      });
      for (const image of document.images) seen.observe(image);</script>`,
    steps: [visit(), { ...cardList, fields: [{ name: "image", selector: "img", attribute: "src" }] }],
    rows: Array.from({ length: 30 }, (_, n) => ({ image: `${SITE}/${n}.png` })),
  },
} satisfies Pages;
