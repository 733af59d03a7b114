import { equal, ok } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { type Handler, sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Pages, type Routes, SITE, visit } from "../page.ts";

const price = (n: number) => `<b class=price>${n}.00</b>`;

const page =
  (n: number, status = 200): Handler =>
  (_, response) =>
    sendHtml(response, price(n), status);
const to =
  (location: string): Handler =>
  (_, response) =>
    void response.writeHead(302, { location }).end();
const cutOff: Handler = (_, response) => {
  response.writeHead(200, { "content-type": "text/html", "content-length": "5000" });
  response.write("<h1>Lamp</h1>", () => response.destroy());
};
/** Later rows have their page earlier. */
const late =
  (n: number): Handler =>
  async (_, response) => {
    await sleep((5 - n) * 120);
    sendHtml(response, price(n));
  };
/** Shows its price after a request and a timer. */
const filled =
  (n: number): Handler =>
  (_, response) =>
    sendHtml(
      response,
      `<h1>Lamp</h1><script>fetch("/here").then(() => setTimeout(() => { document.body.insertAdjacentHTML("beforeend", "${price(n)}"); }, 900));</script>`,
    );
const pdf: Handler = (_, response) =>
  void response.writeHead(200, { "content-type": "application/pdf" }).end("%PDF-1.7");
const broken: Handler = (request) => void request.socket.destroy();

const list: Step = {
  type: "get_list",
  selector: ".item",
  fields: [{ name: "name" }, { name: "url", attribute: "href" }],
  details: { url_field: "url", fields: [{ name: "price", selector: ".price" }] },
};

/** A list of `count` rows. `answer` handles the page of row `n`, at each of its requests from 1 on. */
const shop = (
  count: number,
  answer: (n: number, request: number) => Handler,
  more: Record<string, string> = {},
): (() => Routes) => {
  const rows = Array.from({ length: count }, (_, n) => n);
  return () => {
    const details = rows.map((n) => {
      let asked = 0;
      const handler: Handler = (request, response) => {
        asked += 1;
        return answer(n, asked)(request, response);
      };
      return [`/detail/${n}`, handler];
    });
    const html = rows.map((n) => `<a class=item href="/detail/${n}">Lamp ${n}</a>`).join("");
    return { "/": html, ...Object.fromEntries(details), ...more };
  };
};

/** The rows with these prices. */
const priced = (...prices: (string | undefined)[]) =>
  prices.map((price, n) => ({
    name: `Lamp ${n}`,
    url: `${SITE}/detail/${n}`,
    ...(price !== undefined && { price }),
  }));

/** What fails once, and then does not. */
const passing: Handler[] = [408, 425, 429, 500, 502, 503, 504]
  .map((status) => page(0, status))
  .concat(cutOff, broken);

const steps = [visit(), list];

