import { deepEqual, equal } from "node:assert/strict";
import { sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Page, type Pages, pageOf, type Routes, SITE, visit } from "../page.ts";
import { listOf } from "../parts/linked-pages.ts";

const pagination = { type: "url_template", url: `${SITE}/list?page={page}` } as const;

/** The pages of a list, up to one that has nothing, or to what is at the end instead. */
const pagesUpTo = (count: number, path = "/list", end = ""): Routes => ({
  [path]: (request, response) => {
    const page = pageOf(request);
    sendHtml(response, page <= count ? listOf(page) : end);
  },
});

/** Four pages, one of which is another document the first few times. Behind them, pages have nothing to read. */
const failingAt = (failing: number, { times, html }: { times: number; html: string }): Routes => {
  let left = times;
  return {
    "/list": (request, response) => {
      const page = pageOf(request);
      const isFailing = page === failing && left > 0;
      if (isFailing) left -= 1;
      const end = "<p>No lamps.</p>";
      sendHtml(response, isFailing ? html : page <= 4 ? listOf(page) : end);
    },
  };
};

/** Pages behind the third one lead elsewhere. */
const redirected = (target: string): Routes => ({
  "/list": (request, response) => {
    if (pageOf(request) > 3) response.writeHead(302, { location: "/elsewhere" }).end();
    else sendHtml(response, listOf(pageOf(request)));
  },
  "/elsewhere": target,
});

/** Behind the fourth page comes the fourth again, each time with other numbers of visitors. */
const counted: Routes = {
  "/list": (request, response) => {
    const page = pageOf(request);
    sendHtml(response, listOf(Math.min(page, 4)).replaceAll("</li>", ` <s>${page} visitors</s></li>`));
  },
};

/** Pages that say which rows they show, up to one that has nothing. */
const ranged = (count: number, total: number): Routes => ({
  "/list": (request, response) => {
    const page = pageOf(request);
    const range = `<p>Showing ${page * 3 - 2}–${page * 3} of ${total}</p>`;
    sendHtml(response, page <= count ? range + listOf(page) : "<p>No lamps.</p>");
  },
});

/** A page behind the third one says so, and has other rows. */
const recommending = (said: string): Page => ({
  routes: pagesUpTo(3, "/list", `<h1>${said}</h1>You may like<ul>${cards(100, 101)}</ul>`),
  warnings: [{ code: "rows_may_be_missing", message: `says "${said}"` }],
});

const fromFirst = [visit("/list?page=1"), cardList];

/** Pages of which the second and the third lack the list. */
const sparse: Page = {
  routes: {
    "/list": (request, response) => {
      const page = pageOf(request);
      sendHtml(response, [1, 4].includes(page) ? listOf(page) : "<p>Nothing today.</p>");
    },
  },
  rows: [...lamps(1, 3), ...lamps(10, 12)],
  warnings: [{ code: "rows_may_be_missing", step: 1, count: 2, message: "?page=2 matches .card" }],
};

/** Two pages of so many lamps in all. Page 2 comes for all numbers behind it, and each page has its own numbers of views. */
const viewed = (count: number): Routes => ({
  "/list": (request, response) => {
    const page = pageOf(request);
    const first = page === 1 ? 1 : 4;
    const last = page === 1 ? 3 : count;
    const row = (n: number) =>
      `<li class="card"><a href="/p/${n}">Lamp ${n}</a> <i>${page * 100 + n}</i></li>`;
    const rows = Array.from({ length: last - first + 1 }, (_, index) => row(first + index));
    sendHtml(response, `<ul>${rows.join("")}</ul>`);
  },
});

