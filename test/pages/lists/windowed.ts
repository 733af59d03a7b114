import { ok } from "node:assert/strict";
import type { Row } from "../../../functions/contract/runs/run.ts";
import type { Pagination } from "../../../functions/contract/scrapers/scraper.ts";
import type { StepOf } from "../../../functions/contract/steps/steps.ts";
import { sendHtml } from "../../site/site.ts";
import { lamps, type Page, type Pages, pageOf, type Routes, SITE, visit } from "../page.ts";
import * as drawn from "../parts/windowed.ts";

/* Lists of which only a window exists in the document are read whole, with a pagination that scrolls, and without one. */

const list: StepOf<"get_list"> = {
  type: "get_list",
  selector: ".row",
  fields: [{ name: "name", selector: "b" }],
};
const reading = (step: Partial<typeof list> = {}) => [visit(), { ...list, ...step }];
const SCROLL: Pagination = { type: "infinite_scroll" };

const whole = (html: string, more: Page = {}): Page => ({
  html,
  steps: reading(),
  rows: lamps(1, 100),
  ...more,
});
const scrolled = (html: string, more: Page = {}): Page => whole(html, { pagination: SCROLL, ...more });

/** Rows of which many neighbors are equal: their positions, or elements, tell how far the list was scrolled. */
const inStock = (html: (page: { text: string }) => string): Page =>
  whole(html({ text: "n % 30 < 20 ? 'In stock' : 'Lamp ' + Math.floor(n / 3)" }), {
    rows: Array.from({ length: 100 }, (_, n) => ({
      name: n % 30 < 20 ? "In stock" : `Lamp ${Math.floor(n / 3)}`,
    })),
  });

/** Each row is one of three, in an order that repeats itself after 44 of them: runs of them are much alike. */
const KIND = "((n * n * 7 + n * 3 + (n >> 2) * 5) % 11) % 3";
const KINDS = ["Bolt", "Nut", "Cap"];
const kinds = Array.from(
  { length: 100 },
  (_, n) => KINDS[((n * n * 7 + n * 3 + (n >> 2) * 5) % 11) % 3] ?? "",
);

const enlarged = (style: string) =>
  drawn.translated().replace("<body>", "").replace("<h1>", `<body style="${style}"><h1>`);

const inTurn = (count: number): Row[] =>
  Array.from({ length: 100 }, (_, n) => ({ name: `Month ${1 + (n % count)}` }));

/** The list from its middle at first. */
const fromMiddle = (html: string) => html.replace("</script>", "; box.scrollTop = 1_000;</script>");

/** Scrolls itself back to its top once, as one does that shows new data. */
const thrownBack = drawn.translated().replace(
  "</script>",
  `; let isBack = false; box.addEventListener("scroll", () => { if (isBack || box.scrollTop < 1_500) return;
    isBack = true; setTimeout(() => { box.scrollTop = 0; }, 100); });</script>`,
);

const rowsOf = (from: number) => JSON.stringify(lamps(from + 1, from + 20).map(({ name }) => name));
/** Twenty rows, from the index in the query. */
const routes: Routes = {
  "/rows.json": ({ url = "" }, response) =>
    void response.end(rowsOf(Number(new URL(url, SITE).searchParams.get("from")))),
};

const wide = (page: Parameters<typeof drawn.wide>[0]): Page =>
  whole(drawn.wide({ count: 30, ...page }), {
    steps: reading({ fields: [0, 3, 7].map((column) => ({ name: `c${column}`, selector: `.c${column}` })) }),
    rows: Array.from({ length: 30 }, (_, n) => ({ c0: `0/${n + 1}`, c3: `3/${n + 1}`, c7: `7/${n + 1}` })),
  });

/** Its rows go when it is scrolled, until data comes. */
const goneFor = (ms: number, count: number): Page =>
  scrolled(drawn.emptied("/data", { count }), {
    routes: { "/data": (_, response) => void setTimeout(() => response.end("{}"), ms) },
    rows: lamps(1, count),
  });

const framed: Page = {
  html: '<iframe src="/frame" style="width:600px;height:500px"></iframe>',
  routes: { "/frame": drawn.translated() },
  rows: lamps(1, 100),
};

