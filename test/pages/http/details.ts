import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Row } from "../../../functions/contract/runs/run.ts";
import { type Site, sendHtml } from "../../site/site.ts";
import { type Page, type Pages, pageOf, type Routes, SITE, visit } from "../page.ts";
import { notByHttp } from "../parts/numbered.ts";

/* Lists whose rows have pages of their own, which are read by HTTP. */

/** The page of a row, from 0. */
interface DetailPage {
  number: number;
  head: string;
}

interface DetailSite extends Omit<Page, "html" | "rows"> {
  /** How many rows the list has, and how many of them one page shows. */
  count?: number;
  perPage?: number;
  /** The address in each row's link. */
  link?: (number: number) => string;
  css?: string;
  html?: (page: DetailPage) => string;
  /** What the server answers instead of the HTML of some pages. */
  answers?: Record<number, (response: ServerResponse, page: DetailPage, request: IncomingMessage) => void>;
  /** What some rows have instead, or no more (`undefined`). Default: title, price and maker. */
  changed?: Record<number, Record<string, string | undefined>>;
}

const plainDetail = ({ number, head }: DetailPage, price = `<b class="price">€${number}.50</b>`) =>
  `<!doctype html><html><head><meta charset="utf-8">${head}<title>Lamp ${number}</title></head><body><main class="product"><h1>Lamp ${number}</h1><p>Price: ${price}</p><a class="maker" href="/maker/${number}">Maker</a></main></body></html>`;

const withScript = (page: DetailPage, script: string) =>
  plainDetail(page).replace("</body>", `<script>${script}</script></body>`);
const APPEND = "document.querySelector('.price').append(' net')";
const IDLE = "document.documentElement.dataset.ready = 1";
/** A row without what its page has. */
const BARE = { title: undefined, price: undefined, maker: undefined };
const NOT_FOUND = (response: ServerResponse) => response.writeHead(404).end();

function details({
  count = 20,
  perPage = count,
  link = (number) => `/p/${number}`,
  css = "",
  html = plainDetail,
  answers = {},
  changed = {},
  ...page
}: DetailSite): Page {
  const rows = Array.from({ length: count }, (_, number): Row => {
    const row = {
      name: `Lamp ${number}`,
      url: SITE + link(number),
      title: `Lamp ${number}`,
      price: `€${number}.50`,
      maker: `${SITE}/maker/${number}`,
      ...changed[number],
    };
    return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Row;
  });
  return {
    steps: [
      visit("/list"),
      {
        type: "get_list",
        selector: ".card",
        fields: [
          { name: "name", selector: "a" },
          { name: "url", selector: "a", attribute: "href" },
        ],
        details: {
          url_field: "url",
          fields: [
            { name: "title", selector: "h1" },
            { name: "price", selector: ".price" },
            { name: "maker", selector: ".maker", attribute: "href" },
          ],
        },
      },
    ],
    engine: "http",
    rows: rows.slice(0, page.rows_limit),
    routes: () => ({
      "/list": (request, response) => {
        const first = (pageOf(request) - 1) * perPage;
        const items = rows
          .slice(first, first + perPage)
          .map(
            (_, index) => `<li class=card><a href="${link(first + index)}">Lamp ${first + index}</a></li>`,
          );
        const next =
          first + perPage < count ? `<a class=next href="/list?page=${pageOf(request) + 1}">Next</a>` : "";
        sendHtml(response, `<!doctype html><meta charset=utf-8><ul>${items.join("")}</ul>${next}`);
      },
      "/list.css": (_, response) => {
        response.writeHead(200, { "content-type": "text/css", "cache-control": "no-store" }).end(css);
      },
      ...Object.fromEntries(
        rows.map((_, number): [string, Routes[string]] => {
          const shown = { number, head: "<link rel=stylesheet href=/list.css>" };
          return [
            `/p/${number}`,
            (request, response) => {
              const answer = answers[number] ?? (() => sendHtml(response, html(shown)));
              answer(response, shown, request);
            },
          ];
        }),
      ),
    }),
    ...page,
  };
}

/** Every page that the browser opens loads the style sheet. */
const opens =
  (count: number) =>
  (_: unknown, { requests }: Site) =>
    assert.equal(requests.filter((path) => path === "/list.css").length, count);

