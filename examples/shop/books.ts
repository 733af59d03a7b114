import { stockList } from "./stock-list.ts";

export interface Book {
  number: number;
  title: string;
  author: string;
  category: string;
  year: number;
  binding: string;
  condition: string;
  pages: number;
  language: string;
  /** Pounds; absent where the customer has to ask in the shop. */
  price?: number;
  /** Pounds before the sale; absent where there is none. */
  oldPrice?: number;
  /** Out of 5, with the number of readers who gave it; absent where nobody has. */
  rating?: { average: number; voters: number };
  stock: string;
  description: string;
  /** Absolute path of its page, percent-encoded. */
  path: string;
}

const FIRST_NUMBER = 2001;

function parseBook(entry: string, index: number): Book {
  const [facts = "", description = ""] = entry.split("\n");
  const [title = "", author = "", category = "", year, binding = "", condition = "", ...rest] =
    facts.split(" | ");
  const [pages, language = "", pricing = "", rating = "", stock = ""] = rest;
  const [price, oldPrice] = [...pricing.matchAll(/£([\d.]+)/g)].map((match) => Number(match[1]));
  const [average, voters] = [...rating.matchAll(/[\d.]+/g)].map((match) => Number(match[0]));
  const number = FIRST_NUMBER + index;
  return {
    number,
    title,
    author,
    category,
    year: Number(year),
    binding,
    condition,
    pages: Number(pages),
    language,
    ...(price !== undefined && { price }),
    ...(oldPrice !== undefined && { oldPrice }),
    ...(average !== undefined && voters !== undefined && { rating: { average, voters } }),
    stock,
    description,
    path: `/books/${number}-${encodeURIComponent(slug(title))}`,
  };
}

/** Words of a title in lower case, joined by hyphens; letters of every script are kept. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/** Everything in the shop, in the order in which it came in. */
export const books: readonly Book[] = stockList.trim().split("\n\n").map(parseBook);

export interface Category {
  name: string;
  slug: string;
  count: number;
}

export const categories: readonly Category[] = [
  "Fiction",
  "Poetry & plays",
  "Travel",
  "Nature",
  "Children's books",
].map((name) => ({
  name,
  slug: slug(name),
  count: books.filter((book) => book.category === name).length,
}));
