import { books } from "../data.ts";
import { SITE, type Task } from "../task.ts";
import { visit } from "./definitions.ts";

/** A task that reads a list of links to routes of the same page, and fields from each route as details. */
const routed = (name: string, library: string, page: string, addressOf: (id: number) => string): Task => ({
  name: `${name}: details`,
  library,
  page,
  steps: [
    {
      type: "get_list",
      selector: "li.item",
      fields: [{ name: "title" }, { name: "url", selector: "a", attribute: "href" }],
      details: {
        url_field: "url",
        fields: [
          { name: "author", selector: ".author" },
          { name: "blurb", selector: ".blurb" },
        ],
      },
    },
  ],
  expected: books
    .slice(0, 10)
    .map(({ id, title, author, blurb }) => ({ title, url: `${SITE}/${addressOf(id)}`, author, blurb })),
});

/** Tasks for pages with a client-side router. */
export const routes: Task[] = [
  routed("React Router, hash", "react-router", "react-router-hash", (id) => `react-router-hash#/item/${id}`),
  routed(
    "React Router, history",
    "react-router",
    "react-router-history",
    (id) => `react-router-history/item/${id}`,
  ),
  routed("Vue Router, hash", "vue-router", "vue-router-hash", (id) => `vue-router-hash#/item/${id}`),
  routed("Vue Router, history", "vue-router", "vue-router-history", (id) => `vue-router-history/item/${id}`),
  routed(
    "svelte-spa-router",
    "svelte-spa-router",
    "svelte-spa-router",
    (id) => `svelte-spa-router#/item/${id}`,
  ),
  routed("Solid Router, hash", "@solidjs/router", "solid-router", (id) => `solid-router#/item/${id}`),
  routed("Navigo, hash", "navigo", "navigo#/", (id) => `navigo#/item/${id}`),
  {
    name: "React Router, hash: visit one item after another",
    library: "react-router",
    page: "react-router-hash#/item/3",
    steps: [
      { type: "get_text", field_name: "first", selector: "h2" },
      visit("react-router-hash#/item/7"),
      { type: "get_text", field_name: "second", selector: "h2" },
    ],
    expected: [{ first: books[2]?.title ?? "", second: books[6]?.title ?? "" }],
  },
  {
    name: "Vue Router, history: click an item",
    library: "vue-router",
    page: "vue-router-history",
    steps: [
      { type: "click", field_name: books[5]?.title ?? "" },
      { type: "get_text", field_name: "author", selector: ".author" },
    ],
    expected: [{ author: books[5]?.author ?? "" }],
    act: (page) => page.getByText(books[5]?.title ?? "", { exact: true }).click(),
  },
];
