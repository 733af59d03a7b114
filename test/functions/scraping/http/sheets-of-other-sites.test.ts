import { afterAll, expect, test } from "@jest/globals";
import type { ReadingEngine } from "../../../../functions/scraping/job.ts";
import { sendHtml, startSite } from "../../../site/site.ts";
import { startEngine } from "../harness.ts";
import { plainPage, rowsOf } from "./numbered-site.ts";

/* Lists whose style sheets are on another site, as shops and services for fonts have them. */

const site = await startSite();
const cdn = await startSite();
const engine = await startEngine([site.host, cdn.host]);
afterAll(async () => {
  await engine.close();
  await Promise.all([site.close(), cdn.close()]);
});

const PAGES = 7;

/**
 * Reads a list in the browser alone and by HTTP.
 * @param css undefined for a style sheet that is not found
 */
async function read(css: string | undefined, className: (page: number) => string = () => "card") {
  const path = site.newPath();
  const requested = { pages: 0, sheets: 0 };
  cdn.setRoute(`${path}.css`, (_, response) => {
    requested.sheets += 1;
    if (css === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/css", "cache-control": "max-age=60" }).end(css);
  });
  site.setRoute(path, (request, response) => {
    requested.pages += 1;
    const number = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const rows = rowsOf(number).replaceAll("card", className(number));
    const head = `<link rel=stylesheet href="${cdn.url(path)}.css">`;
    const next = number < PAGES ? `<a class=next href="${path}?page=${number + 1}">Next</a>` : "";
    sendHtml(response, plainPage({ number, head, rows, next }));
  });
  const run = (name: ReadingEngine) =>
    engine.run({
      steps: [
        { type: "visit", url: site.url(path) },
        { type: "get_list", selector: ".card", fields: [{ name: "name", selector: ".name" }] },
      ],
      pagination: { type: "next_button", selector: ".next" },
      engine: name,
      concurrency: 1,
    });
  const browser = await run("browser");
  Object.assign(requested, { pages: 0, sheets: 0 });
  const http = await run("http");
  expect(browser.failure).toBeUndefined();
  expect(browser.rows).toHaveLength(PAGES * 3);
  expect(http.rows).toEqual(browser.rows);
  return { rows: http.rows, warnings: http.warnings, requested };
}

test.concurrent("a style sheet that changes no text: the list is read by HTTP", async () => {
  const told = await read("@font-face { font-family: Serif; src: url(x.woff2) } .name { color: red }");
  expect(told.warnings).toEqual([]);
  // Two pages are checked. Nothing but the browser asks for the style sheet.
  expect(told.requested).toEqual({ pages: PAGES + 2, sheets: 1 });
});

test.concurrent.each([
  ["a rule that changes texts", ".name { text-transform: uppercase }"],
  ["a rule in a group", "@media screen { .name { text-transform: uppercase } }"],
  ["imports", "@import 'more.css'; .name { color: red }"],
  ["imports that an escape hides", "@im\\70ort 'more.css';"],
  ["an answer 404", undefined],
])("a style sheet with %s: the list is read in the browser", async (_, css) => {
  const told = await read(css);
  expect(told.warnings).toMatchObject([{ code: "http_not_used" }]);
});

test.concurrent("a rule that changes the texts of one page: that page is read in the browser", async () => {
  const told = await read(".loud .name { text-transform: uppercase }", (page) =>
    page === 4 ? "card loud" : "card",
  );
  expect(told.rows.map(({ name }) => name)).toEqual(
    Array.from({ length: PAGES * 3 }, (_, n) => (n >= 9 && n < 12 ? `LAMP ${n + 1}` : `Lamp ${n + 1}`)),
  );
  expect(told.warnings).toMatchObject([
    { code: "http_not_used", message: expect.stringContaining("page=4: the text of an element") },
  ]);
});
