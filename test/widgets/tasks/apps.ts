import { books, events, orders, people } from "../data.ts";
import { SITE, type Task } from "../task.ts";
import { booksOf, columns, genreList, list, rowsOf, visit } from "./definitions.ts";

const byName = (name: string, max_pages?: number) =>
  ({ type: "next_button", field_name: name, ...(max_pages && { max_pages }) }) as const;
const scroll = { type: "infinite_scroll" } as const;

/** A list of 400 orders, of which those in view exist. */
const windowed = (
  name: string,
  library: string,
  page: string,
  fields: Record<string, string>,
  count = 400,
  selector = ".order",
): Task => ({
  name: `${name}: ${count} rows of which a window exists`,
  library,
  page,
  definition: { steps: [visit(page), list(selector, fields)], pagination: scroll },
  expected: rowsOf(orders.slice(0, count), ...(Object.keys(fields) as "number"[])),
});

/** A list of links to a route of the same page, each with the fields that stand there. */
const routed = (name: string, library: string, page: string, addressOf: (id: number) => string): Task => ({
  name: `${name}: details`,
  library,
  page,
  definition: {
    steps: [
      visit(page),
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
  },
  expected: books
    .slice(0, 10)
    .map(({ id, title, author, blurb }) => ({ title, url: `${SITE}/${addressOf(id)}`, author, blurb })),
});

const dropdown = (
  name: string,
  library: string,
  page: string,
  value: string,
  field_name: string,
  [opener, option]: [opener: string, option: string],
): Task => ({
  name: `${name}: choose a genre`,
  library,
  page,
  definition: { steps: [visit(page), { type: "select_dropdown", field_name, value }, genreList] },
  expected: booksOf(value),
  async act(page) {
    await page.locator(opener).first().click();
    await page.locator(option, { hasText: value }).first().click();
  },
});

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
  definition: {
    steps: [
      visit(page),
      { type: "write_input", field_name, value },
      list(selector, { name: "b", office: "i" }),
    ],
  },
  expected: rowsOf(
    people.filter(({ office }) => office === value),
    "name",
    "office",
  ),
  act: (opened) => opened.locator("input").pressSequentially(value),
});

