import assert from "node:assert/strict";
import { sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Page, type Pages, visit } from "../page.ts";

/* Sites that count the pages of a visitor themselves: their "next" link has the same address on each page. */

const PAGES = 8;

/** @param redirects whether the link leads back to the list's address */
const counted = (next: string, redirects: boolean, more: Page): Page => ({
  pagination: { type: "next_button", selector: ".next" },
  engine: "auto",
  concurrency: 1,
  routes: {
    "/": ({ url, headers }, response) => {
      const last = Number(/page=(\d+)/.exec(headers.cookie ?? "")?.[1] ?? 1);
      const page = url === "/" ? last : Math.min(PAGES, last + 1);
      if (url !== "/") response.setHeader("set-cookie", `page=${page}`);
      if (url !== "/" && redirects) response.writeHead(302, { location: "/" }).end();
      else
        sendHtml(
          response,
          `<!doctype html><ul>${cards(page * 3 - 2, page * 3)}</ul>${page < PAGES ? `<a class=next href="${next}">Next</a>` : ""}`,
        );
    },
  },
  ...more,
});
const whole: Page = { engines: ["browser", "auto"], rows: lamps(1, PAGES * 3) };
/** Rows of some pages, in order, and a warning. Which pages are read depends on how fast the site answers. */
const partial: Page = {
  isStateful: true,
  rows: (rows) => {
    const numbers = rows.map(({ name }) => Number(name?.replace("Lamp ", "")));
    return numbers[0] === 1 && numbers.every((n, index) => index === 0 || n > Number(numbers[index - 1]));
  },
  warnings: [{ code: "rows_may_be_missing", message: 'Set "engine" to "browser"' }],
};

export default {
  "are read in full": {
    variants: { "by redirects": counted("?next", true, whole), "by answers": counted("?next", false, whole) },
  },
  "cause a warning where the link looks numbered": {
    variants: {
      "and redirects": counted("?next&session=123", true, partial),
      "and answers": counted("?next&session=123", false, partial),
    },
  },
  "addresses without numbers are read by HTTP once one has led to its page": {
    routes: Object.fromEntries(
      [..."abcdefgh"].map((name, index, { [index + 1]: next }) => [
        `/${name}`,
        `<!doctype html><link rel=stylesheet href=/list.css><ul>${cards(index * 3 + 1, index * 3 + 3)}</ul>${next ? `<a class=next href="/${next}">Next</a>` : ""}`,
      ]),
    ),
    steps: [visit("/a"), cardList],
    pagination: { type: "next_button", selector: ".next" },
    engine: "http",
    rows: lamps(1, 24),
    check: (_, { requests }) => assert.ok(requests.filter((path) => path === "/list.css").length < 8),
  },
} satisfies Pages;