export default {
  "pages 0, 5, 12 and 19 are opened": details({
    html: (page) =>
      plainDetail({
        ...page,
        head: `${page.head}<script type="application/ld+json">{"sku":${page.number}}</script>`,
      }),
    check: opens(4),
  }),
  "with a script that does nothing, one more is opened": details({
    html: (page) => withScript(page, IDLE),
    check: opens(5),
  }),
  "a script that changes a field of each page": details({
    count: 5,
    html: (page) => withScript(page, APPEND),
    changed: Object.fromEntries([0, 1, 2, 3, 4].map((n) => [n, { price: `€${n}.50 net` }])),
    warnings: [notByHttp("/p/0: the browser shows other fields")],
  }),
  "a script of its own in each page": details({
    count: 30,
    html: (page) => withScript(page, page.number === 1 ? APPEND : `window.page = ${page.number}`),
    changed: { 1: { price: "€1.50 net" } },
    warnings: [notByHttp("/p/1: it has scripts, elements or classes that the pages before do not have")],
    // Once these doubts have come up a few times, pages are not requested twice.
    check: (_, { requests }) => assert.ok(requests.filter((path) => path.startsWith("/p/")).length <= 40),
  }),
  // Pages in between are like the others, so that the odd ones are read by HTTP if nothing tells them apart.
  "pages that are not like the others": details({
    count: 42,
    css: ".loud h1 { text-transform: uppercase }",
    html: (page) => {
      const html = plainDetail(page);
      switch (page.number) {
        case 3:
          return withScript(page, APPEND);
        case 9:
          return plainDetail({
            ...page,
            head: `${page.head}<style>h1 { text-transform: uppercase }</style>`,
          });
        case 15:
          return html.replace("product", "product loud");
        case 20:
          return plainDetail(page, "");
        case 25:
          return "<!doctype html><p>Sold</p>";
        case 30:
          return plainDetail(page, '<b class="price"></b>');
        default:
          return html;
      }
    },
    answers: {
      35: (response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"),
      38: (response, page) =>
        response
          .writeHead(200, { "content-type": "text/html; charset=windows-1252" })
          .end(Buffer.from(plainDetail(page, "<b class=price>9 €</b>").replace("€", "\x80"), "latin1")),
    },
    changed: {
      3: { price: "€3.50 net" },
      9: { title: "LAMP 9" },
      15: { title: "LAMP 15" },
      20: { price: undefined },
      25: BARE,
      30: { price: "" },
      35: BARE,
      38: { price: "9 €" },
    },
    warnings: [
      notByHttp("/p/3: it has other scripts"),
      { code: "details_missing", count: 2, message: "/p/25 has none of the fields" },
    ],
  }),
  "a class that a script of all pages looks for": details({
    html: (page) =>
      withScript(page, "document.querySelector('.sold .price')?.append(' sold')").replace(
        '<main class="product',
        page.number === 9 ? '<main class="product sold' : '<main class="product',
      ),
    changed: { 9: { price: "€9.50 sold" } },
    warnings: [notByHttp("/p/9: it has scripts, elements or classes")],
  }),
  "a field that only some pages have, and one of several lines": details({
    html: (page) =>
      plainDetail(page, page.number % 3 === 0 ? "" : "<div class=price><p>One</p><p>Two</p></div>"),
    changed: Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [n, { price: n % 3 === 0 ? undefined : "One\n\nTwo" }]),
    ),
    check: opens(4),
  }),
  "a field that is a table": details({
    count: 4,
    html: (page) => plainDetail(page, "<table class=price><tr><td>One</td><td>Two</td></tr></table>"),
    changed: Object.fromEntries([0, 1, 2, 3].map((n) => [n, { price: "One\tTwo" }])),
    warnings: [notByHttp("/p/0: the text of an element <table> depends on its layout")],
  }),
  "pages that come in another order than their rows": details({
    answers: Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        n,
        (response, page) => setTimeout(() => sendHtml(response, plainDetail(page)), 20 * ((19 - n) % 5)),
      ]),
    ),
    check: opens(4),
  }),
  "pages that are not found": details({
    answers: { 0: NOT_FOUND, 9: NOT_FOUND },
    changed: { 0: BARE, 9: BARE },
    warnings: [
      notByHttp("/p/0: it could not be read"),
      { code: "details_missing", count: 2, message: "/p/0 answered with HTTP 404" },
    ],
  }),
  "a page that leads to another": details({
    answers: { 9: (response) => response.writeHead(302, { location: "/p/3" }).end() },
    changed: { 9: { title: "Lamp 3", price: "€3.50", maker: `${SITE}/maker/3` } },
    warnings: [notByHttp("/p/9: its server answered with HTTP 302")],
  }),
  "pages that all lead to one": details({
    answers: Object.fromEntries(
      [1, 2, 3, 4, 5].map((n) => [n, (response) => response.writeHead(302, { location: "/p/0" }).end()]),
    ),
    changed: Object.fromEntries(
      [1, 2, 3, 4, 5].map((n) => [n, { title: "Lamp 0", price: "€0.50", maker: `${SITE}/maker/0` }]),
    ),
    count: 6,
    warnings: [notByHttp("/p/1: its server answered with HTTP 302"), { code: "details_repeated", count: 5 }],
  }),
  "rows without a page, and rows that share one": details({
    link: (number) => (number % 4 === 1 ? "javascript:void 0" : `/p/${number % 4}`),
    count: 12,
    changed: Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        n,
        n % 4 === 1
          ? { url: "javascript:void 0", ...BARE }
          : { title: `Lamp ${n % 4}`, price: `€${n % 4}.50`, maker: `${SITE}/maker/${n % 4}` },
      ]),
    ),
  }),
  "addresses with fragments": details({
    count: 5,
    link: (number) => `/p/${number}#price`,
    warnings: [notByHttp("/p/1#price: its address has a fragment")],
  }),
  limits: {
    variants: {
      "7 rows": details({ rows_limit: 7, check: opens(2) }),
      "2 rows": details({ rows_limit: 2, check: opens(2) }),
      "one at a time": details({ concurrency: 1, check: opens(4) }),
    },
  },
  "details of a list of several pages": details({
    count: 24,
    perPage: 4,
    pagination: { type: "next_button", selector: ".next" },
    check: opens(7),
  }),
  "rows are handed over before all details are read": details({
    count: 60,
    check: ({ batches }) =>
      assert.deepEqual(
        batches.map(({ rows }) => rows.length),
        [20, 20, 20],
      ),
  }),
  "pages that a site shows to those with its cookie": details({
    concurrency: 1,
    answers: Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        n,
        (response, page, { headers }) => {
          if (n === 0) response.setHeader("set-cookie", "member=1");
          const isMember = n === 0 || /member=1/.test(headers.cookie ?? "");
          sendHtml(response, isMember ? plainDetail(page) : "<!doctype html><p>Sign in</p>");
        },
      ]),
    ),
    check: opens(4),
  }),
} satisfies Pages;
