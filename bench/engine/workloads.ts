import type { Pagination } from "../../functions/contract/scraper.ts";
import type { StepOf } from "../../functions/contract/steps.ts";
import { DETAILS, ITEMS_A_PAGE, LIST_PAGES, SHORT_ROWS, TABLE_ROWS } from "./shop-site.ts";

export type WorkloadName =
  | "list"
  | "list_with_scripts"
  | "table"
  | "load_more"
  | "infinite_scroll"
  | "details"
  | "one_page"
  | "short_runs";

/** What each contestant has to bring home. */
export interface Workload {
  name: WorkloadName;
  path: string;
  list: Pick<StepOf<"get_list">, "selector" | "fields" | "details">;
  pagination: Pagination;
  /** In each run. */
  rows: number;
  /** How many runs there are, each with a context of its own. */
  runs: number;
}

const cardFields = [
  { name: "title", selector: ".product-card__title" },
  { name: "url", selector: ".product-card__title a", attribute: "href" },
  { name: "blurb", selector: ".product-card__blurb" },
  { name: "price", selector: ".price" },
  { name: "rating", selector: ".rating" },
];

const pagedList = {
  list: { selector: ".product-card", fields: cardFields },
  pagination: { type: "next_button", selector: ".pagination__next" },
  rows: LIST_PAGES * ITEMS_A_PAGE,
  runs: 1,
} as const;

export const workloads: Workload[] = [
  { name: "list", path: "/list", ...pagedList },
  { name: "list_with_scripts", path: "/list-with-scripts", ...pagedList },
  {
    name: "table",
    path: "/table",
    list: {
      selector: ".stock-row",
      fields: ["sku", "name", "price", "stock", "place"].map((name) => ({ name, selector: `.c-${name}` })),
    },
    pagination: { type: "none" },
    rows: TABLE_ROWS,
    runs: 1,
  },
  {
    name: "load_more",
    path: "/more",
    list: { selector: ".product-card", fields: cardFields },
    pagination: { type: "load_more", selector: "#more" },
    rows: LIST_PAGES * ITEMS_A_PAGE,
    runs: 1,
  },
  {
    name: "infinite_scroll",
    path: "/scroll",
    list: { selector: ".product-card", fields: cardFields },
    pagination: { type: "infinite_scroll" },
    rows: LIST_PAGES * ITEMS_A_PAGE,
    runs: 1,
  },
  {
    name: "details",
    path: "/details",
    list: {
      selector: ".product-card",
      fields: cardFields,
      details: {
        url_field: "url",
        fields: [
          { name: "full_name", selector: ".product__name" },
          { name: "material", selector: ".fact-material" },
          { name: "weight", selector: ".fact-weight" },
        ],
      },
    },
    pagination: { type: "none" },
    rows: DETAILS,
    runs: 1,
  },
];

/** `runs` runs of one page. */
export const shortRuns = (name: "one_page" | "short_runs", runs: number): Workload => ({
  name,
  path: "/short",
  list: {
    selector: "li",
    fields: [
      { name: "name", selector: "b" },
      { name: "price", selector: "i" },
    ],
  },
  pagination: { type: "none" },
  rows: SHORT_ROWS,
  runs,
});