export default {
  "pages that fail once are loaded again": {
    // Otherwise, pages that show what HTML is worth are requested by HTTP and by the browser.
    engine: "browser",
    steps,
    routes: shop(passing.length + 1, (n, request) => (request === 1 && passing[n - 1]) || page(n)),
    rows: priced(...Array.from({ length: passing.length + 1 }, (_, n) => `${n}.00`)),
    check: (_, site) => {
      for (const n of passing.keys())
        equal(site.requests.filter((path) => path === `/detail/${n + 1}`).length, 2);
    },
  },
  "pages that fail each time leave their rows as they are, and are counted": {
    steps,
    variants: {
      "and are not there": {
        routes: shop(4, (n) => page(n, [200, 404, 403][n])),
        rows: priced("0.00", undefined, undefined, "3.00"),
        warnings: [{ code: "details_missing", step: 1, count: 2, message: "/detail/1" }],
        loads: 3,
      },
      "although they are loaded again": {
        routes: shop(4, (n) => (n === 2 ? cutOff : page(n, n === 1 ? 500 : 200))),
        rows: priced("0.00", undefined, undefined, "3.00"),
        warnings: [{ code: "details_missing", step: 1, count: 2, message: "/detail/1" }],
        loads: 3,
        slow: "the pauses before a page is loaded again take four seconds",
      },
    },
  },
  "pages that come in another order than their rows": {
    steps,
    routes: shop(6, late),
    rows: priced("0.00", "1.00", "2.00", "3.00", "4.00", "5.00"),
  },
  "pages that fill themselves in, beside one that is a PDF": {
    steps,
    routes: shop(6, (n) => (n === 2 ? pdf : filled(n)), { "/here": "" }),
    rows: priced("0.00", "1.00", undefined, "3.00", "4.00", "5.00"),
    warnings: [{ code: "details_missing", step: 1, count: 1, message: "/detail/2" }],
  },
  "rows whose field has a text in place of an address": {
    html: cards(1, 2),
    steps: [
      visit(),
      {
        ...cardList,
        fields: [{ name: "name" }],
        details: { url_field: "name", fields: [{ name: "price", selector: ".price" }] },
      },
    ],
    rows: lamps(1, 2),
    warnings: [
      { code: "field_empty", field: "price" },
      {
        ...{ code: "details_missing", step: 1, count: 2 },
        message: 'No page of a row was opened: the field "name" has no address, the first one has "Lamp 1".',
      },
    ],
  },
  "a page with none of the fields is counted, too": {
    steps,
    routes: shop(3, (n) => (n === 1 ? (_, response) => sendHtml(response, "<h1>Sold out</h1>") : page(n))),
    rows: priced("0.00", undefined, "2.00"),
    warnings: [{ code: "details_missing", step: 1, count: 1, message: 'has none of the fields "price"' }],
    loads: 4,
  },
  "pages that lead elsewhere": {
    steps,
    variants: {
      "several to the same one": {
        routes: shop(5, (n) => (n > 1 ? to("/consent") : page(n)), { "/consent": price(99) }),
        rows: priced("0.00", "1.00", "99.00", "99.00", "99.00"),
        warnings: [{ code: "details_repeated", step: 1, count: 3, message: "/consent, so" }],
      },
      "each to another one": {
        routes: shop(3, (n) => to(`/moved/${n}`), {
          "/moved/0": price(5),
          "/moved/1": price(6),
          "/moved/2": price(7),
        }),
        rows: priced("5.00", "6.00", "7.00"),
      },
    },
  },
  "pages that all fail end the run, which keeps the rows": {
    steps,
    variants: {
      "of a short list": {
        routes: shop(3, (n) => page(n, 404)),
        rows: priced(undefined, undefined, undefined),
        warnings: [{ code: "details_missing", count: 3 }],
        failure: {
          code: "http_error",
          step: 1,
          message: /all 3 rows.*\/detail\/0 answered with HTTP 404/,
        },
      },
      "after the first twenty": {
        routes: shop(60, (n) => page(n, 404)),
        rows: priced(...Array.from({ length: 20 }, () => undefined)),
        warnings: [{ code: "details_missing", count: 20 }],
        failure: { code: "http_error", step: 1 },
        check: (_, site) =>
          ok(site.requests.length < 60, "Pages are loaded although the first twenty failed."),
      },
    },
  },
  "an address in an attribute of the page's own may be relative": {
    html: '<p class=item data-url="/1">Lamp</p><p class=item data-url="Lamp 2">Lamp</p>',
    routes: { "/1": price(1) },
    steps: [visit(), { ...list, fields: [{ name: "url", attribute: "data-url" }] }],
    rows: [{ url: "/1", price: "1.00" }, { url: "Lamp 2" }],
  },
  "a form that was sent is not sent again": {
    html: '<form method=post action="/send"><button>Send</button></form>',
    routes: { "/send": (_, response) => sendHtml(response, "<h1>Error</h1>", 503) },
    steps: [
      visit(),
      { type: "click", field_name: "Send" },
      { type: "get_text", field_name: "title", selector: "h1" },
    ],
    failure: "http_error",
    check: (_, site) => equal(site.requests.filter((path) => path === "/send").length, 1),
  },
} satisfies Pages;
