import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { books } from "../../examples/shop/books.ts";
import { startShop } from "../../examples/shop/server.ts";

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

async function get(path: string) {
  const response = await fetch(new URL(path, shop.url));
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

/** Paths of the books in the grid, in the order of the page. */
const booksOn = (text: string) =>
  [...text.matchAll(/class="book-link" href="([^"]+)"/g)].map(([, path]) => path);

/** Follows Next from a page to the last one, as a customer would. */
async function allPages(path: string): Promise<string[]> {
  const pages: string[] = [];
  for (let next: string | undefined = path; next; ) {
    const { text } = await get(next);
    pages.push(text);
    next = text.match(/<a class="next" rel="next" href="([^"]+)"/)?.[1]?.replaceAll("&#38;", "&");
  }
  return pages;
}

describe("catalogue", () => {
  test("shows every book exactly once over its pages", async () => {
    const pages = (await allPages("/books")).map(booksOn);
    expect(pages.map((page) => page.length)).toEqual([12, 12, 12, 12, 10]);
    expect(pages.flat().sort()).toEqual(books.map((book) => book.path).sort());
  });

  test("filters by category and keeps the filter from page to page", async () => {
    const fiction = books.filter((book) => book.category === "Fiction").map((book) => book.path);
    const pages = await allPages("/books?category=fiction");
    expect(pages).toHaveLength(2);
    expect(pages.flatMap(booksOn).sort()).toEqual(fiction.sort());
  });

  test("finds words without regard to case and accents", async () => {
    const { text } = await get("/books?q=EMILY+bronte");
    expect(booksOn(text)).toEqual([expect.stringContaining("wuthering-heights")]);
    expect(text).toContain("1 book for “EMILY bronte”");
  });

  test("searches within a category", async () => {
    const pages = await allPages("/books?q=hardback&category=fiction");
    const wanted = books.filter((book) => book.category === "Fiction" && book.binding === "Hardback");
    expect(pages.flatMap(booksOn).sort()).toEqual(wanted.map((book) => book.path).sort());
  });

  test("takes the empty fields that forms send without the script", async () => {
    const { text } = await get("/books?q=&category=&sort=newest");
    expect(text).toContain("1–12 of 58 books");
  });

  test("says so when nothing is found", async () => {
    const { status, text } = await get("/books?q=zeppelin");
    expect(status).toBe(200);
    expect(booksOn(text)).toEqual([]);
    expect(text).toContain("Nothing on the shelves");
  });

  test.each([
    ["price", (prices: number[]) => prices.toSorted((a, b) => a - b)],
    ["price-desc", (prices: number[]) => prices.toSorted((a, b) => b - a)],
  ])("sorts by %s, books without one last", async (sort, sorted) => {
    const texts = await allPages(`/books?sort=${sort}`);
    const prices = texts
      .flatMap((text) => [...text.matchAll(/class="price">£([\d.]+)<|class="(price-ask)"/g)])
      .map(([, price]) => Number(price ?? NaN));
    const priced = prices.filter((price) => !Number.isNaN(price));
    expect(priced.length).toBeLessThan(books.length);
    expect(prices.slice(0, priced.length)).toEqual(sorted(priced));
  });
});

test("every book has a page and a picture", async () => {
  for (const book of books) {
    const page = await get(book.path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<td itemprop="sku">${book.number}</td>`);
    const picture = await get(`/covers/${book.number}.svg`);
    expect(picture).toMatchObject({ status: 200, type: "image/svg+xml" });
  }
});

test("no link leads nowhere", async () => {
  const seen = new Set<string>();
  const open = ["/"];
  for (let path = open.pop(); path; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { status, type, text } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    if (!type?.startsWith("text/html")) continue;
    for (const [, link] of text.matchAll(/(?:href|src)="(\/[^"]*)"/g)) {
      open.push((link ?? "").replaceAll("&#38;", "&"));
    }
  }
  expect(seen.size).toBeGreaterThan(2 * books.length);
});

test.each([
  "/nowhere",
  "/books/1-no-such-book",
  "/covers/1.svg",
  "/books?category=cars",
  "/books?sort=colour",
  "/books?page=6",
  "/books?page=0",
  "/books?page=two",
  "/books/%E0%A4%A",
  "//",
  "/constructor",
])("%s is a proper 404 page", async (path) => {
  const response = await fetch(shop.url + path);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain("This page is missing");
});

test("what a customer types comes back escaped", async () => {
  const { text } = await get(`/books?q=${encodeURIComponent(`"><script>alert('&')</script>`)}`);
  expect(text).not.toContain("<script>");
  expect(text).toContain("&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;");
});

test("titles are escaped in pages and pictures", async () => {
  const book = books.find((one) => one.title === "Sons & Lovers");
  for (const path of [book?.path, `/covers/${book?.number}.svg`]) {
    const { text } = await get(path ?? "");
    expect(text).toContain("Sons &#38; Lovers");
    expect(text).not.toContain("Sons & Lovers");
  }
});

test("only reads", async () => {
  expect((await fetch(shop.url, { method: "POST" })).status).toBe(405);
  const head = await fetch(shop.url, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("rejects a taken port", async () => {
  await expect(startShop({ port: Number(new URL(shop.url).port) })).rejects.toThrow("EADDRINUSE");
});
