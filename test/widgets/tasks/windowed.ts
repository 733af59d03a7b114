import { orders } from "../data.ts";
import type { Task } from "../task.ts";
import { columns, list, rowsOf } from "./definitions.ts";

const scroll = { type: "infinite_scroll" } as const;

/** A task for a windowed list of orders: only the rows in view are in the document. */
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
  steps: [list(selector, fields)],
  pagination: scroll,
  expected: rowsOf(orders.slice(0, count), ...(Object.keys(fields) as "number"[])),
});

/** Tasks for windowed lists, of which only the rows in view are in the document. Tasks for grids are in tables.ts. */
export const windowedLists: Task[] = [
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
    steps: [list(".note", { note: "" })],
    pagination: scroll,
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
  windowed(
    "regular-table",
    "regular-table",
    "regular-table",
    columns("number", "customer"),
    400,
    "regular-table tbody tr",
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
    steps: [list(".MuiDataGrid-row", { number: "[data-field=number]", customer: "[data-field=customer]" })],
    pagination: { type: "next_button", field_name: "Go to next page" },
    expected: rowsOf(orders, "number", "customer"),
  },
];
