import { expect, test } from "@jest/globals";
import { Effort } from "../../../../functions/proposals/effort.ts";
import { jsonListFor } from "../../../../functions/proposals/lists/json-lists.ts";

const GOODS = [
  {
    sku: "a1",
    title: "Lamp",
    price: 19.99,
    url: "/p/1",
    tags: ["new", "red"],
    maker: { name: "Ö" },
    top: true,
  },
  { sku: "a2", title: "Chair", price: 120, url: "/p/2", tags: ["old"], maker: { name: "P" }, top: true },
  { sku: "a3", title: "Table", price: 7.5, url: "/p/3", tags: [], maker: { name: "Q" }, top: true },
];
const list = (titles = ["Lamp", "Chair", "Table"], prices = ["£19.99", "£120.00", "£7.50"]) => ({
  fields: [{ name: "name" }, { name: "price" }, { name: "link" }],
  values: [titles, prices, titles.map((_, index) => `https://shop.example/p/${index + 1}`)],
  base: "https://shop.example/list",
});
const text = (value: unknown, source = "#data") => ({ source, text: JSON.stringify(value) });
const propose = (value: unknown, shown = list(), steps?: number) =>
  jsonListFor(shown, [text(value)], new Effort(steps));

test("JSON with the rows of a list and further fields is proposed, and its fields have the names of the list's", () => {
  expect(
    propose({ props: { "odd key": { items: GOODS } }, menu: [{ title: "Home" }, { title: "Shop" }] }),
  ).toMatchObject({
    type: "get_list",
    json: { source: "#data", path: "$.props['odd key'].items[*]" },
    count: 3,
    matched: 3,
    fields: [
      { name: "name", path: "$.title", filled: 1, distinct: 3, samples: ["Lamp", "Chair", "Table"] },
      { name: "price", path: "$.price", kind: "number" },
      { name: "link", path: "$.url" },
      { name: "sku", path: "$.sku" },
      { name: "tags", path: "$.tags[*]", all: true, filled: 0.67, samples: ["new; red", "old"] },
      { name: "maker_name", path: "$.maker.name" },
    ],
    differences: [],
  });
});

test("numbers are the same in JSON and with a currency", () => {
  const shown = list(["Lamp", "Chair", "Table"], ["19,99 €", "120,00 €", "7,50 €"]);
  const { fields, differences } = propose(GOODS, shown) ?? {};
  expect(fields?.find(({ name }) => name === "price")?.path).toBe("$.price");
  expect(differences).toEqual([]);
});

test("where the page and JSON disagree is told", () => {
  const shown = list(["Lamp", "Chair", "Table"], ["£19.99", "£99.00", "£7.50"]);
  expect(propose(GOODS, shown)?.differences).toEqual([
    { field: "price", rows: 1, shown: "£99.00", in_json: "120" },
  ]);
});

test.each([
  ["an object by keys", Object.fromEntries(GOODS.map((goods) => [goods.sku, goods])), "$.*"],
  ["rows inside of others", { edges: GOODS.map((node) => ({ node })) }, "$.edges[*]"],
])("%s is a list", (_, value, path) => {
  expect(propose(value)).toMatchObject({ json: { path }, matched: 3 });
});

test("the rows of JSON may be in another order, and more", () => {
  const others = [{ ...GOODS[0], title: "Bed", price: 1, url: "/p/9" }];
  expect(propose([...others, ...GOODS.toReversed()])).toMatchObject({
    count: 4,
    matched: 3,
    differences: [],
  });
});

test.each([
  ["no JSON", "{"],
  [
    "other rows",
    [
      { title: "Home", a: 1, b: 2, c: 3 },
      { title: "Shop", a: 2, b: 3, c: 4 },
    ],
  ],
  ["no further fields", GOODS.map(({ title, price }) => ({ title, price }))],
  ["no lists", 1],
])("%s is no list of JSON", (_, value) => {
  expect(propose(value)).toBeUndefined();
});

test("the work is bounded", () => {
  expect(propose(GOODS, list(), 10)).toBeUndefined();
  const many = Array.from({ length: 20_000 }, (_, index) => ({
    title: `Lamp ${index}`,
    parts: [GOODS, GOODS],
  }));
  const effort = new Effort(100_000);
  jsonListFor(list(), [text(many)], effort);
  expect(effort.isSpent).toBe(true);
});

test("of several texts, the one with most rows counts", () => {
  const texts = [text(GOODS.slice(0, 2), "#some"), { source: "#broken", text: "{" }, text(GOODS, "#all")];
  expect(jsonListFor(list(), texts, new Effort())?.json.source).toBe("#all");
});
