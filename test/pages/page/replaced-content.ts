import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Handler } from "../../site/site.ts";
import { cardList, cards, lamps, type Page, type Pages, type Routes, SITE, visit } from "../page.ts";
import { answer, eachDocument, inParts, times } from "../parts/documents.ts";

/* Documents without scripts of their own that something else changes or replaces after they were loaded. */

const BY_STYLES = "by a selector that a style sheet decides";
const OLD = cards(1, 3, (n) => `Old ${n}`);
const SHOW = `innerHTML = ${JSON.stringify(cards(1, 3))}`;
const later = (code: string, ms = 1_000) => `<script>setTimeout(() => { ${code} }, ${ms})</script>`;
const refresh = (to: string, ms = 1) => `<meta http-equiv=refresh content="${ms};url=${to}">${OLD}`;
const swap = (to: string) => later(`document.querySelector('iframe').src = '${to}'`);

const refreshing: Handler = (_, response) => {
  response.writeHead(200, { "content-type": "text/html", refresh: "1;url=/slow" }).end(OLD);
};

const ROUTES: Routes = {
  "/refresh-header": refreshing,
  "/old": OLD,
  "/three": cards(1, 3),
  "/sign-in": "<h1>Sign in</h1>",
  "/slow": answer(cards(1, 3), { ms: 300 }),
  "/refreshed": refresh("/slow"),
  "/changes": `<div>${OLD}</div>${later(`document.querySelector("div").${SHOW}`, 2_000)}`,
  "/parts": inParts(1_500, `${cards(1, 1)}${" ".repeat(2_000)}`, cards(2, 3)),
  "/changes-parent": later(`parent.document.querySelector('div').${SHOW}`),
};
const PAGES: Record<string, string | Handler> = {
  "replaced by one that arrives in parts": refresh("/parts"),
  "replaces itself": refresh("/slow"),
  "replaced by a header of its response": refreshing,
  "changed by the script of a frame": `<div>${OLD}</div><iframe src=/changes-parent></iframe>`,
  "replaced by the same one, which changes": refresh("/changes"),
  "a shadow root": `<x-list><template shadowrootmode=open><div>${OLD}</div></template></x-list>
    ${later(`document.querySelector('x-list').shadowRoot.querySelector('div').${SHOW}`)}`,
};
const FRAMES = {
  "replaced by the page around it": `<iframe src=/old></iframe>${swap("/slow")}`,
  "given an address by the page around it": `<iframe></iframe>${swap("/slow")}`,
  "changed by the page around it": `<iframe src=/old></iframe>${later(
    `document.querySelector('iframe').contentDocument.body.${SHOW}`,
  )}`,
  "replaces itself": "<iframe src=/refreshed></iframe>",
  "replaced by a header of its response": "<iframe src=/refresh-header></iframe>",
  "replaced by the same one, which changes": `<iframe src=/old></iframe>${swap("/changes")}`,
};

// The list is there for three seconds: it has to be read before.
const EXPIRING = {
  "by itself": `${cards(1, 3)}<meta http-equiv=refresh content="3;url=/sign-in">`,
  "by a script": `${cards(1, 3)}${later("location.replace('/sign-in')", 3_000)}`,
};
const EXPIRING_FRAME = {
  "in a frame": `<iframe src="/three"></iframe>${later("document.querySelector('iframe').src = '/sign-in'", 3_000)}`,
};
const removing = (
  then: string,
) => `<div id=list>${OLD}</div><script>const list = document.querySelector("#list");
  setTimeout(() => { list.innerHTML = "<p>No results</p>"; ${then} }, 1000);</script>`;
const REMOVED = {
  "for good": removing(""),
  "and shown again": removing(`setTimeout(() => { list.${SHOW} }, 3_000);`),
};
const old = [1, 2, 3].map((n) => ({ name: `Old ${n}` }));

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const item = (n: number, price: string, rest = "") => `<h1>Item ${n}</h1>${rest}<b>${price}</b>`;
const checked =
  (n: number): Handler =>
  ({ headers: { cookie = "" } }, response) => {
    const html = cookie.includes("checked=1")
      ? item(n, `${n} EUR`)
      : `<h1>Checking</h1><b>0 EUR</b>${later("document.cookie = 'checked=1; path=/'; location.reload()")}`;
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  };
const inView = (n: number) => `${item(n, "Loading…", '<p style="height: 3000px"></p>')}<script>
  const price = document.querySelector("b");
  new IntersectionObserver(([entry]) => { if (entry.isIntersecting) price.textContent = "${n} EUR"; }).observe(price);
  </script>`;
const scriptLater = (n: number) => {
  if (n < 4) return item(n, `${n} EUR`);
  if (n < 7) return `${item(n, `${n} EUR`)}<script>document.title = "Item";</script>`;
  return `${item(n, "0 EUR")}${later(`document.querySelector("b").textContent = "${n} EUR"`)}`;
};
const detailed = (page: (n: number) => string | Handler): Page => ({
  html: cards(1, 10),
  routes: Object.fromEntries(NUMBERS.map((n) => [`/p/${n}`, page(n)])),
  variants: {
    "": { steps: detailSteps("b") },
    [BY_STYLES]: { steps: detailSteps("b:visible") },
  },
  rows: NUMBERS.map((n) => ({ url: `${SITE}/p/${n}`, title: `Item ${n}`, price: `${n} EUR` })),
});
const detailSteps = (price: string): Step[] => [
  visit(),
  {
    ...cardList,
    fields: [{ name: "url", selector: "a", attribute: "href" }],
    details: {
      url_field: "url",
      fields: [
        { name: "title", selector: "h1" },
        { name: "price", selector: price },
      ],
    },
  },
];

const lists = (documents: Record<string, string | Handler>, page: Page, inFrame = {}): Page => {
  const read = (selector: string) =>
    eachDocument(documents, { list: { ...cardList, ...inFrame, selector }, also: ROUTES });
  const slow = "timeout_ms" in inFrame && {
    slow: "The list is gone soon: on a busy machine, before it is read.",
  };
  return { ...page, variants: { "": read(".card"), [BY_STYLES]: { ...read(".card:visible"), ...slow } } };
};
/** Lists that are gone are waited for as long as their steps say. */
const BRIEF = { timeout_ms: 5_000 };
const replaced = (step: number) => ({
  code: "rows_may_be_missing",
  message: "a document without the list",
  step,
});

export default {
  "a page that something replaces or changes": lists(PAGES, { rows: times(6, lamps(1, 3)) }),
  "a frame that something replaces or changes": lists(
    FRAMES,
    { rows: times(6, lamps(1, 3)) },
    { frame: "iframe" },
  ),
  "a list whose page is replaced by one without it: the run warns": lists(
    EXPIRING,
    {
      rows: times(2, lamps(1, 3)),
      warnings: [replaced(1), replaced(3)],
    },
    BRIEF,
  ),
  "a list whose frame is replaced by one without it: the run warns": lists(
    EXPIRING_FRAME,
    { rows: lamps(1, 3), warnings: [replaced(1)] },
    { frame: "iframe", ...BRIEF },
  ),
  "a list that a script removes after it was read": lists(
    REMOVED,
    {
      rows: [...old, ...lamps(1, 3)],
      warnings: [{ code: "rows_may_be_missing", step: 1 }],
    },
    BRIEF,
  ),
  "details whose first pages check the browser, and load again": detailed(checked),
  "details that are filled when they come into view": detailed(inView),
  "details that are filled by a script which the pages before them do not have": detailed(scriptLater),
} satisfies Pages;
