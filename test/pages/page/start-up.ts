import type { Step } from "../../../functions/contract/steps/steps.ts";
import { cardList, cards, lamps, type Pages, SITE, visit } from "../page.ts";
import { answer, eachDocument, times } from "../parts/documents.ts";

/** What a table library does with the rows that came with the document: it shows ten of them. */
const PAGINATE = `document.querySelectorAll(".card").forEach((row, index) => index < 10 || row.remove());`;
const script = (body: string) => `<script>${body}</script>`;

const HANDLERS = {
  DOMContentLoaded: `${script(`document.addEventListener("DOMContentLoaded", () => { ${PAGINATE} });`)}${cards(1, 57)}`,
  "jQuery's ready, which runs in tasks of its own": `${script(
    `document.addEventListener("DOMContentLoaded", () => setTimeout(() => setTimeout(() => { ${PAGINATE} })));`,
  )}${cards(1, 57)}`,
  load: `${script(`addEventListener("load", () => { ${PAGINATE} });`)}${cards(1, 57)}`,
};
const SLOW_SCRIPTS = {
  ...Object.fromEntries(
    ["", "async", "defer", "type=module"].map((kind) => [
      `slow ${kind}`,
      `${cards(1, 57)}<script src="/slow.js?${kind}" ${kind}></script>`,
    ]),
  ),
  "a script that the page adds": `${cards(1, 57)}${script(
    `document.head.append(Object.assign(document.createElement("script"), { src: "/slow.js?added" }))`,
  )}`,
  "a page that changes without end": `<b id=time></b>${cards(1, 10)}${script(
    "setInterval(() => { time.textContent = performance.now() })",
  )}`,
};
const SLOW: Record<string, ReturnType<typeof answer>> = {
  "/slow.js": answer(PAGINATE, { ms: 300, type: "text/javascript" }),
};

const app = `<h1></h1><p></p>${script(`
  const show = () => { const id = location.hash.slice(2);
    setTimeout(() => { document.querySelector("h1").textContent = "item " + id; }, 150); };
  addEventListener("hashchange", show); show();`)}`;
const TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

export default {
  "rows are read after the handlers of the page's start": {
    ...eachDocument(HANDLERS),
    rows: times(3, lamps(1, 10)),
  },
  "rows are read after the handlers of the page's start, by a selector that a style sheet decides": {
    ...eachDocument(HANDLERS, { list: { ...cardList, selector: ".card:visible" } }),
    rows: times(3, lamps(1, 10)),
  },
  "rows are read after slow scripts, and on a page that changes without end": {
    ...eachDocument(SLOW_SCRIPTS, { also: SLOW }),
    rows: times(6, lamps(1, 10)),
  },
  "an element with autofocus has the focus before rows are read": {
    ...eachDocument({
      "by a script": `<input id=search autofocus><ul id=list>${cards(1, 2)}</ul>${script(
        `search.onfocus = () => list.insertAdjacentHTML("beforeend", '${cards(3, 3)}')`,
      )}`,
      "by an attribute": `<ul id=list>${cards(1, 2)}</ul><input autofocus
        onfocus="document.querySelector('ul').insertAdjacentHTML('beforeend', '<li class=card>Lamp 3')">`,
    }),
    rows: times(2, lamps(1, 3)),
  },
  "a script that blocks the parser for a while does not end the list": {
    html: `${cards(1, 30)}<script src=/blocks.js></script>${cards(31, 67)}`,
    routes: { "/blocks.js": answer("", { ms: 1_500, type: "text/javascript" }) },
    steps: [visit(), cardList],
    rows: lamps(1, 67),
  },
  "addresses that differ in their fragment alone are pages of their own for details": {
    html: TEN.map((n) => `<p class=card><a href="/app#/${n}">${n}</a></p>`).join(""),
    routes: { "/app": app },
    steps: [
      visit(),
      {
        ...cardList,
        fields: [{ name: "url", selector: "a", attribute: "href" }],
        details: { url_field: "url", fields: [{ name: "title", selector: "h1" }] },
      },
    ],
    rows: TEN.map((n) => ({ url: `${SITE}/app#/${n}`, title: `item ${n}` })),
  },
  "a later visit of an address that differs in its fragment alone loads no page: scripts show it": {
    routes: { "/app": app },
    steps: [1, 2].flatMap((n): Step[] => [
      visit(`/app#/${n}`),
      { type: "get_text", field_name: `title ${n}`, selector: "h1" },
    ]),
    rows: [{ "title 1": "item 1", "title 2": "item 2" }],
    loads: 1,
  },
} satisfies Pages;
