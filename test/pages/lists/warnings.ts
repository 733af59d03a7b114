import type { Pagination } from "../../../functions/contract/scrapers/scraper.ts";
import type { StepOf } from "../../../functions/contract/steps/steps.ts";
import { type Handler, sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Page, type Pages, pageOf, SITE, visit } from "../page.ts";

/* What a run warns of although its rows are there, and lists that are missing. */

const reading = (list: Partial<StepOf<"get_list">> = {}) => [visit(), { ...cardList, ...list }];
const list = `<ul>${cards(1, 3)}</ul>`;
const missing = (message: string) => ({ code: "rows_may_be_missing", step: 1, message });

const nextLink: Pagination = { type: "next_button", selector: ".next" };
const template: Pagination = { type: "url_template", url: `${SITE}/?page={page}` };

/** Pages of three rows; the last of them has no link. */
const pages =
  (count: number, body: (page: number) => string): Handler =>
  (request, response) => {
    const page = pageOf(request);
    sendHtml(response, body(page) + (page < count ? `<a class=next href="/?page=${page + 1}">Next</a>` : ""));
  };

const priced = (page: number, hasPrice: (n: number) => boolean) =>
  cards(
    page * 3 - 2,
    page * 3,
    (n) => `<b>Lamp ${n}</b><i class="${hasPrice(n) ? "price" : "amount"}">${n} €</i>`,
  );
const pricedRows = (hasPrice: (n: number) => boolean) =>
  lamps(1, 12).map((row, at) => ({ ...row, ...(hasPrice(at + 1) && { price: `${at + 1} €` }) }));

const noList: Page = {
  html: "<p>Our lamps come back soon.</p>",
  steps: reading({ timeout_ms: 300 }),
  failure: { code: "element_not_found", step: 1, message: "mark the step as optional" },
};

/** What pages without results say, each followed by a text of another part of the page. */
const noResults = (said: string): Page => ({
  html: `<header>0 items</header><main><h1>Lamps</h1>${said}<p>Our lamps come back soon.</p></main>`,
  steps: reading({ timeout_ms: 300 }),
});
const elsewhere = (said: string): Page => ({ ...noList, html: `${said}<p>Our lamps come back soon.</p>` });

/** Ends with its sixth row. */
const ending = (atEnd: string, more = "", before = ""): Page => ({
  html: `<ul id=list>${cards(1, 3)}</ul><button id=more>More</button><p id=state></p>${more}
    <script>const wait = (ms) => new Promise((then) => setTimeout(then, ms)); let n = 3; more.onclick = async () => {
      ${before}
      if (n < 6) for (let i = 0; i < 3; i++) list.insertAdjacentHTML("beforeend", "<li class=card>Lamp " + ++n);
      else { ${atEnd} }
    };</script>`,
  pagination: { type: "load_more", selector: "#more" },
  rows: lamps(1, 6),
});
const FAILED = "<p id=failed hidden>Loading failed.</p>";
const toast = (show: string) =>
  `const box = document.createElement("div"); box.textContent = "Something went wrong."; ${show}`;

/** A list that requests its parts; the third one fails. */
const failing = (status: number, script: string, pagination: Pagination, more = ""): Page => ({
  html: `<ul>${cards(1, 3)}</ul>${more}<script>const list = document.querySelector("ul"); let page = 1;
    const ask = (then) => fetch("/data?page=" + (page + 1)).then((answer) => { if (!answer.ok) throw answer; return answer.text(); })
      .then((html) => { page += 1; then(html); }).catch(() => {});
    ${script}</script>`,
  routes: {
    "/data": (request, response) => {
      const page = pageOf(request);
      if (page > 2) response.writeHead(status).end();
      else sendHtml(response, cards(page * 3 - 2, page * 3));
    },
    "/me": (_, response) => void response.writeHead(401).end(),
  },
  pagination,
  rows: lamps(1, 6),
});
const BUTTON = "<button id=more>More</button>";
const APPEND = 'list.insertAdjacentHTML("beforeend", html);';
const noData = [missing("after the last rows that were read, and got no data")];

/** Slides of which the page has three at a time. They stand side by side in their strip, as far as that is moved. */
const slides: Page = {
  html: `<div style="overflow:hidden;width:300px"><div id=strip style="display:flex"></div></div><button id=next>Next</button><script>
    let first = 0;
    const show = () => {
      strip.style.transform = "translate3d(-" + 100 * first + "px, 0px, 0px)";
      strip.innerHTML = [1, 2, 3].map((n) => "<div class=card style='left: " + 100 * first + "px; width: 100px'>Lamp " + (first + n) + "</div>").join("");
      next.disabled = first === 6;
    };
    next.onclick = () => { first += 1; show(); };
    show();
  </script><style>.card { position: relative; flex: none }</style>`,
};

