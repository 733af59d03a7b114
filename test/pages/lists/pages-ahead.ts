import { deepEqual, ok } from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pagination } from "../../../functions/contract/scrapers/scraper.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Told } from "../../functions/scraping/harness.ts";
import { type Handler, type Site, sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Page, type Pages, pageOf, SCRIPT, SITE, visit } from "../page.ts";

/*
 * Pages of a list that load side by side, ahead of the one that is read. They tell the same as pages that load one by one:
 * each server here answers with other rows, or none, where a page is requested in another way than a person's browser does.
 */

/** Long enough for loading ahead to be worthwhile. */
const ANSWER_MS = 50;
/** Pages of a list. */
const PAGES = 6;

/** A page as its server answers it; what is left out is as usual. */
interface Answer {
  rows?: string;
  next?: string;
  body?: string;
  status?: number;
  location?: string;
  cookie?: string;
}

/** A list of three rows a page. */
function shop(
  answer: (page: number, request: IncomingMessage) => Answer | Promise<Answer>,
  count = PAGES,
): Handler {
  return async (request, response) => {
    const page = pageOf(request);
    const { status = 200, location, cookie, ...content } = await answer(page, request);
    await sleep(ANSWER_MS);
    if (cookie !== undefined) response.setHeader("set-cookie", cookie);
    if (location !== undefined) return void response.writeHead(302, { location }).end();
    const rows = content.rows ?? (page <= count ? cards(page * 3 - 2, page * 3) : "");
    const next = content.next ?? (page < count ? linkTo(page + 1) : "");
    sendHtml(response, `<ul>${rows}</ul>${next}${content.body ?? ""}`, status);
  };
}
const linkTo = (page: number) => `<a class=next href="/?page=${page}">Next</a>`;

const detailed: Step[] = [
  visit(),
  {
    ...cardList,
    fields: [{ name: "name" }, { name: "url", selector: "a", attribute: "href" }],
    details: { url_field: "url", fields: [{ name: "title", selector: "h1" }] },
  },
];
const nextLink: Pagination = { type: "next_button", selector: ".next" };
const paged = (answer: Parameters<typeof shop>[0], more: Page = {}): Page => ({
  routes: () => ({ "/": shop(answer) }),
  pagination: nextLink,
  rows: lamps(1, 3 * PAGES),
  loads: PAGES,
  ...more,
});

/** The numbers of the pages that were requested, in their order. */
const requested = ({ requests }: Site) =>
  requests
    .filter((path) => path === "/" || path.startsWith("/?"))
    .map((url) => pageOf({ url }))
    .sort((a, b) => a - b);

/** Each page is requested once, and at most three behind the last. */
const once =
  (last: number, most = last + 3) =>
  (_: Told, site: Site) => {
    const pages = requested(site);
    deepEqual(
      pages.filter((page) => page <= last),
      Array.from({ length: last }, (_, index) => index + 1),
    );
    ok(Math.max(...pages) <= most, `page ${Math.max(...pages)} was requested`);
  };

/** Pages of which the fourth, which is the first to be loaded ahead, is held until the fifth is requested. */
function together(body: string, count = 8): Handler {
  const asked = Promise.withResolvers<void>();
  return shop(async (page) => {
    if (page === 5) asked.resolve();
    if (page === 4) await asked.promise;
    return { body };
  }, count);
}

/** A page's script shows other rows unless the page before has left its number. */
const noted = (read: string, write: string): Page =>
  paged(() => ({
    body: `<script>const page = new URLSearchParams(location.search).get("page") ?? 1;
      if (Number(${read}) !== page - 1) for (const card of document.querySelectorAll(".card")) card.textContent = "Not from page " + (page - 1); ${write};</script>`,
  }));

