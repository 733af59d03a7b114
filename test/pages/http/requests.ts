import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Site, sendHtml } from "../../site/site.ts";
import { type Page, type Pages, pageOf, type Routes, visit } from "../page.ts";
import { IDLE_SCRIPT, listed, listStep, notByHttp, plainPage, rowsOf } from "../parts/numbered.ts";

/* What a run that reads pages by HTTP requests, and when. */

const nextButton = { type: "next_button", selector: ".next" } as const;
/** Servers that answer at once need no pages ahead. */
const LATENCY_MS = 60;

interface Requested extends Page {
  pages: number;
  head?: string;
  /** For each run: what returns the rows of a page. */
  create?: () => (request: IncomingMessage, page: number) => string | Promise<string>;
  others?: (site: Site) => Routes;
}

const slowly = () => async (_: IncomingMessage, page: number) => {
  await sleep(LATENCY_MS);
  return rowsOf(page);
};

const list = ({ pages, head = "", create = slowly, others, ...page }: Requested): Page => ({
  steps: [visit("/list"), listStep],
  pagination: nextButton,
  engine: "http",
  concurrency: 4,
  rows: listed(1, pages),
  routes: (site) => {
    const answer = create();
    return {
      "/list": async (request, response) => {
        const number = pageOf(request);
        const rows = await answer(request, number);
        const next = number < pages ? `<a class=next href="/list?page=${number + 1}">Next</a>` : "";
        sendHtml(response, plainPage({ number, head, rows, next }));
      },
      ...others?.(site),
    };
  },
  ...page,
});
const requested = (...paths: string[]) => {
  return (_: unknown, { requests }: Site) =>
    assert.deepEqual(requests.filter((path) => path.startsWith("/list")).sort(), paths);
};

export default {
  // The second page is opened, the third one is read by HTTP. Instead of other headers, it has the difference.
  "pages are requested with the headers of the browser": list({
    pages: 5,
    head: `<script>${IDLE_SCRIPT}</script>`,
    concurrency: 1,
    create: () => {
      let opened: string | undefined;
      return (request, page) => {
        const { connection: _, referer, ...headers } = request.headers;
        const named = `${referer?.split("/").at(-1)} ${JSON.stringify(Object.entries(headers).sort())}`;
        if (page === 2) opened = named;
        const isSame = page !== 3 || opened?.replace("list ", "list?page=2 ") === named;
        return rowsOf(page, (n) => (isSame ? `Lamp ${n}` : `${named} for ${opened}`));
      };
    },
    check: (_, { requests }) => assert.equal(requests.filter((path) => path === "/list?page=3").length, 1),
  }),
  "no page ahead is requested that is not wanted": {
    variants: {
      "3 rows": list({ pages: 9, rows_limit: 3, rows: listed(1, 1), check: requested("/list") }),
      "6 rows": list({
        pages: 9,
        rows_limit: 6,
        rows: listed(1, 2),
        check: requested("/list", "/list?page=2", "/list?page=2"),
      }),
      "3 pages": list({
        pages: 9,
        pagination: { ...nextButton, max_pages: 3 },
        rows: listed(1, 3),
        check: requested("/list", "/list?page=2", "/list?page=3", "/list?page=3"),
      }),
    },
  },
  "pages are read by HTTP while others load ahead in the browser": {
    variants: {
      "without scripts": list({ pages: 15, loads: 15 }),
      "with scripts": list({ pages: 15, loads: 15, head: "<script>window.ready = 1</script>" }),
    },
  },
  "robots.txt disallows a page, which is not requested": list({
    pages: 9,
    others: () => ({
      "/robots.txt": (_, response) => {
        response
          .writeHead(200, { "content-type": "text/plain" })
          .end("User-agent: *\nDisallow: /list?page=4");
      },
    }),
    rows: listed(1, 3),
    failure: "robots_disallowed",
    warnings: [notByHttp("page=4: it could not be read now")],
    check: (_, { requests }) => assert.ok(!requests.includes("/list?page=4")),
  }),
} satisfies Pages;
