import assert from "node:assert/strict";
import type { Page, Pages } from "../page.ts";
import {
  IDLE_SCRIPT,
  type ListedPage,
  listed,
  notByHttp,
  numbered,
  only,
  opened,
  plainPage,
  rowsOf,
  withScript,
} from "../parts/numbered.ts";

/* Lists whose pages are read by HTTP, with a page that is not like the others. */

const scripted = withScript(IDLE_SCRIPT);
const appending = (selector: string, text: string) =>
  `for (const at of document.querySelectorAll("${selector}")) at.textContent += "${text}"`;
const changed = (page: number, text: (n: number) => string) => [
  ...listed(1, page - 1),
  ...listed(page, page, text),
  ...listed(page + 1, 9),
];
/** The control of each page is another one. The list ends with page 6, unless `more` says otherwise. */
const withNext = (change: (next: string) => string, more: Omit<Page, "html"> = {}) =>
  numbered({
    html: (page) => plainPage({ ...page, next: change(page.next) }),
    rows: listed(1, 6),
    ...more,
  });
const handledBy = (script: string, more: Omit<Page, "html">) =>
  numbered({ pages: 5, html: withScript(script), ...more });
const OTHER = "http://127.0.0.1:1/";

/** A list of which a page has other rows for some requests. */
const changing = (number: number, isRight: (page: ListedPage) => boolean): Page =>
  numbered({
    html: only(number, (page) =>
      plainPage({ ...page, rows: rowsOf(number, (n) => `${isRight(page) ? "Lamp" : "Other"} ${n}`) }),
    ),
    warnings: [notByHttp(`page=${number}: the browser shows other rows`)],
  });