export default {
  "load side by side": {
    isParallel: true,
    engine: "browser",
    variants: {
      "without scripts": {
        routes: () => ({ "/": together("") }),
        check: once(8),
      },
      // A page's script hears each click once.
      "with scripts": {
        routes: () => ({
          "/": together(
            `<script>document.querySelector(".next")?.addEventListener("click", () => navigator.sendBeacon("/clicked" + location.search))</script>`,
          ),
          "/clicked": (_, response) => void response.writeHead(204).end(),
        }),
        check(told, site) {
          once(8)(told, site);
          const clicks = site.requests.filter((path) => path.startsWith("/clicked"));
          deepEqual(clicks, [...new Set(clicks)]);
        },
      },
    },
    pagination: nextLink,
    rows: lamps(1, 24),
    loads: 8,
  },
  "up to max_pages": {
    engine: "browser",
    routes: () => ({ "/": shop(() => ({ body: SCRIPT }), 12) }),
    pagination: { ...nextLink, max_pages: PAGES },
    rows: lamps(1, 3 * PAGES),
    check: once(PAGES, PAGES),
  },
  "with a cookie that changes from page to page, which the next one depends on": paged(
    (page, request) => {
      const before = Number(/last=(\d+)/.exec(request.headers.cookie ?? "")?.[1] ?? 0);
      return {
        cookie: `last=${page}; HttpOnly`,
        ...(before !== page - 1 && { rows: cards(1, 3, () => `Not from page ${page - 1}`) }),
      };
    },
    { engine: "browser" },
  ),
  "that note their place": {
    variants: {
      "in the tab's storage": noted("sessionStorage.page ?? 0", "sessionStorage.page = page"),
      "in the site's storage": noted("localStorage.page ?? 0", "localStorage.page = page"),
      "in the tab's name": noted('name || "0"', "name = page"),
      "in a cookie": noted("/page=(.*)/.exec(document.cookie)?.[1] ?? 0", "document.cookie = 'page=' + page"),
    },
  },
  "with details, of which no more than four load at the same time": {
    routes: () => {
      let answering = 0;
      return {
        "/": shop(() => ({})),
        ...Object.fromEntries(
          lamps(1, 3 * PAGES).map((_, index) => [
            `/p/${index + 1}`,
            async (_, response) => {
              answering += 1;
              const most = answering;
              await sleep(ANSWER_MS);
              answering -= 1;
              sendHtml(response, `<h1>${most <= 4 ? `Detail ${index + 1}` : `One of ${most}`}</h1>`);
            },
          ]),
        ),
      } as Record<string, Handler>;
    },
    steps: detailed,
    pagination: nextLink,
    rows: lamps(1, 3 * PAGES).map((row, index) => ({
      ...row,
      url: `${SITE}/p/${index + 1}`,
      title: `Detail ${index + 1}`,
    })),
    loads: PAGES + 3 * PAGES,
  },
  "whose server shows details of the page that was requested last": {
    engines: ["browser", "auto"],
    routes: () => {
      let latest = 0;
      const detail: Handler = ({ url }, response) =>
        sendHtml(response, `<h1>Detail ${latest * 3 - 3 + Number(url?.slice(-1))}</h1>`);
      return {
        "/": shop((page) => {
          latest = page;
          const rows = cards(page * 3 - 2, page * 3);
          return { rows: rows.replaceAll(/p\/(\d+)/g, (_, n) => `p/${((n - 1) % 3) + 1}`) };
        }),
        "/p/1": detail,
        "/p/2": detail,
        "/p/3": detail,
      };
    },
    steps: detailed,
    rows: lamps(1, 3 * PAGES).map((row, index) => ({
      ...row,
      url: `${SITE}/p/${(index % 3) + 1}`,
      title: `Detail ${index + 1}`,
    })),
    variants: {
      "by a control": { pagination: nextLink },
      "by a template": {
        pagination: { type: "url_template", url: `${SITE}/?page={page}`, max_pages: PAGES },
      },
    },
  },
  "that end": {
    variants: {
      "where the server has no more, and sets a cookie that stays": paged((page) => ({
        cookie: "session=1; HttpOnly",
        ...(page > PAGES && { status: 404 }),
      })),
      "where the server answers with the first page, to which the last one leads": paged(
        (page) =>
          page > PAGES ? { location: "/?page=1" } : page === PAGES ? { next: linkTo(PAGES + 1) } : {},
        { loads: PAGES + 1 },
      ),
      "where a script keeps the link from leading anywhere": paged(
        (page) => ({
          body:
            page === 5
              ? `<script>document.querySelector(".next").addEventListener("click", (event) => event.preventDefault())</script>`
              : SCRIPT,
        }),
        { rows: lamps(1, 15), loads: 5 },
      ),
    },
  },
  "of which one": {
    variants: {
      "leads elsewhere": paged((page) => ({ body: SCRIPT, ...(page === 4 && { next: linkTo(6) }) }), {
        rows: [...lamps(1, 12), ...lamps(16, 18)],
        loads: 5,
      }),
      fails: paged((page) => (page === 5 ? { status: 403 } : {}), {
        rows: lamps(1, 12),
        failure: { code: "http_error", step: 1, message: "403" },
        loads: 4,
      }),
    },
  },
  "of a server that answers one of those with 429": {
    routes: () => {
      let hasRefused = false;
      return {
        "/": shop((page) => {
          if (page < 4 || hasRefused) return {};
          hasRefused = true;
          return { status: 429 };
        }),
      };
    },
    pagination: nextLink,
    rows: lamps(1, 3 * PAGES),
    loads: PAGES,
  },
} satisfies Pages;
