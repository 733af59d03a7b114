import { books, events, orders, people } from "../data.ts";
import type { Task } from "../task.ts";
import { columns, list, rowsOf } from "./definitions.ts";

const byName = (name: string) => ({ type: "next_button", field_name: name }) as const;
const scroll = { type: "infinite_scroll" } as const;

const search = (
  name: string,
  library: string,
  page: string,
  field_name: string,
  value: string,
  selector: string,
): Task => ({
  name: `${name}: search`,
  library,
  page,
  steps: [{ type: "write_input", field_name, value }, list(selector, { name: "b", office: "i" })],
  expected: rowsOf(
    people.filter(({ office }) => office === value),
    "name",
    "office",
  ),
  act: (opened) => opened.locator("input").pressSequentially(value),
});

/** Tasks for pages that a framework renders in the browser. */
export const apps: Task[] = [
  {
    name: "MUI Data Grid: pages",
    library: "@mui/x-data-grid",
    page: "mui-data-grid",
    steps: [
      list(".MuiDataGrid-row", {
        title: "[data-field=title]",
        author: "[data-field=author]",
        price: "[data-field=price]",
      }),
    ],
    pagination: byName("Go to next page"),
    expected: rowsOf(books, "title", "author", "price"),
  },
  {
    name: "MUI: Pagination over a list",
    library: "@mui/material",
    page: "mui-pagination",
    steps: [
      list("li.MuiListItem-root", {
        name: ".MuiListItemText-primary",
        office: ".MuiListItemText-secondary",
      }),
    ],
    pagination: byName("Go to next page"),
    expected: rowsOf(people, "name", "office"),
  },
  {
    name: "Ant Design: table pages",
    library: "antd",
    page: "antd-table",
    steps: [list("tr.ant-table-row", columns("name", "office", "age"))],
    pagination: byName("Next Page"),
    expected: rowsOf(people, "name", "office", "age"),
  },
  {
    name: "TanStack Table: pages",
    library: "@tanstack/react-table",
    page: "tanstack-table",
    steps: [list("tbody tr", columns("title", "author", "price"))],
    pagination: byName(">"),
    expected: rowsOf(books, "title", "author", "price"),
  },
  {
    name: "TanStack Table, Solid: pages",
    library: "solid-js",
    page: "solid-table",
    steps: [list("tbody tr", columns("name", "office", "salary"))],
    pagination: byName("Next"),
    expected: rowsOf(people, "name", "office", "salary"),
  },
  {
    name: "react-paginate: pages",
    library: "react-paginate",
    page: "react-paginate",
    steps: [list(".item", { title: "h3", year: "span" })],
    pagination: byName("next >"),
    expected: rowsOf(books, "title", "year"),
  },
  {
    name: "Vuetify: table pages",
    library: "vuetify",
    page: "vuetify-table",
    steps: [list("tbody tr", columns("name", "office", "age"))],
    pagination: byName("Next page"),
    expected: rowsOf(people, "name", "office", "age"),
  },
  {
    name: "Element Plus: table and pagination",
    library: "element-plus",
    page: "element-plus-table",
    steps: [list(".el-table__row", columns("title", "author", "price"))],
    pagination: { type: "next_button", selector: ".btn-next" },
    expected: rowsOf(books, "title", "author", "price"),
  },
  {
    name: "PrimeVue: table pages",
    library: "primevue",
    page: "primevue-table",
    steps: [list(".p-datatable-tbody tr", columns("name", "position", "office"))],
    pagination: byName("Next Page"),
    expected: rowsOf(people, "name", "position", "office"),
  },
  {
    name: "Svelte datatables: pages",
    library: "@vincjo/datatables",
    page: "svelte-datatables",
    steps: [list("tbody tr", columns("title", "author"))],
    pagination: byName("Next"),
    expected: rowsOf(books, "title", "author"),
  },
  {
    name: "Angular Material: table pages",
    library: "@angular/material",
    page: "angular-material-table",
    steps: [list("tr.mat-mdc-row", columns("name", "office", "age"))],
    pagination: byName("Next page"),
    expected: rowsOf(people, "name", "office", "age"),
  },
  {
    name: "Lit: pages of components",
    library: "lit",
    page: "lit",
    steps: [list("book-card", { title: "h3", author: ".author" })],
    pagination: byName("Next"),
    expected: rowsOf(books, "title", "author"),
  },
  {
    name: "react-infinite-scroll-component: to the end",
    library: "react-infinite-scroll-component",
    page: "react-infinite-scroll-component",
    steps: [list(".item", { title: "b", author: "span" })],
    pagination: scroll,
    expected: rowsOf(books, "title", "author"),
  },
  {
    name: "SWR: load more",
    library: "swr",
    page: "swr-infinite",
    steps: [list("#root p", { title: "" })],
    pagination: { type: "load_more", field_name: "load more" },
    expected: books.map(({ title }) => ({ title: `- ${title}` })),
  },
  {
    name: "TanStack Query: load more",
    library: "@tanstack/react-query",
    page: "react-query-infinite",
    steps: [list(".order", { number: "b", city: "i" })],
    pagination: { type: "load_more", field_name: "Load More" },
    expected: rowsOf(orders.slice(0, 150), "number", "city"),
  },
  {
    name: "Alpine: show more",
    library: "alpinejs",
    page: "alpine",
    steps: [list("article", { title: "h3", price: "p" })],
    pagination: { type: "load_more", field_name: "Show more" },
    expected: rowsOf(books, "title", "price"),
  },
  {
    name: "Ionic: infinite scroll",
    library: "@ionic/core",
    page: "ionic",
    steps: [list("ion-item", { number: "h2", customer: "p" })],
    pagination: scroll,
    expected: rowsOf(orders.slice(0, 120), "number", "customer"),
  },
  search("Alpine", "alpinejs", "alpine-search", "Search...", "Oslo", "li"),
  search("Preact", "preact", "preact", "Find a person", "London", "li"),
  {
    name: "InstantSearch: search, then pages",
    library: "instantsearch.js",
    page: "instantsearch",
    steps: [
      { type: "write_input", field_name: "Search for books", value: "The S" },
      list(".ais-Hits-item", { title: "b", author: "i" }),
    ],
    pagination: byName("Next Page"),
    expected: rowsOf(
      books.filter((book) =>
        Object.values(book).some((value) => String(value).toLowerCase().includes("the s")),
      ),
      "title",
      "author",
    ),
    act: (page) => page.getByPlaceholder("Search for books").pressSequentially("The S"),
  },
  {
    name: "Radix: a list in a tab",
    library: "radix-ui",
    page: "radix-tabs",
    steps: [{ type: "click", field_name: "Staff" }, list("[role=tabpanel] li", { name: "b", office: "i" })],
    expected: rowsOf(people.slice(0, 25), "name", "office"),
    act: (page) => page.getByRole("tab", { name: "Staff" }).click(),
  },
  {
    name: "react-datepicker: choose a day",
    library: "react-datepicker",
    page: "react-datepicker",
    steps: [
      { type: "click", field_name: "Day" },
      { type: "click", selector: ".react-datepicker__day--003:not(.react-datepicker__day--outside-month)" },
      list("li.event", { name: "b", date: "i" }),
    ],
    expected: rowsOf(
      events.filter(({ date }) => date === "2026-04-03"),
      "name",
      "date",
    ),
    async act(page) {
      await page.getByLabel("Day").click();
      await page.locator(".react-datepicker__day--003:not(.react-datepicker__day--outside-month)").click();
    },
  },
];
