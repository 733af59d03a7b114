import { singleProcessArgs } from "../../../functions/scraping/browser/browsers.ts";
import { sendHtml } from "../../site/site.ts";
import { cards, lamps, type Page, type Pages, pageOf, SCRIPT, visit } from "../page.ts";

/**
 * In a browser of a single process, as on Lambda, all pages share one time with everything else of the browser: it stands
 * still while a page is read, and jumps ahead with each page.
 */
const own: Pick<Page, "own"> = { own: { args: singleProcessArgs, ownBrowsers: true } };

const PAGES = 30;

export default {
  "a sign-in of a minute lasts for pages that take two and a half of their own time": {
    ...own,
    routes: {
      "/": (request, response) => {
        const page = pageOf(request);
        if (page === 1) response.setHeader("set-cookie", "signed_in=1; Max-Age=60; HttpOnly");
        const isSignedIn = page === 1 || request.headers.cookie === "signed_in=1";
        const next = page < PAGES ? `<a class=next href="/?page=${page + 1}">Next</a>` : "";
        sendHtml(
          response,
          `<ul>${cards(page, page, (n) => (isSignedIn ? `Lamp ${n}` : "Sign in"))}</ul>${next}${SCRIPT}`,
        );
      },
    },
    pagination: { type: "next_button", selector: ".next" },
    rows: lamps(1, PAGES),
  },
  "pages of rows that come with an error, before any of their time has passed, can be pictured": {
    ...own,
    routes: {
      "/": `<ul>${cards(1, 60)}</ul>`,
      ...Object.fromEntries(
        Array.from({ length: 60 }, (_, n) => [
          `/p/${n + 1}`,
          (_: unknown, response: Parameters<typeof sendHtml>[0]) => sendHtml(response, "<h1>Gone</h1>", 404),
        ]),
      ),
    },
    steps: [
      visit(),
      {
        type: "get_list",
        selector: ".card",
        fields: [{ name: "url", selector: "a", attribute: "href" }],
        details: { url_field: "url", fields: [{ name: "title", selector: "h1" }] },
      },
    ],
    rows: (rows) => rows.length === 20,
    warnings: [{ code: "details_missing", count: 20 }],
    failure: { code: "http_error", step: 1 },
    deadlineMs: 60_000,
  },
} satisfies Pages;
