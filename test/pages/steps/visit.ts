import assert from "node:assert/strict";
import { sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Page, type Pages, SITE, visit } from "../page.ts";

const opened = (url: string, failure: Page["failure"]): Page => ({
  steps: [{ type: "visit", url }],
  ...(failure && { failure }),
});

export default {
  "that fails": {
    variants: {
      "nobody answers": opened("http://localhost:9/", { code: "navigation_failed", step: 0 }),
      "not found": opened(`${SITE}/missing`, { code: "http_error", step: 0 }),
      "a private address, of which no path is told": opened("http://169.254.169.254/latest/meta-data", {
        code: "blocked_address",
        message: /^(?!.*meta-data)/,
      }),
    },
  },
  "a step before any visit": {
    steps: [{ type: "click", selector: "a" }],
    failure: { code: "invalid_step", step: 0 },
    loads: 0,
  },
  "a list that is not there": {
    html: "<p>Nothing here</p>",
    steps: [visit(), { ...cardList, timeout_ms: 300 }],
    failure: { code: "element_not_found", step: 1 },
  },
  "a limit of rows": { html: `<ul>${cards(1, 30)}</ul>`, rows_limit: 7, rows: lamps(1, 7) },
  "a form that is filled in and sent": {
    html: `<form action="/found"><label>Search <input name="q"></label>
     <label>Sort <select name="sort"><option value="p">Price</option><option value="n">Newest</option></select></label>
     <button>Go</button></form>`,
    routes: {
      "/found": ({ url = "" }, response) => {
        const query = new URL(url, SITE).searchParams;
        sendHtml(response, `<p class="card">${query.get("q")} ${query.get("sort")}</p>`);
      },
    },
    steps: [
      visit(),
      { type: "write_input", field_name: "Search", value: "lamp" },
      { type: "select_dropdown", value: "Newest" },
      { type: "click", field_name: "Go" },
      cardList,
    ],
    rows: [{ name: "lamp n" }],
    loads: 2,
    check: (_, { requests }) => assert.deepEqual(requests.at(-1), "/found?q=lamp&sort=n"),
  },
} satisfies Pages;
