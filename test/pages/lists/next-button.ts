import { sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Pages, pageOf, type Routes, SCRIPT, visit } from "../page.ts";
import { type Body, linkedPages, listOf } from "../parts/linked-pages.ts";

/** Lists whose next page is a document of its own. */

const bySelector = { type: "next_button", selector: ".next" } as const;

const link: Body = (list, href) => `${list}<a class=next href="${href}">Next</a>`;

/** Links and forms that lead to the next page, in this tab or in another one. */
const ways: Body[] = [
  (list, href) => `${list}<a href="${href}">Next ›</a>`,
  (list, href) => `${list}<form action="${href}"><button>Next</button></form>`,
  (list, href) => `${list}<form action="${href}"><input type=submit value=Next></form>`,
  (list, href) => `${list}<form action="${href}"><input type=image alt=Next src=/next.png></form>`,
  (list, href) => `${list}<a target=_blank href="${href}">Next</a>`,
  (list, href) => `<base target=other>${list}<a href="${href}">Next</a>`,
  (list, href) => `${list}<form action="${href}" target=_new><button>Next</button></form>`,
];

/** More than half of what fits into one answer of the page script. */
const LONG = "x".repeat(600_000);

/** Pages by `?page=`, and where each of them leads. */
const numbered = (href: (page: number) => string, html = ""): Routes => ({
  "/": (request, response) => {
    const page = pageOf(request);
    sendHtml(response, link(listOf(page), href(page)) + html);
  },
});

export default {
  "links and forms, until there is none": {
    // Each way comes twice, once on a page with a script.
    routes: linkedPages([...ways, ...ways]),
    pagination: { type: "next_button", field_name: "next" },
    rows: lamps(1, 3 + 6 * ways.length),
    loads: 1 + 2 * ways.length,
  },
  "links inside of a frame": {
    html: "<h1>Lamps</h1><iframe id=list src=/a></iframe>",
    routes: () => {
      const { "/": _, ...pages } = linkedPages(Array.from({ length: 4 }, () => link));
      return pages;
    },
    steps: [visit(), { ...cardList, frame: "#list" }],
    pagination: bySelector,
    rows: lamps(4, 15),
  },
  "rows that are not read at once, on a page without scripts": {
    pagination: bySelector,
    loads: 2,
    variants: {
      "because they don't fit into one answer": {
        routes: linkedPages([link], "", (n) => `${LONG} ${n}`),
        rows: [1, 2, 3, 4, 5, 6].map((n) => ({ name: `${LONG} ${n}` })),
      },
      "because they are laid out late": {
        routes: linkedPages([
          (list, href) => `<style>.card { content-visibility: auto }</style>${link(list, href)}`,
        ]),
        rows: lamps(1, 6),
      },
    },
  },
  "a list that goes round": {
    steps: [visit("/?page=1"), cardList],
    pagination: bySelector,
    rows: lamps(1, 9),
    variants: {
      "to the first page": { routes: numbered((page) => `/?page=${(page % 3) + 1}`) },
      "to the first page, which has two addresses": {
        routes: numbered((page) => (page < 3 ? `/?page=${page + 1}` : "/")),
      },
      "to the first page, which has two addresses and a script": {
        routes: numbered((page) => (page < 3 ? `/?page=${page + 1}` : "/"), SCRIPT),
      },
      "to the last page itself": { routes: numbered((page) => `/?page=${Math.min(3, page + 1)}`) },
    },
  },
  "a list that has more pages than are wanted": {
    routes: numbered((page) => `/?page=${page + 1}`),
    variants: {
      "by max_pages": { pagination: { ...bySelector, max_pages: 2 }, rows: lamps(1, 6), loads: 2 },
      "by the limit of rows": { pagination: bySelector, rows_limit: 7, rows: lamps(1, 7), loads: 3 },
    },
  },
  "pages of equal rows are pages of their own": {
    routes: linkedPages(
      [1, 2, 3].map(
        () => (_, href) =>
          link(
            cards(1, 3, () => "In stock"),
            href,
          ),
      ),
    ),
    pagination: bySelector,
    rows: [...Array.from({ length: 9 }, () => ({ name: "In stock" })), ...lamps(10, 12)],
    warnings: [{ code: "rows_repeated", count: 2 }],
  },
} satisfies Pages;
