import { afterAll, expect, test } from "@jest/globals";
import { sendHtml, startSite } from "../../../site/site.ts";
import { startEngine } from "../harness.ts";
import { type ListedPage, type ListedSite, plainPage, rowsOf, startNumberedSite } from "./numbered-site.ts";

/* Lists whose pages have known addresses. */

const { compare, engine, site } = await startNumberedSite();
const elsewhere = await startSite();
const engineOfBoth = await startEngine([site.host, elsewhere.host]);
afterAll(async () => {
  await engineOfBoth.close();
  await elsewhere.close();
});

/** Answers for pages behind the last one, of which there are nine. */
const behind =
  (answer: (page: ListedPage, response: Parameters<NonNullable<ListedSite["serve"]>>[1]) => void) =>
  (page: ListedPage, response: Parameters<NonNullable<ListedSite["serve"]>>[1]) => {
    if (page.number <= 9) return false;
    answer(page, response);
    return true;
  };
const notFound = behind((_, response) => response.writeHead(404).end("Not found"));
const scripted = (page: ListedPage) =>
  plainPage({ ...page, head: `${page.head}<script>document.documentElement.dataset.ready = 1</script>` });

/**
 * Each list with how many of its nine pages the browser opens. Where there is no doubt, these are 1, 6 and 9, and the one
 * behind the end, if there is any.
 */
const cases: [string, number, ListedSite][] = [
  ["whose end is an answer 404", 3, { template: { start: 2 }, serve: notFound }],
  ["whose end is a page without rows", 4, { template: { start: 2 } }],
  [
    "whose end is the last page again",
    4,
    {
      template: { start: 2 },
      serve: behind((page, response) => sendHtml(response, plainPage({ ...page, rows: rowsOf(9) }))),
    },
  ],
  [
    "whose end leads back to the first page",
    4,
    {
      template: { start: 2 },
      serve: behind(({ request }, response) =>
        response.writeHead(302, { location: `${request.url?.split("?")[0]}?page=1` }).end(),
      ),
    },
  ],
  ["whose first page has two addresses", 5, { template: {}, serve: notFound }],
  ["of which five pages are wanted", 2, { template: { start: 2, max_pages: 5 } }],
  ["of which 14 rows are wanted", 2, { template: { start: 2 }, rowsLimit: 14 }],
  ["of which every second page is wanted", 2, { template: { start: 3, step: 2 }, serve: notFound }],
  ["with scripts that do nothing", 4, { template: { start: 2 }, html: scripted, serve: notFound }],
  [
    "of which one page has a script that changes the rows",
    7,
    {
      template: { start: 2 },
      serve: notFound,
      html: (page) =>
        plainPage(page).replace(
          "</body>",
          page.number === 5
            ? "<script>for (const at of document.querySelectorAll('.name')) at.textContent += '!'</script></body>"
            : "</body>",
        ),
    },
  ],
  [
    "of which one page is styled in another way",
    5,
    {
      template: { start: 2 },
      serve: notFound,
      html: (page) =>
        plainPage(
          page.number === 4
            ? { ...page, rows: page.rows.replace("class=", "style='display:none' class=") }
            : page,
        ),
    },
  ],
  [
    "of which one page has fewer rows",
    3,
    {
      template: { start: 2 },
      serve: notFound,
      html: (page) =>
        plainPage(page.number === 4 ? { ...page, rows: page.rows.replace(/<li.*?<\/li>/, "") } : page),
    },
  ],
];

test.concurrent.each(cases)("reads a list %s", async (_, pages, listed) => {
  const { browser, opened } = await compare(listed);
  expect(browser.failure).toBeUndefined();
  expect(browser.rows.length).toBeGreaterThan(5);
  expect(opened).toBe(pages);
});

test.concurrent("asks for pages as a browser does that opens them by their addresses", async () => {
  const path = site.newPath();
  const asked: Record<string, unknown>[] = [];
  site.setRoute(path, (request, response) => {
    const number = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const { connection: _, ...headers } = request.headers;
    asked.push(headers);
    sendHtml(response, plainPage({ number, head: "", rows: rowsOf(number), next: "" }));
  });
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: ".card", fields: [{ name: "name", selector: ".name" }] },
    ],
    pagination: { type: "url_template", url: `${site.url(path)}?page={page}`, start: 2, max_pages: 6 },
    engine: "http",
    concurrency: 1,
  });
  expect(told.rows).toHaveLength(18);
  expect(told.warnings).toEqual([]);
  // The last one is opened, too.
  expect(asked).toHaveLength(7);
  for (const headers of asked) expect(headers).toEqual(asked[0]);
});

test.concurrent("reads pages of another site, and such that differ by their fragment, in the browser", async () => {
  const path = site.newPath();
  let asked: string[] = [];
  for (const { origin, setRoute } of [site, elsewhere])
    setRoute(path, (request, response) => {
      const { search, searchParams } = new URL(request.url ?? "", origin);
      asked.push(search);
      const number = Number(searchParams.get("page") ?? 1);
      const page = plainPage({ number, head: "", rows: rowsOf(number), next: "" });
      const script = `<script>const n = Number(location.hash.slice(1)) || 1;
        for (const at of document.querySelectorAll(".name")) at.textContent += " " + n;
        onhashchange = () => location.reload();</script>`;
      sendHtml(response, searchParams.size > 0 ? page : page.replace("</body>", `${script}</body>`));
    });
  for (const url of [`${elsewhere.url(path)}?page={page}`, `${site.url(path)}#{page}`]) {
    const job = {
      steps: [
        { type: "visit", url: site.url(path) },
        { type: "get_list", selector: ".card", fields: [{ name: "name", selector: ".name" }] },
      ],
      pagination: { type: "url_template", url, start: 2, max_pages: 3 },
      concurrency: 1,
    } satisfies Parameters<typeof engine.run>[0];
    const browser = await engineOfBoth.run(job);
    asked = [];
    const auto = await engineOfBoth.run({ ...job, engine: "auto" });
    expect(browser.failure).toBeUndefined();
    expect(browser.rows).toHaveLength(9);
    expect(auto.rows).toEqual(browser.rows);
    // By HTTP, it would be requested before it is opened.
    expect(asked.filter((search) => search === "?page=2").length).toBeLessThanOrEqual(1);
  }
});
