import type { Pagination } from "../../functions/contract/scrapers/scraper.ts";
import type { Step, StepOf } from "../../functions/contract/steps/steps.ts";
import {
  DETAILS,
  ITEMS_A_PAGE,
  LATE_DETAILS,
  LIST_PAGES,
  SHORT_ROWS,
  SLOW_PAGES,
  TABLE_ROWS,
} from "./shop-site.ts";

export type WorkloadName =
  | "list"
  | "list_with_scripts"
  | "table"
  | "load_more"
  | "infinite_scroll"
  | "details"
  | "slow_scroll"
  | "search"
  | "late_details"
  | "one_page"
  | "short_runs";

/** What each contestant has to bring home. */
export interface Workload {
  name: WorkloadName;
  path: string;
  /** After the visit. */
  steps?: readonly Step[];
  list: Pick<StepOf<"get_list">, "fields" | "details"> & { selector: string };
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

const withDetails = {
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
};

/** What is typed into the search. */
export const SEARCHED = "lamp";

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
    list: withDetails,
    pagination: { type: "none" },
    rows: DETAILS,
    runs: 1,
  },
];

/** Pages that wait by timers. */
export const timed: Workload[] = [
  {
    name: "slow_scroll",
    path: "/slow-scroll",
    list: { selector: ".product-card", fields: cardFields },
    pagination: { type: "infinite_scroll" },
    rows: SLOW_PAGES * ITEMS_A_PAGE,
    runs: 1,
  },
  {
    name: "search",
    path: "/search",
    steps: [{ type: "write_input", selector: "#search", value: SEARCHED }],
    list: { selector: ".product-card", fields: cardFields },
    pagination: { type: "none" },
    rows: ITEMS_A_PAGE,
    runs: 1,
  },
  {
    name: "late_details",
    path: "/late-details",
    list: withDetails,
    pagination: { type: "none" },
    rows: LATE_DETAILS,
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