export default {
  "a list that ends": {
    pagination,
    steps: fromFirst,
    rows: lamps(1, 12),
    variants: {
      "with a page that has nothing": { routes: pagesUpTo(4) },
      "with a page that has nothing, after a first page of another address": {
        routes: pagesUpTo(4),
        steps: [visit("/list"), cardList],
      },
      "where the site has no such page": {
        routes: {
          "/list": (request, response) => {
            const page = pageOf(request);
            sendHtml(response, listOf(page), page > 4 ? 404 : 200);
          },
        },
      },
      "where the site has such a page no more": {
        routes: {
          "/list": (request, response) =>
            sendHtml(response, listOf(pageOf(request)), pageOf(request) > 4 ? 410 : 200),
        },
      },
      "with its last page again": {
        routes: {
          "/list": (request, response) => sendHtml(response, listOf(Math.min(4, pageOf(request)))),
        },
      },
    },
  },
  "a limit within a page, where the page before it is the first one again": {
    rows_limit: 5,
    pagination,
    variants: {
      "at another address": {
        routes: pagesUpTo(4),
        steps: [visit("/list"), cardList],
        rows: lamps(1, 5),
      },
      "because the site ignores the number": {
        routes: { "/list": listOf(1) },
        steps: fromFirst,
        rows: lamps(1, 3),
        warnings: [{ code: "rows_repeated", step: 1 }],
      },
    },
  },
  "a list whose last page comes again and again, each time with something else in it that is not read": {
    routes: counted,
    pagination,
    steps: [visit("/list?page=1"), { ...cardList, fields: [{ name: "name", selector: "a" }] }],
    rows: lamps(1, 12),
    warnings: [{ code: "rows_repeated", step: 1 }],
  },
  "a list whose last page comes again and again, with one other value in each row": {
    pagination: { ...pagination, max_pages: 4 },
    steps: [
      visit("/list?page=1"),
      {
        ...cardList,
        fields: [
          { name: "name", selector: "a" },
          { name: "url", selector: "a", attribute: "href" },
          { name: "views", selector: "i" },
        ],
      },
    ],
    warnings: [{ code: "rows_repeated", step: 1, count: 2, message: "Page 3 of the list" }],
    variants: {
      "of as many rows as the first page": {
        routes: viewed(6),
        rows: (rows) => rows.length === 12,
      },
      "of one row": { routes: viewed(4), rows: (rows) => rows.length === 6 },
    },
  },
  "a page without the list": {
    pagination,
    steps: fromFirst,
    variants: {
      "that has it when it is opened again": {
        routes: () => failingAt(3, { times: 1, html: "<p>We are busy.</p>" }),
        rows: lamps(1, 12),
        loads: 5,
      },
      "that has it when it is opened again, and is the last one": {
        routes: () => failingAt(4, { times: 1, html: "" }),
        rows: lamps(1, 12),
      },
      "that shows an error once, and is the last one": {
        routes: () => failingAt(4, { times: 1, html: "<main><p>Something went wrong.</p></main>" }),
        rows: lamps(1, 12),
      },
      "that always shows an error": {
        routes: () => failingAt(4, { times: 9, html: "<main><p>Something went wrong.</p></main>" }),
        rows: lamps(1, 9),
        warnings: [{ code: "rows_may_be_missing", step: 1, message: 'shows "Something went wrong."' }],
      },
      "before pages that have it": {
        routes: () => failingAt(2, { times: 9, html: "<p>We are busy.</p>" }),
        rows: [...lamps(1, 3), ...lamps(7, 12)],
        warnings: [{ code: "rows_may_be_missing", step: 1, count: 1, message: "a later page has the list" }],
      },
      "before one without it, and pages that have it": sparse,
      "before one without it, where one page at a time is loaded": { ...sparse, concurrency: 1 },
      "where one page at a time is loaded": {
        routes: () => failingAt(3, { times: 1, html: "<p>We are busy.</p>" }),
        concurrency: 1,
        rows: lamps(1, 12),
      },
    },
  },
  "pages that tell how many rows the list has": {
    steps: fromFirst,
    variants: {
      "and leave some out": {
        routes: ranged(2, 10),
        pagination,
        rows: lamps(1, 6),
        warnings: [{ code: "rows_may_be_missing", step: 1, message: "says that it has 10 rows; 6 rows" }],
      },
      "and have them all": { routes: ranged(2, 6), pagination, rows: lamps(1, 6) },
    },
  },
  "pages behind the end that lead": {
    pagination,
    steps: fromFirst,
    variants: {
      "to one that is no page of the list": {
        routes: redirected(cards(100, 104)),
        rows: [...lamps(1, 9), ...lamps(100, 104)],
        warnings: [{ code: "rows_repeated", message: "/elsewhere, has the same rows" }],
      },
      "to one without the list": {
        routes: redirected("<h1>We value your privacy</h1>"),
        rows: lamps(1, 9),
        warnings: [{ code: "rows_may_be_missing", message: "/elsewhere, where nothing matches .card" }],
      },
    },
  },
  "pages behind the end that recommend other rows": {
    pagination,
    steps: fromFirst,
    rows: lamps(1, 9),
    variants: {
      "since nothing was found": recommending("No lamps found."),
      "since there is no such page": recommending("The page you asked for does not exist."),
    },
  },
  "a last page with fewer rows that says, as all of them, that something else was not found": {
    routes: {
      "/list": (request, response) => {
        const page = pageOf(request);
        const list = `<ul>${cards(page * 3 - 2, Math.min(page * 3, 8))}</ul>`;
        sendHtml(response, page < 4 ? `${list}<p>No recent lamps found.</p>` : "");
      },
    },
    pagination,
    steps: fromFirst,
    rows: lamps(1, 8),
  },
  "a page that the site refuses is not the end of the list": {
    routes: {
      "/list": (request, response) =>
        sendHtml(response, listOf(pageOf(request)), pageOf(request) > 2 ? 403 : 200),
    },
    pagination,
    steps: fromFirst,
    rows: lamps(1, 6),
    failure: { code: "http_error", message: "page=3 answered with HTTP 403" },
  },
  "a list whose first page does not have it": {
    routes: pagesUpTo(0, "/list", "<p>We are busy.</p>"),
    pagination,
    steps: [cardList],
    failure: { code: "element_not_found", message: "page=1 matches the list's selector .card" },
  },
  "numbers that start and grow otherwise": {
    routes: {
      "/list": ({ url = "" }, response) => {
        const from = Number(new URL(url, SITE).searchParams.get("from"));
        sendHtml(response, from < 9 ? cards(from + 1, from + 3) : "");
      },
    },
    steps: [visit("/list?from=0"), cardList],
    pagination: { type: "url_template", url: `${SITE}/list?from={page}`, start: 0, step: 3 },
    rows: lamps(1, 9),
  },
  "a first page that is page 0 and page 1": {
    routes: {
      "/list": (request, response) =>
        sendHtml(response, pageOf(request) <= 4 ? listOf(Math.max(1, pageOf(request))) : ""),
    },
    pagination: { ...pagination, start: 0 },
    rows: lamps(1, 12),
    variants: {
      "": { steps: [cardList] },
      "and has another address, too": { steps: [visit("/list"), cardList] },
    },
  },
  "no visit is needed before it": {
    engine: "browser",
    routes: pagesUpTo(4),
    steps: [cardList],
    pagination: { ...pagination, max_pages: 3 },
    rows: lamps(1, 9),
    loads: 3,
    check: (_, site) =>
      deepEqual(
        site.requests.filter((path) => path !== "/robots.txt").toSorted(),
        [1, 2, 3].map((page) => `/list?page=${page}`),
      ),
  },
  "the page that is open is not loaded again, however its address is written": {
    routes: pagesUpTo(2, "/a%20list"),
    steps: [visit("/a%20list?page=1"), cardList],
    pagination: { type: "url_template", url: `${SITE}/a list?page={page}` },
    rows: lamps(1, 6),
    check: (_, site) => equal(site.requests.filter((path) => path.endsWith("page=1")).length, 1),
  },
  "each page's list is waited for as long as the step says": {
    routes: {
      "/list": (request, response) => {
        const page = pageOf(request);
        const list = page <= 3 ? listOf(page) : "";
        const ms = page === 1 ? 0 : 4_000;
        sendHtml(
          response,
          `<main></main><script>setTimeout(() => { document.querySelector("main").innerHTML = ${JSON.stringify(list)}; }, ${ms});</script>`,
        );
      },
    },
    steps: [{ ...cardList, timeout_ms: 8_000 }],
    pagination,
    rows: lamps(1, 9),
  },
} satisfies Pages;