export default {
  "slides of which only those near the view exist": {
    ...slides,
    variants: {
      "are told of": { rows: lamps(1, 3), warnings: [missing("moves its rows as slides")] },
      "are all read by the control that moves them": {
        steps: reading({ key: ["name"] }),
        pagination: { type: "next_button", selector: "#next" },
        rows: lamps(1, 9),
      },
    },
  },
  "slides of which only those near the view are filled": {
    html: `<div style="overflow:hidden;width:300px"><div style="display:flex;transform:translate3d(-300px, 0px, 0px)">${[
      1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]
      .map((n) => `<div class=slide style="width:100px;flex:none">${n > 3 && n < 7 ? cards(n, n) : ""}</div>`)
      .join("")}</div></div><script></script>`,
    rows: lamps(4, 6),
    warnings: [missing("moves its rows as slides")],
  },
  "a run that stops at a limit that nobody has stated": {
    html: cards(1, 1_001),
    steps: reading(),
    rows: lamps(1, 1_000),
    warnings: [{ code: "rows_limit_reached", step: 1, message: "stopped at 1,000 rows, the default limit" }],
  },
  "a run that stops at its own limit, although it is the default one": {
    html: cards(1, 1_001),
    steps: reading(),
    rows_limit: 1_000,
    rows: lamps(1, 1_000),
  },
  "fields that no row has, or that are blank in every row": {
    html: cards(1, 3, (n) => `Lamp ${n}<i> </i>`),
    steps: reading({
      fields: [
        { name: "name" },
        { name: "price", selector: ".prize" },
        { name: "stock", selector: "i" },
        { name: "sku", attribute: "data-sku" },
      ],
    }),
    rows: lamps(1, 3).map((row) => ({ ...row, stock: "" })),
    warnings: [
      { code: "field_empty", step: 1, field: "price", message: "selector .prize" },
      { code: "field_empty", step: 1, field: "stock", message: '"stock"' },
      { code: "field_empty", step: 1, field: "sku", message: "attribute data-sku" },
    ],
  },
  "a field that rows of the pages before have": {
    steps: reading({
      fields: [
        { name: "name", selector: "b" },
        { name: "price", selector: ".price" },
      ],
    }),
    pagination: nextLink,
    variants: {
      "and none of a page has": {
        routes: { "/": pages(4, (page) => priced(page, () => page !== 2)) },
        rows: pricedRows((n) => n < 4 || n > 6),
        warnings: [{ code: "field_empty", step: 1, field: "price", message: "page=2 has a value" }],
      },
      "and some of a page have": {
        routes: { "/": pages(4, (page) => priced(page, (n) => n !== 4 && n !== 5)) },
        rows: pricedRows((n) => n !== 4 && n !== 5),
      },
      "but not each of them": {
        routes: { "/": pages(4, (page) => priced(page, (n) => n !== 2 && n < 10)) },
        rows: pricedRows((n) => n !== 2 && n < 10),
      },
    },
  },
  "rows without any value among others": {
    html: "<table><tr class=card><th>Name<tr class=card><td><b>Lamp 1</b><tr class=card><td><b> </b></table>",
    steps: reading({ fields: [{ name: "name", selector: "b" }] }),
    rows: [{}, { name: "Lamp 1" }, { name: "" }],
    warnings: [{ code: "rows_empty", step: 1, count: 2, message: "2 of the 3 rows" }],
  },
  "rows that have none of their fields": {
    html: list,
    steps: reading({
      fields: [
        { name: "name", selector: ".titel" },
        { name: "price", selector: ".prize" },
      ],
    }),
    failure: { code: "fields_not_found", step: 1, message: /\.titel.*\.prize/ },
  },
  "a run that fails after its last rows": {
    html: `${list}<p><a href="/nowhere">Next lamps</a></p>`,
    pagination: { type: "next_button", field_name: "Next" },
    rows: lamps(1, 3),
    failure: "http_error",
    warnings: ["pagination_guessed"],
  },
  "a page without the list": {
    variants: {
      "": noList,
      "with a button": { ...noList, pagination: { type: "next_button", field_name: "Next" } },
      "in a list that grows": { ...noList, pagination: { type: "infinite_scroll" } },
      "at the addresses of a template": { ...noList, pagination: template },
      "that may have none": {
        html: "<p>Our lamps come back soon.</p>",
        steps: reading({ timeout_ms: 300, optional: true }),
      },
      "whose search form says so": elsewhere("<div role=search>No results</div>"),
      "that says so where nobody sees it": elsewhere("<p hidden>No results</p>"),
      "that does not exist": elsewhere("<h1>No page found</h1>"),
      "that speaks of results in a long text": elsewhere(
        `<p>We guarantee no results. ${"Lamps! ".repeat(30)}</p>`,
      ),
    },
  },
  "a search without results": {
    variants: {
      "": noResults("<p>No results.</p>"),
      "with a button": {
        ...noResults("<p>No results.</p>"),
        pagination: { type: "next_button", field_name: "Next" },
      },
      "in a list that grows": { ...noResults("<p>No results.</p>"), pagination: { type: "infinite_scroll" } },
      "at the addresses of a template": { ...noResults("<p>No results.</p>"), pagination: template },
      "that says how many": noResults("<p><b>0</b> matching results</p>"),
      "that says which": noResults("<p>0–0 of 0</p>"),
      "of a shop": noResults("<p>No products were found matching your selection.</p>"),
      "in German": noResults("<p>Leider keine Treffer für „Lampe“</p>"),
      "in French": noResults("<p>Aucun résultat pour « lampe »</p>"),
      "in Japanese": noResults("<p>お探しの商品は見つかりませんでした</p>"),
    },
  },
  "a search without results that shows other rows": {
    html: `<main><h1>No results for “desk”</h1><h2>You may like</h2>${list}</main>`,
    rows: lamps(1, 3),
    variants: {
      "": {
        steps: [visit("/?q=desk&page=1"), cardList],
        warnings: [{ code: "rows_may_be_missing", step: 1, message: "the rows may be others" }],
      },
      "beside what was searched for": { steps: [visit("/?q=lamp"), cardList] },
    },
  },
  "a button that an infinite list does not have": {
    html: `${list}<button class=more onclick="this.remove()">Load more</button>`,
    rows: lamps(1, 3),
    variants: {
      "where the page has another": {
        pagination: { type: "infinite_scroll", load_more: { selector: ".moer" } },
        warnings: [{ code: "pagination_control_missing", step: 1, message: '"load more" below' }],
      },
      "any more": { pagination: { type: "infinite_scroll", load_more: { selector: ".more" } } },
    },
  },
  "a page that says beside its list that it could not load more": {
    variants: {
      "": {
        ...ending('state.innerHTML = "Something went wrong. <button>Try again</button>"'),
        warnings: [missing("beside the last rows that were read")],
      },
      "in place of its button": {
        ...ending('more.outerHTML = "<div>Unable to load more lamps</div>"'),
        warnings: [missing("beside the last rows that were read")],
      },
      "although its list is whole": { html: `${list}<p>1–3 of 3</p><p>Try again</p>`, rows: lamps(1, 3) },
    },
  },
  "a page that says for some seconds that it could not load more": {
    variants: {
      "in an element that it removes again": {
        ...ending(toast("document.body.append(box); setTimeout(() => box.remove(), 3_000)")),
        warnings: [missing('shows "Something went wrong."')],
      },
      "in an element that it empties again": {
        ...ending(
          'state.textContent = "Could not load more lamps."; setTimeout(() => { state.textContent = "" }, 4_000)',
        ),
        warnings: [missing('shows "Could not load more lamps."')],
      },
      "in an element that it hides again": {
        ...ending("failed.hidden = false; setTimeout(() => { failed.hidden = true }, 3_000)", FAILED),
        warnings: [missing('shows "Loading failed."')],
      },
      "when it is scrolled": {
        html: `<style>.card { height: 300px }</style><ul id=list>${cards(1, 6)}</ul><script>
          onscroll = () => { onscroll = null; setTimeout(() => { ${toast("document.body.append(box); setTimeout(() => box.remove(), 3_000)")} }, 200); };</script>`,
        pagination: { type: "infinite_scroll" },
        rows: lamps(1, 6),
        warnings: [missing('shows "Something went wrong."')],
      },
      "before it loads them all the same": ending(
        "",
        FAILED,
        "if (n < 6) { failed.hidden = false; await wait(3_000); failed.hidden = true; }",
      ),
      "in one of its rows": ending(
        'const { lastChild } = list; const { textContent } = lastChild; setTimeout(() => { lastChild.append(" Try again"); setTimeout(() => { lastChild.textContent = textContent; }, 3_000); }, 500)',
      ),
    },
  },
  "a page that says in a row of its list that it could not load more": {
    variants: {
      "": {
        ...ending(
          'list.insertAdjacentHTML("beforeend", "<li class=card>Loading failed. <button>Try again</button>")',
        ),
        warnings: [missing('shows "Loading failed. Try again" beside the last rows')],
      },
      "that looks like the others": {
        html: `<ul><li class=card>Lamp 1<li class=card>Something went wrong. Try again</ul>`,
        rows: lamps(1, 1),
        warnings: [missing('shows "Something went wrong. Try again" beside the last rows')],
      },
      "which is a row like the others": {
        html: `<ul><li class=card>Lamp 1<li class=card>Try again</ul>`,
        rows: [...lamps(1, 1), { name: "Try again" }],
      },
    },
  },
  "a page that declares more than was read": {
    html: `${list}<p>Showing 1 to 3 of 57 entries</p>`,
    rows: lamps(1, 3),
    variants: {
      "in a text": { warnings: [missing("3 of 57 rows are shown; 3 rows were read")] },
      "than was wanted": { rows_limit: 2, rows: lamps(1, 2) },
      "by its number": {
        html: `${list}<p>Page 1 of 7</p>`,
        warnings: [missing("says that it shows page 1 of 7")],
      },
      "in aria-rowcount": {
        html: `<table aria-rowcount=400>${[1, 2, 3].map((n) => `<tr class=card><td>Lamp ${n}`).join("")}</table>`,
        warnings: [missing("aria-rowcount that the list has 400 rows")],
      },
    },
  },
  "a page that declares what was read": {
    rows: lamps(1, 3),
    variants: {
      "in a text": { html: `${list}<p>1–3 of 3, page 1 of 7</p>` },
      "by its number": { html: `${list}<p>Page 7 of 7</p>` },
      "in aria-rowcount, with headings of groups": {
        html: `<table aria-rowcount=5><tr aria-rowindex=1><th>Name<tr aria-rowindex=2><td>Desk<tr class=card aria-rowindex=3><td>Lamp 1<tr class=card aria-rowindex=4><td>Lamp 2<tr class=card aria-rowindex=5><td>Lamp 3</table>`,
      },
      "on all pages together": {
        routes: {
          "/": pages(
            3,
            (page) => `<ul>${cards(page * 3 - 2, page * 3)}</ul><p>${page * 3 - 2}–${page * 3} of 9</p>`,
          ),
        },
        pagination: nextLink,
        rows: lamps(1, 9),
      },
    },
  },
  "a table whose first column is fixed, in a table of its own": {
    html: [
      ["b", "a", "c"],
      ["i", "1 €", "2 €"],
    ]
      .map(
        ([tag, ...texts]) =>
          `<div>${texts.map((text) => `<p class=card><${tag}>${text}</${tag}></p>`).join("")}</div>`,
      )
      .join(""),
    steps: reading({
      fields: [
        { name: "name", selector: "b" },
        { name: "price", selector: "i" },
      ],
    }),
    rows: [{ name: "a" }, { name: "c" }, { price: "1 €" }, { price: "2 €" }],
    warnings: [{ code: "values_may_be_missing", count: 2, message: "stand on the page in 2 parts" }],
  },
  "a page that declares more columns than it shows": {
    html: `<div role=grid aria-colcount=5>${"<div role=row class=card><b role=gridcell>Lamp 1</b></div>".repeat(2)}</div>`,
    rows: [...lamps(1, 1), ...lamps(1, 1)],
    variants: {
      "of which none is wanted": {},
      "of which one is wanted": {
        steps: reading({ fields: [{ name: "name" }, { name: "price", selector: ".price" }] }),
        warnings: ["field_empty", missing("4 more columns than it shows")],
      },
    },
  },
  "pages that have the same rows": {
    routes: { "/": pages(3, () => list) },
    variants: {
      "by links": {
        pagination: nextLink,
        rows: [...lamps(1, 3), ...lamps(1, 3), ...lamps(1, 3)],
        warnings: [{ code: "rows_repeated", step: 1, count: 2 }],
      },
      "at the addresses of a template": {
        steps: [visit("/?page=1"), cardList],
        pagination: template,
        rows: lamps(1, 3),
        warnings: [{ code: "rows_repeated", step: 1, count: 1 }],
      },
    },
  },
  "pages that begin with a row that is pinned": {
    routes: {
      "/": pages(
        3,
        (page) =>
          `${["rules", page * 2 - 1, page * 2].map((path) => `<a class=card href=/${path}>Read</a>`).join("")}`,
      ),
    },
    pagination: nextLink,
    steps: reading({ fields: [{ name: "url", attribute: "href" }] }),
    rows: [1, 2, 3].flatMap((page) =>
      ["rules", page * 2 - 1, page * 2].map((path) => ({ url: `${SITE}/${path}` })),
    ),
    warnings: [{ code: "rows_repeated", count: 2, message: "may be pinned" }],
  },
  "a list that a page has twice": {
    html: `<div>${cards(1, 5)}</div><div style="display:none">${cards(1, 5)}</div>`,
    variants: {
      "": {
        rows: [...lamps(1, 5), ...lamps(1, 5)],
        warnings: [{ code: "rows_repeated", step: 1, message: "are the first ones again" }],
      },
      "but each row once, by its key": { steps: reading({ key: ["name"] }), rows: lamps(1, 5) },
      "up to a limit": { steps: reading({ key: ["name"] }), rows_limit: 4, rows: lamps(1, 4) },
    },
  },
  "rows whose key is empty, which all count": {
    html: "<p class=card><b>A</b><i></i><p class=card><b>B</b><i></i><p class=card><b>C</b><i>1</i><p class=card><b>D</b><i>1</i>",
    steps: reading({
      fields: [
        { name: "name", selector: "b" },
        { name: "sku", selector: "i" },
      ],
      key: ["sku"],
    }),
    rows: [
      { name: "A", sku: "" },
      { name: "B", sku: "" },
      { name: "C", sku: "1" },
    ],
  },
  "pages that share rows, which count once by their key": {
    routes: { "/": pages(3, (page) => cards(page * 2 - 1, page * 2 + 1)) },
    steps: reading({ key: ["name"] }),
    pagination: nextLink,
    variants: { "": { rows: lamps(1, 7) }, "up to a limit": { rows_limit: 4, rows: lamps(1, 4) } },
  },
  "a request for data that fails": {
    variants: {
      "after a press for the next page": {
        ...failing(
          500,
          "more.onclick = () => ask((html) => { list.innerHTML = html; });",
          { type: "next_button", selector: "#more" },
          BUTTON,
        ),
        warnings: noData,
      },
      "because nobody is signed in any more": {
        ...failing(
          401,
          `more.onclick = () => ask((html) => { ${APPEND} });`,
          { type: "load_more", selector: "#more" },
          BUTTON,
        ),
        warnings: noData,
      },
      "after scrolling": {
        ...failing(
          503,
          `let busy = false; onscroll = () => { if (busy) return; busy = true; ask((html) => { ${APPEND} busy = false; }); };`,
          { type: "infinite_scroll" },
          '<div style="height:3000px"></div>',
        ),
        warnings: noData,
      },
      "after scrolling, before the rows that the same scroll has added are read": {
        ...failing(
          503,
          `const add = (html) => { ${APPEND} ask(add); }; addEventListener("scroll", () => ask(add), { once: true });`,
          { type: "infinite_scroll" },
          '<div style="height:3000px"></div>',
        ),
        warnings: noData,
      },
      "because there is no such page, beside a question whether somebody is signed in": failing(
        404,
        "more.onclick = () => ask((html) => { list.innerHTML = html; }); setTimeout(() => fetch('/me'), 500)",
        { type: "next_button", selector: "#more" },
        BUTTON,
      ),
      "after a step, so that the list may be the one from before": {
        ...failing(
          500,
          "more.onclick = () => fetch('/data?page=3').catch(() => {});",
          { type: "none" },
          BUTTON,
        ),
        steps: [visit(), { type: "click", field_name: "More" }, cardList],
        rows: lamps(1, 3),
        warnings: [{ code: "rows_may_be_missing", step: 2 }],
      },
      "beside a list that is there": {
        ...failing(500, "fetch('/data?page=3').catch(() => {});", { type: "none" }),
        rows: lamps(1, 3),
      },
    },
  },
  "a page without the list, which its control led to": {
    routes: {
      "/": (request, response) => {
        const page = pageOf(request);
        const body = `${cards(page * 3 - 2, page * 3)}<a href="?page=${page + 1}">Next</a>`;
        sendHtml(response, page < 3 ? body : "<h1>Cookies?</h1>");
      },
    },
    pagination: { type: "next_button", field_name: "Next" },
    rows: lamps(1, 6),
    warnings: [missing(`${SITE}/?page=3, where`)],
  },
} satisfies Pages;