/** Pages that a framework draws in the browser. */
export const apps: Task[] = [
  windowed("react-window", "react-window", "react-window", { number: "b", customer: "span", city: "i" }),
  windowed("react-virtualized", "react-virtualized", "react-virtualized", { number: "b", customer: "span" }),
  windowed("Virtuoso", "react-virtuoso", "react-virtuoso", { number: "b", note: "p" }),
  windowed(
    "Virtuoso, a table",
    "react-virtuoso",
    "react-virtuoso-table",
    columns("number", "customer", "city"),
    400,
    "tbody tr[data-index]",
  ),
  windowed("Virtuoso, endless", "react-virtuoso", "react-virtuoso-endless", {
    number: "b",
    customer: "span",
  }),
  {
    name: "Virtuoso: notes of which neighbours are equal, scrolled with the page",
    library: "react-virtuoso",
    page: "react-virtuoso-notes",
    definition: { steps: [visit("react-virtuoso-notes"), list(".note", { note: "" })], pagination: scroll },
    expected: rowsOf(orders.slice(0, 150), "note"),
  },
  windowed("TanStack Virtual", "@tanstack/react-virtual", "tanstack-virtual", {
    number: "b",
    customer: "span",
  }),
  windowed(
    "TanStack Virtual, measured",
    "@tanstack/react-virtual",
    "tanstack-virtual-dynamic",
    { number: ".number", note: ".note" },
    300,
  ),
  windowed("virtua", "virtua", "virtua", { number: "b", note: "p" }),
  windowed("virtua, Svelte", "svelte", "svelte-virtua", { number: "b", customer: "span" }),
  windowed("virtua, Solid", "solid-js", "solid-virtua", { number: "b", customer: "span" }),
  windowed("vue-virtual-scroller", "vue-virtual-scroller", "vue-virtual-scroller", {
    number: "b",
    customer: "span",
  }),
  windowed(
    "vue-virtual-scroller, dynamic",
    "vue-virtual-scroller",
    "vue-virtual-scroller-dynamic",
    { number: "b", note: "p" },
    200,
  ),
  windowed("Angular CDK", "@angular/cdk", "angular-virtual-scroll", { number: "b", city: "span" }),
  windowed("Lit virtualizer", "@lit-labs/virtualizer", "lit-virtualizer", { number: "b", customer: "span" }),
  windowed(
    "MUI Data Grid",
    "@mui/x-data-grid",
    "mui-data-grid-windowed",
    { number: "[data-field=number]", customer: "[data-field=customer]", city: "[data-field=city]" },
    100,
    ".MuiDataGrid-row",
  ),
  {
    name: "MUI Data Grid: pages, each windowed",
    library: "@mui/x-data-grid",
    page: "mui-data-grid-windowed",
    windowedPages: true,
    definition: {
      steps: [
        visit("mui-data-grid-windowed"),
        list(".MuiDataGrid-row", { number: "[data-field=number]", customer: "[data-field=customer]" }),
      ],
      pagination: byName("Go to next page"),
    },
    expected: rowsOf(orders, "number", "customer"),
  },
  {
    name: "MUI Data Grid: pages",
    library: "@mui/x-data-grid",
    page: "mui-data-grid",
    definition: {
      steps: [
        visit("mui-data-grid"),
        list(".MuiDataGrid-row", {
          title: "[data-field=title]",
          author: "[data-field=author]",
          price: "[data-field=price]",
        }),
      ],
      pagination: byName("Go to next page"),
    },
    expected: rowsOf(books, "title", "author", "price"),
  },
  {
    name: "MUI: Pagination over a list",
    library: "@mui/material",
    page: "mui-pagination",
    definition: {
      steps: [
        visit("mui-pagination"),
        list("li.MuiListItem-root", {
          name: ".MuiListItemText-primary",
          office: ".MuiListItemText-secondary",
        }),
      ],
      pagination: byName("Go to next page"),
    },
    expected: rowsOf(people, "name", "office"),
  },
  {
    name: "Ant Design: table pages",
    library: "antd",
    page: "antd-table",
    definition: {
      steps: [visit("antd-table"), list("tr.ant-table-row", columns("name", "office", "age"))],
      pagination: byName("Next Page"),
    },
    expected: rowsOf(people, "name", "office", "age"),
  },
  {
    name: "TanStack Table: pages",
    library: "@tanstack/react-table",
    page: "tanstack-table",
    definition: {
      steps: [visit("tanstack-table"), list("tbody tr", columns("title", "author", "price"))],
      pagination: byName(">"),
    },
    expected: rowsOf(books, "title", "author", "price"),
  },
  {
    name: "TanStack Table, Solid: pages",
    library: "solid-js",
    page: "solid-table",
    definition: {
      steps: [visit("solid-table"), list("tbody tr", columns("name", "office", "salary"))],
      pagination: byName("Next"),
    },
    expected: rowsOf(people, "name", "office", "salary"),
  },
  {
    name: "react-paginate: pages",
    library: "react-paginate",
    page: "react-paginate",
    definition: {
      steps: [visit("react-paginate"), list(".item", { title: "h3", year: "span" })],
      pagination: byName("next >"),
    },
    expected: rowsOf(books, "title", "year"),
  },
  {
    name: "Vuetify: table pages",
    library: "vuetify",
    page: "vuetify-table",
    definition: {
      steps: [visit("vuetify-table"), list("tbody tr", columns("name", "office", "age"))],
      pagination: byName("Next page"),
    },
    expected: rowsOf(people, "name", "office", "age"),
  },
  {
    name: "Element Plus: table and pagination",
    library: "element-plus",
    page: "element-plus-table",
    definition: {
      steps: [visit("element-plus-table"), list(".el-table__row", columns("title", "author", "price"))],
      pagination: { type: "next_button", selector: ".btn-next" },
    },
    expected: rowsOf(books, "title", "author", "price"),
  },
  {
    name: "PrimeVue: table pages",
    library: "primevue",
    page: "primevue-table",
    definition: {
      steps: [visit("primevue-table"), list(".p-datatable-tbody tr", columns("name", "position", "office"))],
      pagination: byName("Next Page"),
    },
    expected: rowsOf(people, "name", "position", "office"),
  },
  {
    name: "Svelte datatables: pages",
    library: "@vincjo/datatables",
    page: "svelte-datatables",
    definition: {
      steps: [visit("svelte-datatables"), list("tbody tr", columns("title", "author"))],
      pagination: byName("Next"),
    },
    expected: rowsOf(books, "title", "author"),
  },
  {
    name: "Angular Material: table pages",
    library: "@angular/material",
    page: "angular-material-table",
    definition: {
      steps: [visit("angular-material-table"), list("tr.mat-mdc-row", columns("name", "office", "age"))],
      pagination: byName("Next page"),
    },
    expected: rowsOf(people, "name", "office", "age"),
  },
  {
    name: "Lit: pages of components",
    library: "lit",
    page: "lit",
    definition: {
      steps: [visit("lit"), list("book-card", { title: "h3", author: ".author" })],
      pagination: byName("Next"),
    },
    expected: rowsOf(books, "title", "author"),
  },
  {
    name: "react-infinite-scroll-component: to the end",
    library: "react-infinite-scroll-component",
    page: "react-infinite-scroll-component",
    definition: {
      steps: [visit("react-infinite-scroll-component"), list(".item", { title: "b", author: "span" })],
      pagination: scroll,
    },
    expected: rowsOf(books, "title", "author"),
  },
  {
    name: "SWR: load more",
    library: "swr",
    page: "swr-infinite",
    definition: {
      steps: [visit("swr-infinite"), list("#root p", { title: "" })],
      pagination: { type: "load_more", field_name: "load more" },
    },
    expected: books.map(({ title }) => ({ title: `- ${title}` })),
  },
  {
    name: "TanStack Query: load more",
    library: "@tanstack/react-query",
    page: "react-query-infinite",
    definition: {
      steps: [visit("react-query-infinite"), list(".order", { number: "b", city: "i" })],
      pagination: { type: "load_more", field_name: "Load More" },
    },
    expected: rowsOf(orders.slice(0, 150), "number", "city"),
  },
  {
    name: "Alpine: show more",
    library: "alpinejs",
    page: "alpine",
    definition: {
      steps: [visit("alpine"), list("article", { title: "h3", price: "p" })],
      pagination: { type: "load_more", field_name: "Show more" },
    },
    expected: rowsOf(books, "title", "price"),
  },
  {
    name: "Ionic: infinite scroll",
    library: "@ionic/core",
    page: "ionic",
    definition: {
      steps: [visit("ionic"), list("ion-item", { number: "h2", customer: "p" })],
      pagination: scroll,
    },
    expected: rowsOf(orders.slice(0, 120), "number", "customer"),
  },
  search("Alpine", "alpinejs", "alpine-search", "Search...", "Oslo", "li"),
  search("Preact", "preact", "preact", "Find a person", "London", "li"),
  {
    name: "InstantSearch: search, then pages",
    library: "instantsearch.js",
    page: "instantsearch",
    definition: {
      steps: [
        visit("instantsearch"),
        { type: "write_input", field_name: "Search for books", value: "The S" },
        list(".ais-Hits-item", { title: "b", author: "i" }),
      ],
      pagination: byName("Next Page"),
    },
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
    definition: {
      steps: [
        visit("radix-tabs"),
        { type: "click", field_name: "Staff" },
        list("[role=tabpanel] li", { name: "b", office: "i" }),
      ],
    },
    expected: rowsOf(people.slice(0, 25), "name", "office"),
    act: (page) => page.getByRole("tab", { name: "Staff" }).click(),
  },
  {
    name: "react-datepicker: choose a day",
    library: "react-datepicker",
    page: "react-datepicker",
    definition: {
      steps: [
        visit("react-datepicker"),
        { type: "click", field_name: "Day" },
        { type: "click", selector: ".react-datepicker__day--003:not(.react-datepicker__day--outside-month)" },
        list("li.event", { name: "b", date: "i" }),
      ],
    },
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
    definition: {
      steps: [
        visit("react-router-hash#/item/3"),
        { type: "get_text", field_name: "first", selector: "h2" },
        visit("react-router-hash#/item/7"),
        { type: "get_text", field_name: "second", selector: "h2" },
      ],
    },
    expected: [{ first: books[2]?.title ?? "", second: books[6]?.title ?? "" }],
  },
  {
    name: "Vue Router, history: click an item",
    library: "vue-router",
    page: "vue-router-history",
    definition: {
      steps: [
        visit("vue-router-history"),
        { type: "click", field_name: books[5]?.title ?? "" },
        { type: "get_text", field_name: "author", selector: ".author" },
      ],
    },
    expected: [{ author: books[5]?.author ?? "" }],
    act: (page) => page.getByText(books[5]?.title ?? "", { exact: true }).click(),
  },
  dropdown("Ant Design", "antd", "antd-select", "Poetry", "Select a genre", [
    ".ant-select",
    ".ant-select-item-option",
  ]),
  dropdown("react-select", "react-select", "react-select", "Crime", "Select...", [
    "[role=combobox]",
    "[role=option]",
  ]),
  {
    ...dropdown(
      "react-select, options from the server",
      "react-select",
      "react-select-async",
      "Crime",
      "Genre",
      ["[role=combobox]", "[role=option]"],
    ),
    // The options come when something is typed.
    async act(page) {
      await page.getByLabel("Genre").pressSequentially("Cri");
      await page.getByRole("option", { name: "Crime" }).click();
    },
  },
  dropdown("Headless UI", "@headlessui/react", "headlessui-listbox", "Fantasy", "Genre", [
    "button",
    "[role=option]",
  ]),
  dropdown("MUI Select", "@mui/material", "mui-select", "Travel", "Genre", [
    "[role=combobox]",
    "[role=option]",
  ]),
  dropdown("MUI Autocomplete", "@mui/material", "mui-autocomplete", "Biography", "Genre", [
    "input",
    "[role=option]",
  ]),
  dropdown("Radix", "radix-ui", "radix-select", "Romance", "Genre", ["button", "[role=option]"]),
  dropdown("Vuetify", "vuetify", "vuetify-select", "Crime", "Genre", [".v-select", ".v-list-item"]),
  dropdown("Element Plus", "element-plus", "element-plus-select", "Poetry", "Select", [
    ".el-select",
    ".el-select-dropdown__item",
  ]),
  dropdown("PrimeVue", "primevue", "primevue-select", "Travel", "Select a Genre", [
    ".p-select",
    ".p-select-option",
  ]),
  dropdown("vue-select", "vue-select", "vue-select", "Romance", "Genre", [
    ".vs__dropdown-toggle",
    ".vs__dropdown-option",
  ]),
  dropdown("svelte-select", "svelte-select", "svelte-select", "Fantasy", "Select a genre", [
    ".svelte-select",
    ".list-item",
  ]),
  dropdown("Kobalte", "@kobalte/core", "solid-kobalte", "Biography", "Genre", ["button", "[role=option]"]),
  dropdown("Angular Material", "@angular/material", "angular-material-select", "Poetry", "Genre", [
    "mat-select",
    "mat-option",
  ]),
  dropdown("Ionic", "@ionic/core", "ionic-select", "Crime", "Genre", [
    "ion-select",
    "ion-select-popover ion-item",
  ]),
];