/** Grows by itself up to 20 rows, then by a button, which ten more rows by scrolling follow each time. */
const byButton = `<style>.row{height:120px}</style><div id=list></div><button id=more hidden>More lamps</button><script>
  let count = 0, most = 20; const list = document.getElementById("list"), more = document.getElementById("more");
  const add = () => { for (let i = 0; i < 10; i++) list.insertAdjacentHTML("beforeend", "<p class=row><b>Lamp " + ++count + "</b></p>"); more.hidden = count < most || count >= 40; };
  more.onclick = () => { add(); most = count + 10; more.hidden = true; };
  addEventListener("scroll", () => { if (count < most && scrollY + innerHeight > document.documentElement.scrollHeight - 100) add(); }); add();</script>`;

/** Space is kept free, and nothing comes. */
const spacious = `<div style="height:4000px;position:relative"><p class=row><b>Lamp 1</b></p><p class=row hidden><b>Lamp 2</b></p></div><script>1</script>`;

export default {
  "placed by transforms, with equal neighbors": inStock(drawn.translated),
  "in a box that only its script scrolls": scrolled(drawn.hidden()),
  // Scrolling costs nothing unless the page asks the server for rows.
  "padded for the rest": scrolled(drawn.padded(), { loads: 1 }),
  "in a page that is enlarged": {
    variants: {
      "by zoom": whole(enlarged("zoom:1.7")),
      "by a transform": scrolled(enlarged("transform:scale(1.4);transform-origin:0 0")),
    },
  },
  "in a table, between rows that keep space free": {
    variants: {
      "": whole(drawn.table()),
      "and that the selector matches": whole(
        drawn
          .table()
          .replace("const gap = (n) =>", "const gap = (n) => n === 0 ? '' :")
          .replace(
            "<tr><td colspan",
            '<tr class=row style="transform:translate3d(0px, 0px, 0px)"><td colspan',
          ),
      ),
    },
  },
  "of items that have more parts than the row, with a note behind them": whole(drawn.inParts()),
  "by style rules alone": whole(drawn.ruled()),
  "with its first and last rows always in the document": whole(drawn.anchored()),
  "with values that come again in the same order": whole(
    drawn.translated({ text: `"Month " + (1 + n % 7)` }),
    {
      rows: inTurn(7),
    },
  ),
  "scrolled with the page": scrolled(drawn.inWindow()),
  "with heights that are measured as they come, and equal neighbors": inStock(drawn.measured),
  "that its script takes for shorter than it is, with rows that many others are like": whole(
    drawn.lower({ text: `${JSON.stringify(KINDS)}[${KIND}]` }),
    { rows: kinds.map((name) => ({ name })) },
  ),
  "in elements that get other texts, with equal neighbors": inStock(drawn.swapped),
  "in elements of which some are left over at its end": scrolled(drawn.leftover()),
  "with spare elements below the view, which still say what they said": {
    variants: {
      "in a box": whole(drawn.spare()),
      "in a box that is moved by the wheel": scrolled(drawn.spareByWheel()),
    },
  },
  "without a row more than is in view, with equal neighbors": inStock(drawn.tight),
  "whose end is not where the page declares it": whole(drawn.endless()),
  "drawn late on the way back to its top": {
    routes,
    variants: {
      "by 300 ms": scrolled(fromMiddle(drawn.late("/rows.json", { count: 60 })), { rows: lamps(1, 60) }),
      "too late": scrolled(fromMiddle(drawn.late("/rows.json", { count: 60, lateMs: 60_000 })), {
        rows: lamps(24, 60),
        warnings: ["rows_may_be_missing"],
      }),
    },
  },
  "that does not notice that it is scrolled back to its top": {
    routes,
    variants: {
      "": whole(fromMiddle(drawn.misplaced("/rows.json"))),
      "up to a limit": whole(fromMiddle(drawn.misplaced("/rows.json")), { rows_limit: 3, rows: lamps(1, 3) }),
    },
  },
  "that its page scrolls back to the top": {
    variants: { "": whole(thrownBack), scrolled: scrolled(thrownBack) },
  },
  "whose rows go until data comes": {
    variants: {
      "": goneFor(200, 30),
      "that takes its time": { ...goneFor(1_300, 30), slow: "its server waits for 10 s in all" },
    },
  },
  "whose rows are fetched when they come into view": {
    routes,
    variants: {
      "": scrolled(drawn.fetched("/rows.json"), {
        check: ({ loads }) => ok(loads > 1 && loads <= 1 + 100 / 20, `${loads} pages were loaded`),
      }),
      "in a chain": whole(drawn.fetched("/rows.json", { count: 60 }), {
        rows: lamps(1, 60),
        steps: reading({ selector: "#box >> .row", fields: [{ name: "name", selector: "b >> nth=0" }] }),
      }),
    },
  },
  "of which the selector leaves most rows out": {
    variants: {
      "by attribute": whole(drawn.numbered({ count: 120 }), {
        steps: reading({ selector: '.row[data-n$="10"]' }),
        rows: [...lamps(10, 10), ...lamps(110, 110)],
      }),
      "by text": scrolled(drawn.numbered({}), {
        steps: reading({
          selector: ".row:has-text('7')",
          fields: [{ name: "name", selector: "text=/Lamp/" }],
        }),
        rows: lamps(1, 100).filter(({ name }) => name?.includes("7")),
      }),
    },
  },
  "whose rows stand beside one another": {
    variants: {
      "from the left": scrolled(drawn.cards("ltr"), { rows: lamps(1, 99) }),
      "from the right": whole(drawn.cards("rtl"), { rows: lamps(1, 99) }),
    },
  },
  "in columns of their own, each row in the one that ends first": whole(drawn.columns()),
  "in a frame": {
    ...framed,
    variants: {
      "": { pagination: SCROLL, steps: reading({ frame: "iframe" }) },
      "by XPath": {
        steps: reading({
          frame: "iframe",
          selector: "xpath=//div[@class='row']",
          fields: [{ name: "name", selector: "xpath=.//b" }],
        }),
      },
    },
  },
  "on each page of a url_template": {
    routes: {
      "/": (request, response) => {
        const page = pageOf(request);
        const text = `"Lamp " + (${page - 1} * 30 + n + 1)`;
        sendHtml(response, drawn.translated({ count: 30, text }));
      },
    },
    pagination: { type: "url_template", url: `${SITE}/?page={page}`, max_pages: 2 },
    steps: reading({ selector: ".row:visible" }),
    rows: lamps(1, 60),
  },
  "that has pages itself": whole(drawn.paged(), {
    pagination: { type: "next_button", selector: "#next" },
  }),
  "that grows by a button": {
    html: drawn.loadingMore(),
    variants: {
      "": {
        steps: reading(),
        pagination: { type: "load_more", selector: "#more" },
        rows: lamps(1, 120),
      },
      "up to max_pages, by its text": {
        steps: reading(),
        pagination: { type: "load_more", selector: "text=More", max_pages: 2 },
        rows: lamps(1, 80),
      },
    },
  },
  "with columns that exist only in view": {
    variants: {
      "drawn late": wide({ frames: 10 }),
      "where every second scroll is ignored": wide({ ignored: 2 }),
      "from right to left": {
        ...wide({}),
        html: drawn
          .wide({ count: 30 })
          .replaceAll("box.scrollLeft", "-box.scrollLeft")
          .replace("absolute;left:", "absolute;right:")
          .replace("#box{", "#box{direction:rtl;"),
      },
    },
  },
  "with rows that come again": {
    html: drawn.translated({ text: '"Lamp " + (n % 50 + 1)' }),
    rows: [...lamps(1, 50), ...lamps(1, 50)],
    warnings: ["rows_repeated"],
    steps: reading(),
    variants: { "": {}, scrolled: { pagination: SCROLL } },
  },
  "with rows that are never shown": whole(drawn.leaping(), {
    rows: [lamps(1, 10), lamps(41, 50), lamps(81, 92)].flat(),
    warnings: ["rows_may_be_missing"],
  }),
  "where space is kept free and nothing comes": {
    html: spacious,
    steps: reading(),
    rows: lamps(1, 2),
    variants: { "": {}, scrolled: { pagination: SCROLL } },
  },
  "infinite_scroll that a button continues": {
    variants: {
      "with load_more": {
        html: byButton,
        steps: reading(),
        pagination: { ...SCROLL, load_more: { field_name: "More lamps" } },
        rows: lamps(1, 40),
      },
      "without it": scrolled(byButton, {
        rows: lamps(1, 20),
        warnings: [{ code: "rows_may_be_missing", message: '"more lamps"' }],
      }),
    },
  },
} satisfies Pages;
