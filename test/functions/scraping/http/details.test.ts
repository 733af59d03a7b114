import { expect, test } from "@jest/globals";
import { sendHtml } from "../../../site/site.ts";
import { type DetailPage, type DetailSite, plainDetail, startDetailSite } from "./detail-site.ts";

const { compare, run, serveSite, site } = await startDetailSite();

type Html = (page: DetailPage) => string;
const only =
  (number: number, html: Html, other: Html = plainDetail): Html =>
  (page) =>
    page.number === number ? html(page) : other(page);
const withHead =
  (head: (number: number) => string): Html =>
  (page) =>
    plainDetail({ ...page, head: page.head + head(page.number) });
const withScript =
  (script: string): Html =>
  (page) =>
    plainDetail(page).replace("</body>", `<script>${script}</script></body>`);
const scripted = withScript("document.documentElement.dataset.ready = 1");
const serveOnly =
  (
    number: number,
    answer: (...args: Parameters<NonNullable<DetailSite["serve"]>>) => void,
  ): DetailSite["serve"] =>
  (page, response) => {
    if (page.number === number) answer(page, response);
    return page.number === number;
  };

/** Each list with how many of its 20 detail pages the browser opens and finds: without a doubt, 0, 5, 12 and 19. */
const cases: [string, number, DetailSite][] = [
  ["without scripts", 4, {}],
  ["with scripts that do nothing", 5, { html: scripted }],
  [
    "with data of each page in a script that is not run",
    4,
    { html: withHead((number) => `<script type="application/ld+json">{"sku":${number}}</script>`) },
  ],
  [
    "with data of each page in a script",
    20,
    { html: withHead((number) => `<script>window.page = ${number}</script>`) },
  ],
  [
    "with a script that changes a field",
    20,
    { html: withScript("document.querySelector('.price').append(' net')") },
  ],
  [
    "of which one has a script that changes it",
    7,
    { html: only(9, withScript("document.querySelector('.price').append(' net')")) },
  ],
  [
    "of which one has a class that its script looks for",
    9,
    {
      html: (page) =>
        withScript("document.querySelector('.sold .price')?.append(' sold')")({
          ...page,
          head: page.head,
        }).replace(
          '<main class="product',
          page.number === 9 ? '<main class="product sold' : '<main class="product',
        ),
    },
  ],
  [
    "of which one has a style sheet that hides a field",
    7,
    {
      html: only(
        9,
        withHead(() => "<style>.price { display: none }</style>"),
      ),
    },
  ],
  [
    "of which one has a field that a style rule hides",
    7,
    {
      css: ".hidden .price { display: none }",
      html: only(9, (page) => plainDetail(page).replace("product", "product hidden")),
    },
  ],
  ["of which one lacks a field", 6, { html: only(9, (page) => plainDetail(page).replace(/<b .*<\/b>/, "")) }],
  ["of which one has none of the fields", 6, { html: only(9, () => "<p>Sold</p>") }],
  ["of which one has an empty field", 6, { html: only(9, (page) => plainDetail(page, "")) }],
  [
    "with a field that only some have",
    4,
    {
      html: (page) =>
        page.number % 3 === 0 ? plainDetail(page).replace(/<b .*<\/b>/, "") : plainDetail(page),
    },
  ],
  [
    "with a field of several lines",
    4,
    {
      html: (page) => plainDetail(page).replace(/<b .*<\/b>/, "<div class=price><p>One</p><p>Two</p></div>"),
    },
  ],
  [
    "with a field that is a table",
    20,
    {
      html: (page) =>
        plainDetail(page).replace(
          /<b .*<\/b>/,
          "<table class=price><tr><td>One</td><td>Two</td></tr></table>",
        ),
    },
  ],
  ["of which one is not found", 6, { serve: serveOnly(9, (_, response) => response.writeHead(404).end()) }],
  [
    "of which the first is not found",
    3,
    { serve: serveOnly(0, (_, response) => response.writeHead(404).end()) },
  ],
  [
    "of which one leads to another",
    6,
    {
      serve: serveOnly(9, ({ path }, response) => response.writeHead(302, { location: `${path}/3` }).end()),
    },
  ],
  [
    "that lead to one page",
    20,
    {
      serve: ({ number, path }, response) => {
        if (number > 0) response.writeHead(302, { location: `${path}/0` }).end();
        return number > 0;
      },
    },
  ],
  [
    "of which one is no HTML",
    6,
    {
      serve: serveOnly(9, (_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end("{}"),
      ),
    },
  ],
  [
    "of which one is in another encoding",
    7,
    {
      serve: serveOnly(9, (page, response) =>
        response
          .writeHead(200, { "content-type": "text/html; charset=windows-1252" })
          .end(Buffer.from(plainDetail(page, "9 €"), "latin1")),
      ),
    },
  ],
  [
    "that some rows lack",
    3,
    { link: (number, path) => (number % 4 === 1 ? "javascript:void 0" : `${path}/${number}`) },
  ],
  ["that rows share", 4, { link: (number, path) => `${path}/${number % 2}` }],
  ["whose addresses have fragments", 20, { link: (number, path) => `${path}/${number}#price` }],
  ["of which 7 are wanted", 2, { rowsLimit: 7 }],
  ["of which 2 are wanted", 2, { rowsLimit: 2 }],
  ["one at a time", 4, { concurrency: 1 }],
  [
    "of a list of several pages",
    7,
    { rows: 24, perPage: 4, pagination: { type: "next_button", selector: ".next" } },
  ],
];

test.concurrent.each(cases)("details %s are those of the browser", async (_, opened, of) => {
  const told = await compare(of);
  expect(told.http.rows.length).toBeGreaterThan(0);
  expect(told.opened).toBe(opened);
  // Few pages are requested in vain.
  expect(told.requested).toBeLessThan(60);
});

test("pages in doubt end the requests by HTTP", async () => {
  const { requested } = await compare({
    rows: 100,
    html: withHead((number) => `<script>page = ${number}</script>`),
  });
  expect(requested).toBeLessThanOrEqual(110);
});

test("details that a site shows to those with its cookie are those of the browser", async () => {
  const told = await compare({
    serve: ({ number, request }, response) => {
      if (number === 0) response.setHeader("set-cookie", "member=1");
      const isMember = number === 0 || /member=1/.test(request.headers.cookie ?? "");
      sendHtml(response, isMember ? plainDetail({ number, head: "" }) : "<p>Sign in</p>");
      return true;
    },
    concurrency: 1,
  });
  expect(told.http.rows.map(({ price }) => price)).toEqual(Array.from({ length: 20 }, (_, n) => `€${n}.50`));
});

test("details of a list whose pages are read by HTTP, too, are those of the browser", async () => {
  const list = { rows: 60, perPage: 5, pagination: { type: "next_button", selector: ".next" } } as const;
  const { path, counts } = serveSite(list);
  const told = await run(path, list, "http");
  expect(told).toMatchObject({ failure: undefined, warnings: [] });
  expect(told.rows.map(({ price }) => price)).toEqual(Array.from({ length: 60 }, (_, n) => `€${n}.50`));
  expect(counts.opened).toBeLessThan(20);
});

test("details that the browser opens because of a doubt cause a warning with the engine http", async () => {
  const list = { html: withHead((number) => `<script>page = ${number}</script>`) };
  const { path } = serveSite(list);
  const { warnings } = await run(path, list, "http");
  expect(warnings).toMatchObject([
    {
      code: "http_not_used",
      message: expect.stringContaining(`${site.url(path)}/1: it has scripts, elements or classes`),
    },
  ]);
});

test("rows are handed over before all details are read", async () => {
  const list = { rows: 60 };
  const { path } = serveSite(list);
  const { batches } = await run(path, list, "auto");
  expect(batches.map(({ rows }) => rows.length)).toEqual([20, 20, 20]);
});
