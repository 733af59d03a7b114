import { books, orders, people } from "../data.ts";
import type { Task } from "../task.ts";
import { columns, list, rowsOf } from "./definitions.ts";

const byName = people.toSorted((one, other) => one.name.localeCompare(other.name, "en"));
const staff = list("#example tbody tr", columns("name", "position", "office", "age", "start", "salary"));
const staffRows = (found: readonly (typeof people)[number][]) =>
  rowsOf(found, "name", "position", "office", "age", "start", "salary");
const cells = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, `.ag-cell[col-id=${name}]`]));

export const tables: Task[] = [
  {
    name: "DataTables: all pages",
    library: "datatables.net",
    page: "datatables",
    steps: [staff],
    pagination: { type: "next_button", field_name: "Next" },
    expected: staffRows(byName),
  },
  {
    name: "DataTables: all pages, by selector",
    library: "datatables.net",
    page: "datatables",
    steps: [staff],
    pagination: { type: "next_button", selector: ".dt-paging-button.next" },
    expected: staffRows(byName),
  },
  {
    name: "DataTables: the first page",
    library: "datatables.net",
    page: "datatables",
    steps: [staff],
    expected: staffRows(byName.slice(0, 10)),
  },
  {
    name: "DataTables: search, then all pages",
    library: "datatables.net",
    page: "datatables",
    steps: [{ type: "write_input", field_name: "Search:", value: "Developer" }, staff],
    pagination: { type: "next_button", field_name: "Next" },
    expected: staffRows(byName.filter(({ position }) => position === "Developer")),
    act: (page) => page.getByLabel("Search:").fill("Developer"),
  },
  {
    name: "DataTables: 50 entries per page",
    library: "datatables.net",
    page: "datatables",
    steps: [{ type: "select_dropdown", field_name: "entries per page", value: "50" }, staff],
    pagination: { type: "next_button", field_name: "Next" },
    expected: staffRows(byName),
    act: (page) => page.getByLabel("entries per page").selectOption("50"),
  },
  {
    name: "DataTables: pages from the server",
    library: "datatables.net",
    page: "datatables-ajax",
    steps: [list("#example tbody tr", columns("name", "position", "office", "age"))],
    pagination: { type: "next_button", field_name: "Next" },
    expected: rowsOf(people, "name", "position", "office", "age"),
  },
  {
    name: "DataTables: search by the server",
    library: "datatables.net",
    page: "datatables-ajax",
    steps: [
      { type: "write_input", field_name: "Search:", value: "Oslo" },
      list("#example tbody tr", columns("name", "position", "office", "age")),
    ],
    expected: rowsOf(
      people.filter(({ office }) => office === "Oslo"),
      "name",
      "position",
      "office",
      "age",
    ),
    act: (page) => page.getByLabel("Search:").pressSequentially("Oslo"),
  },
  {
    name: "Tabulator: pages",
    library: "tabulator-tables",
    page: "tabulator-paged",
    steps: [
      list(".tabulator-row", {
        name: ".tabulator-cell[tabulator-field=name]",
        office: ".tabulator-cell[tabulator-field=office]",
        age: ".tabulator-cell[tabulator-field=age]",
      }),
    ],
    pagination: { type: "next_button", field_name: "Next" },
    expected: rowsOf(people, "name", "office", "age"),
  },
  {
    name: "Tabulator: 400 rows of which a window exists",
    library: "tabulator-tables",
    page: "tabulator-windowed",
    steps: [
      list(".tabulator-row", {
        number: "[tabulator-field=number]",
        customer: "[tabulator-field=customer]",
        city: "[tabulator-field=city]",
      }),
    ],
    pagination: { type: "infinite_scroll" },
    expected: rowsOf(orders, "number", "customer", "city"),
  },
  {
    name: "Tabulator: rows fetched while scrolling",
    library: "tabulator-tables",
    page: "tabulator-progressive",
    steps: [
      list(".tabulator-row", {
        number: "[tabulator-field=number]",
        customer: "[tabulator-field=customer]",
        city: "[tabulator-field=city]",
      }),
    ],
    pagination: { type: "infinite_scroll" },
    expected: rowsOf(orders, "number", "customer", "city"),
  },
  {
    name: "AG Grid: pages, each windowed",
    library: "ag-grid-community",
    page: "ag-grid-paged",
    windowedPages: true,
    steps: [list(".ag-row", cells("title", "author", "price"))],
    pagination: { type: "next_button", field_name: "Next Page" },
    expected: rowsOf(books, "title", "author", "price"),
  },
  {
    name: "AG Grid: 400 rows of which a window exists",
    library: "ag-grid-community",
    page: "ag-grid-windowed",
    steps: [list(".ag-row", cells("number", "customer", "city", "total"))],
    pagination: { type: "infinite_scroll" },
    expected: rowsOf(orders, "number", "customer", "city", "total"),
  },
  {
    name: "AG Grid: rows fetched while scrolling",
    library: "ag-grid-community",
    page: "ag-grid-infinite",
    steps: [list(".ag-row", cells("number", "customer", "city", "total"))],
    pagination: { type: "infinite_scroll" },
    expected: rowsOf(orders, "number", "customer", "city", "total"),
  },
  {
    name: "AG Grid: columns that are not in view",
    library: "ag-grid-community",
    page: "ag-grid-columns",
    steps: [list(".ag-row", cells("name", "position", "office", "age", "start", "salary"))],
    pagination: { type: "infinite_scroll" },
    expected: staffRows(people),
    // The window is so wide that all columns are rendered.
    async act(page) {
      await page.locator("#myGrid").evaluate((grid) => {
        (grid as unknown as { style: { width: string } }).style.width = "2600px";
      });
      await page.setViewportSize({ width: 2700, height: 900 });
    },
  },
  {
    name: "Grid.js: pages",
    library: "gridjs",
    page: "gridjs",
    steps: [list(".gridjs-tbody .gridjs-tr", columns("title", "author", "price"))],
    pagination: { type: "next_button", field_name: "Next" },
    expected: rowsOf(books, "title", "author", "price"),
  },
  {
    name: "Grid.js: search, then pages",
    library: "gridjs",
    page: "gridjs",
    steps: [
      { type: "write_input", field_name: "Type a keyword...", value: "Golden" },
      list(".gridjs-tbody .gridjs-tr", columns("title", "author", "price")),
    ],
    pagination: { type: "next_button", field_name: "Next" },
    expected: rowsOf(
      books.filter(({ title }) => title.includes("Golden")),
      "title",
      "author",
      "price",
    ),
    act: (page) => page.getByPlaceholder("Type a keyword...").pressSequentially("Golden"),
  },
  {
    name: "Grid.js: search by the server",
    library: "gridjs",
    page: "gridjs-server",
    steps: [
      { type: "write_input", selector: ".gridjs-search-input", value: "Tokyo" },
      list(".gridjs-tbody .gridjs-tr", columns("name", "position", "office")),
    ],
    expected: rowsOf(
      people.filter(({ office }) => office === "Tokyo"),
      "name",
      "position",
      "office",
    ),
    act: (page) => page.locator(".gridjs-search-input").pressSequentially("Tokyo"),
  },
  {
    name: "simple-datatables: pages",
    library: "simple-datatables",
    page: "simple-datatables",
    steps: [list("#myTable tbody tr", columns("title", "author", "price"))],
    pagination: { type: "next_button", field_name: "›" },
    expected: rowsOf(books, "title", "author", "price"),
  },
  {
    name: "Bootstrap Table: pages from the server",
    library: "bootstrap-table",
    page: "bootstrap-table",
    steps: [list("table tbody tr", columns("id", "name", "office"))],
    pagination: { type: "next_button", selector: ".page-next a" },
    expected: rowsOf(people, "id", "name", "office"),
  },
  {
    name: "Bootstrap Table: pages, by the button's name",
    library: "bootstrap-table",
    page: "bootstrap-table",
    steps: [list("table tbody tr", columns("id", "name", "office"))],
    pagination: { type: "next_button", field_name: "next page" },
    expected: rowsOf(people, "id", "name", "office"),
  },
  {
    name: "jsGrid: pages from the server",
    library: "jsgrid",
    page: "jsgrid",
    steps: [
      list(".jsgrid-grid-body tr:is(.jsgrid-row, .jsgrid-alt-row)", columns("title", "author", "year")),
    ],
    pagination: { type: "next_button", field_name: "Next" },
    expected: rowsOf(books, "title", "author", "year"),
  },
  {
    name: "Handsontable: 200 rows of which a window exists",
    library: "handsontable",
    page: "handsontable",
    steps: [
      list(".ht_master tbody tr", {
        number: "td:nth-of-type(1)",
        customer: "td:nth-of-type(2)",
        city: "td:nth-of-type(3)",
        total: "td:nth-of-type(4)",
      }),
    ],
    pagination: { type: "infinite_scroll" },
    expected: rowsOf(orders.slice(0, 200), "number", "customer", "city", "total"),
  },
  {
    name: "SlickGrid: 400 rows of which a window exists",
    library: "slickgrid",
    page: "slickgrid",
    steps: [
      list(".slick-row", { number: ".slick-cell.l0", customer: ".slick-cell.l1", city: ".slick-cell.l2" }),
    ],
    pagination: { type: "infinite_scroll" },
    expected: rowsOf(orders, "number", "customer", "city"),
  },
  {
    name: "Clusterize.js: 400 rows of which a cluster exists",
    library: "clusterize.js",
    page: "clusterize",
    steps: [list("#contentArea tr:not(.clusterize-extra-row)", columns("number", "customer"))],
    pagination: { type: "infinite_scroll", selector: "#scrollArea" },
    expected: rowsOf(orders, "number", "customer"),
  },
  {
    name: "pagination.js: pages from the server",
    library: "paginationjs",
    page: "paginationjs",
    steps: [list("#data-container li", { title: "b", price: "i" })],
    pagination: { type: "next_button", selector: ".paginationjs-next" },
    expected: rowsOf(books, "title", "price"),
  },
  {
    name: "List.js: search",
    library: "list.js",
    page: "list-js",
    steps: [
      { type: "write_input", field_name: "Search", value: "Lighthouse" },
      list("#books .list li", { name: ".name", author: ".author" }),
    ],
    expected: rowsOf(
      books.filter(({ title }) => title.includes("Lighthouse")).slice(0, 8),
      "title",
      "author",
    ).map(({ title = "", author = "" }) => ({ name: title, author })),
    act: (page) => page.getByPlaceholder("Search").pressSequentially("Lighthouse"),
  },
  {
    name: "jqGrid: pages",
    library: "free-jqgrid",
    page: "jqgrid",
    steps: [list("tr.jqgrow", columns("title", "author", "price"))],
    pagination: { type: "next_button", field_name: "Next Page" },
    expected: rowsOf(books, "title", "author", "price"),
  },
  {
    name: "tablesorter: pages",
    library: "tablesorter",
    page: "tablesorter",
    steps: [list("tbody tr:visible", columns("name", "position", "office"))],
    pagination: { type: "next_button", field_name: "Next" },
    expected: rowsOf(people, "name", "position", "office"),
  },
  {
    name: "w2ui: 400 rows of which a window exists",
    library: "w2ui",
    page: "w2ui",
    steps: [list(".w2ui-grid-records tr[recid]", { number: "td[col='0']", customer: "td[col='1']" })],
    expected: rowsOf(orders, "number", "customer"),
    windowedPages: true,
  },
  {
    name: "Knockout: pages",
    library: "knockout",
    page: "knockout",
    steps: [list(".book", { title: "b" })],
    pagination: { type: "next_button", field_name: "Next" },
    expected: rowsOf(books, "title"),
  },
];
