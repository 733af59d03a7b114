import { books, orders, people } from "../data.ts";
import { SITE, type Task } from "../task.ts";
import { cardRows, cards, columns, list, rowsOf } from "./definitions.ts";

const next = { type: "next_button", field_name: "Next" } as const;
const withDetails = list(
  ".card",
  { title: "h3" },
  {
    fields: [
      { name: "title", selector: "h3" },
      { name: "url", selector: "a", attribute: "href" },
    ],
    details: {
      url_field: "url",
      fields: [
        { name: "genre", selector: ".genre" },
        { name: "blurb", selector: ".blurb" },
      ],
    },
  },
);

/**
 * Tasks for pages on which a library fetches HTML from the server: growing lists, and page changes without a reload.
 */
export const serverRendered: Task[] = [
  {
    name: "Infinite Scroll: to the end",
    library: "infinite-scroll",
    page: "infinite-scroll",
    steps: [cards],
    pagination: { type: "infinite_scroll" },
    expected: cardRows(96),
  },
  {
    name: "Infinite Scroll: the button View more",
    library: "infinite-scroll",
    page: "infinite-scroll-button",
    steps: [cards],
    pagination: { type: "load_more", field_name: "View more" },
    expected: cardRows(60),
  },
  {
    name: "Turbo Drive: next page",
    library: "@hotwired/turbo",
    page: "turbo",
    steps: [cards],
    pagination: next,
    expected: cardRows(96),
  },
  {
    name: "Turbo Drive: two clicks on Next",
    library: "@hotwired/turbo",
    page: "turbo",
    steps: [{ type: "click", field_name: "Next" }, { type: "click", field_name: "Next" }, cards],
    expected: cardRows(60).slice(40),
    async act(page) {
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await page.waitForURL("**/turbo?page=2");
      await page.getByRole("link", { name: "Next", exact: true }).click();
    },
  },
  {
    name: "Turbo Drive: next page by selector, with details",
    library: "@hotwired/turbo",
    page: "turbo",
    steps: [withDetails],
    pagination: { type: "next_button", selector: "a[rel=next]", max_pages: 2 },
    expected: books
      .slice(0, 40)
      .map(({ id, title, genre, blurb }) => ({ title, url: `${SITE}/book/${id}`, genre, blurb })),
  },
  {
    name: "Turbo Frames: next page",
    library: "@hotwired/turbo",
    page: "turbo-frame",
    steps: [cards],
    pagination: next,
    expected: cardRows(96),
  },
  {
    name: "Turbo Frames: frames that load when they come into view",
    library: "@hotwired/turbo",
    page: "turbo-lazy",
    steps: [cards],
    pagination: { type: "infinite_scroll" },
    expected: cardRows(96),
  },
  {
    name: "htmx: click to load",
    library: "htmx.org",
    page: "htmx-load-more",
    steps: [list("tr.agent", columns("name", "office"))],
    pagination: { type: "load_more", field_name: "Load More Agents..." },
    expected: rowsOf(people, "name", "office"),
  },
  {
    name: "htmx: infinite scroll",
    library: "htmx.org",
    page: "htmx-scroll",
    steps: [list("tr.order", columns("number", "customer"))],
    pagination: { type: "infinite_scroll" },
    expected: rowsOf(orders.slice(0, 200), "number", "customer"),
  },
  {
    name: "htmx: active search",
    library: "htmx.org",
    page: "htmx-search",
    steps: [
      { type: "write_input", field_name: "Begin Typing To Search Users...", value: "Singapore" },
      list("#search-results tr", columns("name", "office")),
    ],
    expected: rowsOf(
      people.filter(({ office }) => office === "Singapore"),
      "name",
      "office",
    ),
    act: (page) => page.getByPlaceholder("Begin Typing").pressSequentially("Singapore"),
  },
  {
    name: "htmx: boosted links",
    library: "htmx.org",
    page: "htmx-boost",
    steps: [cards],
    pagination: next,
    expected: cardRows(96),
  },
  {
    name: "Unpoly: next page",
    library: "unpoly",
    page: "unpoly",
    steps: [cards],
    pagination: next,
    expected: cardRows(96),
  },
  {
    name: "swup: next page",
    library: "swup",
    page: "swup",
    steps: [cards],
    pagination: next,
    expected: cardRows(96),
  },
  {
    name: "swup: addresses by their numbers",
    library: "swup",
    page: "swup",
    steps: [cards],
    pagination: { type: "url_template", url: `${SITE}/swup?page={page}` },
    expected: cardRows(96),
  },
];
