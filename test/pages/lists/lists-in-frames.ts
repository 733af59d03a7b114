import { type Handler, sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Page, type Pages, type Routes, visit } from "../page.ts";
import loadMore from "./load-more.ts";
import nextButton from "./next-button.ts";
import nextButtonFailures from "./next-button-failures.ts";
import warnings from "./warnings.ts";

/* Lists whose pages are documents of a frame: what holds for the documents of a page holds for those, too. */

/** The same list in a frame of another page, without the number of pages: documents of frames don't count. */
function framed({ loads: _, steps: __, html, routes, ...page }: Page): Page {
  return {
    ...page,
    routes: (site) => ({
      ...(html !== undefined && { "/": html }),
      ...(typeof routes === "function" ? routes(site) : routes),
      "/around": "<h1>Shop</h1><iframe src=/></iframe>",
    }),
    steps: [visit("/around"), { ...cardList, frame: "iframe" }],
  };
}

const { variants: brokenOff, ...next } =
  nextButtonFailures["a page that breaks off is not the end of the list"];
const { variants: same, ...numbered } = warnings["pages that have the same rows"];
const { variants: longer, ...documents } =
  loadMore["a link to another document, with all rows so far or with the next ones only"];

const PAGES: Routes = { "/": `${cards(1, 2)}<a class=next href="/next">Next</a>`, "/next": cards(3, 3) };
/** The first answer for one of two pages is an error of the server. */
const failing = (path: string): Page => ({
  routes: () => {
    let asked = 0;
    const answer: Handler = (_, response) => {
      asked += 1;
      if (asked > 1) sendHtml(response, PAGES[path] as string);
      else sendHtml(response, "<h1>Unavailable</h1>", 503);
    };
    return { ...PAGES, [path]: answer };
  },
  pagination: { type: "next_button", selector: ".next" },
  rows: lamps(1, 3),
});

/** A list, and a value, in a frame that loads once it comes near the view. */
const lazy = (html: string): Page => ({
  routes: {
    "/": `${html}<iframe loading=lazy src=/lamps></iframe>`,
    "/lamps": `<h1>Lamps</h1>${cards(1, 3)}`,
  },
  steps: [
    visit(),
    { type: "get_text", field_name: "title", selector: "h1", frame: "iframe" },
    { ...cardList, frame: "iframe" },
  ],
  rows: lamps(1, 3).map((row) => ({ title: "Lamps", ...row })),
});

export default {
  "a frame that loads near the view only": {
    variants: {
      "without scripts": lazy(""),
      "far from the view": lazy("<div style='height:5000px'></div><script>1</script>"),
    },
  },
  "a first page that fails for a moment is loaded again": framed(failing("/")),
  "a next page that fails for a moment is loaded again": framed(failing("/next")),
  "a page that breaks off is not the end of the list": framed({ ...next, ...brokenOff["but loaded again"] }),
  "pages of equal rows are pages of their own": framed(
    nextButton["pages of equal rows are pages of their own"],
  ),
  "pages that have the same rows": framed({ ...numbered, ...same["by links"] }),
  "a link to another document": framed({ ...documents, ...longer["by a selector"] }),
} satisfies Pages;
