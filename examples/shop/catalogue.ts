import { type Book, books, type Category, categories } from "./books.ts";

export const PAGE_SIZE = 12;

/** Unpriced books come last in both directions: nobody who sorts by price is looking for them. */
export const sorts = [
  { value: "newest", label: "New arrivals", compare: (a: Book, b: Book) => b.number - a.number },
  {
    value: "price",
    label: "Price: low to high",
    compare: (a: Book, b: Book) => (a.price ?? Infinity) - (b.price ?? Infinity) || a.number - b.number,
  },
  {
    value: "price-desc",
    label: "Price: high to low",
    compare: (a: Book, b: Book) => (b.price ?? 0) - (a.price ?? 0) || a.number - b.number,
  },
  {
    value: "title",
    label: "Title: A to Z",
    compare: (a: Book, b: Book) => a.title.localeCompare(b.title, "en") || a.number - b.number,
  },
] as const;
type Sort = (typeof sorts)[number];

/** What a customer asked the catalogue for. */
export interface Search {
  words: string;
  category?: Category;
  sort: Sort;
}

/** One page of the answer; `page` counts from 1. */
export interface Listing extends Search {
  page: number;
  pages: number;
  total: number;
  books: Book[];
}

/** The listing that an address names, or undefined where there is no such category, order or page. */
export function listingOf(params: URLSearchParams): Listing | undefined {
  const categorySlug = params.get("category");
  const category = categories.find((one) => one.slug === categorySlug);
  const sortValue = params.get("sort") || sorts[0].value;
  const sort = sorts.find((one) => one.value === sortValue);
  if ((categorySlug && !category) || !sort) return undefined;

  const words = params.get("q")?.trim() ?? "";
  const found = find({ words, sort, ...(category && { category }) });
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Number(params.get("page") ?? "1");
  if (!Number.isInteger(page) || page < 1 || page > pages) return undefined;
  return {
    words,
    ...(category && { category }),
    sort,
    page,
    pages,
    total: found.length,
    books: found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
  };
}

function find({ words, category, sort }: Search): Book[] {
  const wanted = fold(words).split(/\s+/).filter(Boolean);
  return books
    .filter((book) => !category || book.category === category.name)
    .filter((book) => {
      const text = fold(
        [book.title, book.author, book.category, book.binding, book.language, book.description].join(" "),
      );
      return wanted.every((word) => text.includes(word));
    })
    .sort(sort.compare);
}

/** Without case and accents, so that "emily bronte" finds Emily Brontë. */
const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The address of a page of a search, with nothing in it that says what is so anyway. */
export function addressOf({ words, category, sort }: Search, page = 1): string {
  const params = new URLSearchParams();
  if (words) params.set("q", words);
  if (category) params.set("category", category.slug);
  if (sort !== sorts[0]) params.set("sort", sort.value);
  if (page > 1) params.set("page", String(page));
  return params.size > 0 ? `/books?${params}` : "/books";
}