export default {
  "pages without scripts: 1, 6 and 9 are opened": numbered({
    loads: 9,
    check: (_, site) => assert.equal(opened(site), 3),
  }),
  "pages with a script that does nothing: 1, 2, 4, 7 and 9 are opened": numbered({
    html: scripted,
    loads: 9,
    check: (_, site) => assert.equal(opened(site), 5),
  }),
  "60 pages: 1, 6, 15, 32, 49 and 60 are opened": numbered({
    pages: 60,
    check: (_, site) => assert.equal(opened(site), 6),
  }),
  "one page has a script that changes its rows": numbered({
    html: only(7, withScript(appending(".name", "!"))),
    rows: changed(7, (n) => `Lamp ${n}!`),
    warnings: [notByHttp("it has other scripts")],
  }),
  "one page has another style sheet": numbered({
    html: only(7, (page) =>
      plainPage({ ...page, head: `${page.head}<style>.name{text-transform:uppercase}</style>` }),
    ),
    rows: changed(7, (n) => `LAMP ${n}`),
    warnings: [notByHttp("it has other style sheets")],
  }),
  "one page has a class that its script looks for": numbered({
    html: withScript(appending(".sold .name", " sold"), (page) =>
      plainPage(page.number === 5 ? { ...page, rows: page.rows.replaceAll("card", "card sold") } : page),
    ),
    rows: changed(5, (n) => `Lamp ${n} sold`),
    warnings: [notByHttp("it has scripts, elements or classes that the pages before do not have")],
  }),
  "each page has a script of its own": numbered({
    html: (page) =>
      withScript(page.number === 3 ? appending(".name", "!") : `window.page = ${page.number}`)(page),
    rows: changed(3, (n) => `Lamp ${n}!`),
    warnings: [notByHttp("page=3: the browser shows other rows")],
  }),
  "each page has a handler of its own": numbered({
    html: (page) =>
      withScript(`const show = (page) => { if (page === "c") ${appending(".name", "!")} };`)(page).replace(
        "<body",
        `<body onload="show('${"abcdefghi"[page.number - 1]}')"`,
      ),
    rows: changed(3, (n) => `Lamp ${n}!`),
    warnings: [notByHttp("page=3: the browser shows other rows")],
  }),
  "one page has a control that leads elsewhere by a script": numbered({
    html: (page) =>
      withScript(`addEventListener("click", (event) => {
        if (!event.target.matches(".skip")) return;
        event.preventDefault();
        location = event.target.href.replace(/page=.*/, "page=8");
      })`)({
        ...page,
        next: page.number === 5 ? page.next.replace("class=next", 'class="next skip"') : page.next,
      }),
    rows: [...listed(1, 5), ...listed(8, 9)],
    warnings: [notByHttp("it has scripts, elements or classes that the pages before do not have")],
  }),
  "one page lacks a field": numbered({
    html: only(4, (page) =>
      plainPage({ ...page, rows: page.rows.replace(/<span class="name">.*?<\/span>/, "x") }),
    ),
    rows: changed(4, (n) => `Lamp ${n}`).map(({ name = "", ...row }) =>
      name === "Lamp 10" ? row : { name, ...row },
    ),
    warnings: [notByHttp("it has a row without a field that all rows before have")],
  }),
  "one page has fewer rows": numbered({
    html: only(5, (page) => plainPage({ ...page, rows: page.rows.replace(/<li.*?<\/li>/, "") })),
    rows: listed(1, 9).filter(({ name }) => name !== "Lamp 13"),
  }),
  "a page comes again": numbered({
    html: only(5, (page) => plainPage({ ...page, rows: rowsOf(4) })),
    rows: [...listed(1, 4), ...listed(4, 4), ...listed(6, 9)],
    warnings: [notByHttp("it has the same rows as a page before"), { code: "rows_repeated", count: 1 }],
  }),
  "a page without rows": numbered({
    html: only(5, (page) => plainPage({ ...page, rows: "" })),
    rows: listed(1, 4),
    warnings: [
      notByHttp("page=5: its HTML has no rows"),
      { code: "rows_may_be_missing", message: "page=5, where nothing matches .card" },
    ],
  }),
  "a login wall": numbered({
    html: only(5, () => "<!doctype html><meta charset=utf-8><form><input type=password></form>"),
    rows: listed(1, 4),
    warnings: [
      notByHttp("page=5: its HTML has no rows"),
      { code: "rows_may_be_missing", message: "page=5, where nothing matches .card" },
    ],
  }),
  "a control that goes nowhere": {
    variants: {
      "back to page 2": withNext((next) => next.replace("page=7", "page=2")),
      "to its own page": withNext((next) => next.replace("page=7", "page=6")),
      "because it is disabled": withNext((next) =>
        next.replace(/class=(next href=".*page=7")/, 'class="$1 disabled"'),
      ),
    },
  },
  "a control that leads to another site": withNext(
    (next) => next.replace(/href=".*page=7"/, `href="${OTHER}"`),
    { failure: { code: "robots_disallowed", message: OTHER } },
  ),
  "a control by its name": withNext((next) => next.replace("</a>", " »</a>"), {
    pagination: { type: "next_button", field_name: "next" },
    rows: listed(1, 9),
  }),
  "a control that a script handles in its own way": {
    variants: {
      "another address": handledBy(
        "addEventListener('click', (event) => { if (!event.target.matches('.next')) return; event.preventDefault(); location = event.target.href + '&by=script' })",
        {
          check: (_, site) =>
            assert.equal(site.requests.filter((path) => path.endsWith("&by=script")).length, 4),
        },
      ),
      "rows of its own": handledBy(
        "addEventListener('click', async (event) => { if (event.target.className !== 'next') return; event.preventDefault(); document.body.innerHTML = new DOMParser().parseFromString(await (await fetch(event.target.href)).text(), 'text/html').body.innerHTML.replaceAll('Lamp', 'Lampe') })",
        {
          rows: [...listed(1, 1), ...listed(2, 5, (n) => `Lampe ${n}`)],
          warnings: [notByHttp("its address does not lead to it")],
        },
      ),
    },
  },
  // Those that are opened both ways. The first page is opened before it is read by HTTP.
  "pages that show other rows by HTTP than in the browser": {
    variants: Object.fromEntries(
      [6, 9].map((number) => [
        `page ${number}`,
        { ...changing(number, ({ times }) => times % 2 === 0), isStateful: true },
      ]),
    ),
  },
  "pages that show other rows once they were requested": {
    variants: Object.fromEntries(
      [6, 9].map((number) => {
        const page = changing(number, ({ times }) => times > 1);
        const warning = { code: "rows_may_be_missing", message: `page=${number} had other rows when` };
        return [`page ${number}`, { ...page, warnings: [warning, ...(page.warnings ?? [])] }];
      }),
    ),
  },
} satisfies Pages;
