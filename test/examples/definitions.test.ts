import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { books } from "../../examples/shop/books.ts";
import { startShop } from "../../examples/shop/server.ts";
import { ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";
import { validate } from "../../functions/contract/validate.ts";

const folder = new URL("../../examples/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), "utf8"));

test("there are examples", () => {
  expect(files).toEqual(["shop-catalogue.json", "shop-details.json", "shop-travel.json"]);
});

test.each(files)("%s fits the contract, and each of its steps can be named", (file) => {
  const { steps } = validate(ScraperDefinition, read(file));
  expect(steps.every((step) => step.id)).toBe(true);
});

test.each(files)("%s names only what the shop's pages have", async (file) => {
  const shop = await startShop();
  const pages = await Promise.all(
    ["/books?category=fiction", ...books.map((book) => book.path)].map(async (path) =>
      (await fetch(shop.url + path)).text(),
    ),
  );
  await shop.close();
  const markup = pages.join();
  const words = new Set(
    markup.match(/(?<=(?:class|itemprop)=")[^"]+/g)?.flatMap((names) => names.split(" ")),
  );
  const selectors = [...JSON.stringify(read(file)).matchAll(/"selector":"([^"]+)"/g)].map(
    ([, one]) => one ?? "",
  );
  const named = selectors.flatMap((selector) => selector.match(/(?<=\.|itemprop=)[\w-]+/g) ?? []);
  expect(named.filter((name) => !words.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});
