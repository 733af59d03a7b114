import { books } from "../../examples/shop/books.ts";
import { pages as examples } from "../../test/functions/proposals/pages.ts";
import { ITEMS_A_PAGE, LIST_PAGES } from "../engine/shop-site.ts";
import { type NewPage, newPages } from "./new-pages.ts";

/** A page with a list that is known. */
export interface KnownPage {
  name: string;
  /** Which of the servers has it, and where. */
  site: "shop" | "store" | "pages";
  path: string;
  /** What a run has to bring, up to the limit that a new scraper has. */
  rows: number;
  /** Texts of which each is in a row of its own. */
  texts: readonly string[];
  /** What is special about the page, and what a person does there. */
  special?: NewPage;
}

const LIMIT = 1_000;
/** Pages that the proposals are tested on, with lists of one page. */
const SINGLE = [
  "cards in a list",
  "cards with microdata, which names the fields",
  "test ids, which last longer than classes",
  "a table whose head names the fields",
  "rows of cards, which are one list",
  "a list behind a large menu",
  "a list above a large footer",
  "an advertisement between the rows",
  "a definition list in each row names the fields",
  "hashed classes are not used",
  "links only",
];

const shopPage = (name: string, path: string, found: typeof books): KnownPage => ({
  name: `shop: ${name}`,
  site: "shop",
  path,
  rows: found.length,
  texts: found.slice(0, 3).map(({ title }) => title),
});

const storePage = (name: string, path: string, rows: number, texts: readonly string[]): KnownPage => ({
  name: `store: ${name}`,
  site: "store",
  path,
  rows,
  texts,
});

const travel = books.filter(({ category }) => category === "travel" || category === "Travel");
const fiction = books.filter(({ category }) => category === "fiction" || category === "Fiction");
const CARDS = ["Oak Lamp No. 0", "Brass Lamp No. 1"];
const ALL = LIST_PAGES * ITEMS_A_PAGE;

/** How each page with several pages goes on, as PAGERS in site.ts has it. */
export const PAGED = { count: 4, size: 10 };
const paged = (name: string, path: string): KnownPage => ({
  name: `paged: ${name}`,
  site: "pages",
  path,
  rows: PAGED.count * PAGED.size,
  texts: ["Item 1 of 40", "Item 11 of 40", "Item 40 of 40"],
});

/**
 * 40 pages: of the bundled shop, of the store that the engine is measured on, of what the proposals are tested on, and 15
 * that need more than the first proposal.
 */
export const knownPages: readonly KnownPage[] = [
  shopPage("all books", "/books", books),
  shopPage("a category of one page", "/books?category=travel", travel),
  shopPage("a category of several pages", "/books?category=fiction", fiction),
  storePage("cards, a next link", "/list", Math.min(ALL, LIMIT), CARDS),
  storePage("a table of 10,000 rows", "/table", LIMIT, ["SKU-0", "SKU-999"]),
  storePage("a button that loads more", "/more", Math.min(ALL, LIMIT), CARDS),
  storePage("rows that come by scrolling", "/scroll", Math.min(ALL, LIMIT), CARDS),
  storePage("cards on one page", "/details", 50, CARDS),
  paged("numbers only", "/paged/numbers"),
  paged("an arrow beside numbers", "/paged/arrow"),
  paged("a next link in German", "/paged/german"),
  paged("addresses that count rows", "/paged/offset"),
  paged("a banner of consent", "/paged/consent"),
  paged("a table", "/paged/table"),
  ...SINGLE.map((name, index): KnownPage => {
    const example = examples.find((each) => each.name === name);
    return { name, site: "pages", path: `/single/${index}`, rows: example?.list?.count ?? 0, texts: [] };
  }),
  ...newPages.map((special, index): KnownPage => {
    const { name, rows, texts } = special;
    return { name, site: "pages", path: `/new/${index}/`, rows, texts, special };
  }),
];

export const htmlOf = (index: number): string =>
  examples.find(({ name }) => name === SINGLE[index])?.html ?? "";
