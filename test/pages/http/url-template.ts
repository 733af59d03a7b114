import assert from "node:assert/strict";
import { sendHtml } from "../../site/site.ts";
import { OTHER_SITE, type Page, type Pages, pageOf, SITE, visit } from "../page.ts";
import {
  instead,
  listed,
  listStep,
  notByHttp,
  numbered,
  only,
  opened,
  plainPage,
  rowsOf,
  withScript,
} from "../parts/numbered.ts";

/* Lists whose pages have known addresses, read by HTTP. The last of the nine pages, and the one behind it, are opened. */

const template = { type: "url_template", url: `${SITE}/list?page={page}`, start: 2 } as const;
const behind = (answer: Parameters<typeof instead>[1]) => instead(({ number }) => number > 9, answer);
const notFound = behind((response) => response.writeHead(404).end("Not found"));
const byTemplate = (more: Parameters<typeof numbered>[0]) =>
  numbered({ pagination: template, serve: notFound, ...more });
const changed = (page: number, text: (n: number) => string) => [
  ...listed(1, page - 1),
  ...listed(page, page, text),
  ...listed(page + 1, 9),
];

export default {
  "the end of the list": {
    variants: {
      "is not found": byTemplate({ check: (_, site) => assert.equal(opened(site), 3) }),
      // The two pages behind the first without rows are looked at, too.
      "has no rows": byTemplate({ serve: () => false, check: (_, site) => assert.equal(opened(site), 6) }),
      "is the last page again": byTemplate({
        serve: behind((response, page) => sendHtml(response, plainPage({ ...page, rows: rowsOf(9) }))),
      }),
      "leads back to the first page": byTemplate({
        serve: behind((response) => response.writeHead(302, { location: "/list?page=1" }).end()),
      }),
    },
  },
  "the first page has two addresses": byTemplate({
    pagination: { ...template, start: 1 },
    warnings: [notByHttp("it has the same rows as a page before")],
  }),
  limits: {
    variants: {
      "five pages": byTemplate({ pagination: { ...template, max_pages: 5 }, rows: listed(1, 5), loads: 5 }),
      "14 rows": byTemplate({ rows_limit: 14, rows: listed(1, 5).slice(0, 14), loads: 5 }),
      "every second page": byTemplate({
        pagination: { ...template, start: 3, step: 2 },
        rows: [1, 3, 5, 7, 9].flatMap((page) => listed(page, page)),
      }),
    },
  },
  "one page has a script that changes the rows": byTemplate({
    html: only(5, withScript("for (const at of document.querySelectorAll('.name')) at.textContent += '!'")),
    rows: changed(5, (n) => `Lamp ${n}!`),
    warnings: [notByHttp("it has other scripts")],
  }),
  "all pages have scripts that do nothing": byTemplate({ html: withScript("document.title += '!'") }),
  "one page hides what it holds": byTemplate({
    html: only(4, (page) =>
      plainPage({ ...page, rows: page.rows.replaceAll("<span", "<span style='text-transform:uppercase'") }),
    ),
    rows: changed(4, (n) => `LAMP ${n}`),
    warnings: [notByHttp("page=4: the text of an element <span> depends on its layout")],
  }),
  "one page has fewer rows": byTemplate({
    html: only(4, (page) => plainPage({ ...page, rows: page.rows.replace(/<li.*?<\/li>/, "") })),
    rows: listed(1, 9).filter(({ name }) => name !== "Lamp 10"),
  }),
  // A page that is asked for in another way than the first one has no rows.
  "pages are asked for as a browser does that opens them by their addresses": byTemplate({
    pagination: { ...template, max_pages: 6 },
    rows: listed(1, 6),
    routes: () => {
      let first: string | undefined;
      return {
        "/list": (request, response) => {
          const { connection: _, ...headers } = request.headers;
          const asked = JSON.stringify(Object.entries(headers).sort());
          first ??= asked;
          const number = pageOf(request);
          const rows = asked === first ? rowsOf(number) : asked;
          sendHtml(response, plainPage({ number, head: "", rows, next: "" }));
        },
      };
    },
  }),
  "pages of another site, and those that differ by their fragment, are read in the browser": {
    variants: {
      "of another site": elsewhere(`${OTHER_SITE}/list?page={page}`, {
        rows: [
          ...listed(1, 1, (n) => `Lamp ${n} 1`),
          ...listed(2, 3).map(({ name = "", url = "" }) => ({ name, url: url.replace(SITE, OTHER_SITE) })),
        ],
        check: (_, { requests }) =>
          assert.equal(requests.filter((path) => path === "/list?page=2").length, 1),
      }),
      "by their fragment": elsewhere(`${SITE}/list#{page}`, {
        rows: [1, 2, 3].flatMap((page) => listed(1, 1, (n) => `Lamp ${n} ${page}`)),
      }),
    },
  },
} satisfies Pages;

/** Three pages by their addresses. A page without a number in its query shows that of its fragment. */
function elsewhere(url: string, more: Page): Page {
  const script = `<script>const n = Number(location.hash.slice(1)) || 1;
    for (const at of document.querySelectorAll(".name")) at.textContent += " " + n;
    onhashchange = () => location.reload();</script>`;
  return {
    steps: [visit("/list"), listStep],
    pagination: { type: "url_template", url, start: 2, max_pages: 3 },
    engine: "auto",
    concurrency: 1,
    routes: {
      "/list": (request, response) => {
        const number = pageOf(request);
        const page = plainPage({ number, head: "", rows: rowsOf(number), next: "" });
        sendHtml(response, request.url === "/list" ? page.replace("</body>", `${script}</body>`) : page);
      },
    },
    ...more,
  };
}
