import { describe, expect, test } from "@jest/globals";
import type { Row, Suggestion } from "../../../functions/contract/runs/run.ts";
import type { Pagination } from "../../../functions/contract/scrapers/scraper.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { type Broken, suggestRepair } from "../../../functions/proposals/repair/suggest.ts";
import { parseSelector } from "../../../functions/proposals/selectors/parse-selector.ts";
import { cssOf } from "../../../functions/proposals/selectors/selector.ts";
import { openExamples } from "./collect-examples.ts";

const examples = await openExamples();

const NAMES = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel"];
/** What the last good run read, before the redesign. */
const EARLIER: Row[] = NAMES.slice(0, 6).map((name, index) => ({
  title: `${name} chair`,
  url: `https://shop.example/p/${index + 1}`,
  price: `$${index + 1}9.50`,
}));
const LIST: Step = {
  type: "get_list",
  selector: ".product",
  fields: [
    { name: "title", selector: "h3" },
    { name: "url", selector: "h3 a", attribute: "href" },
    { name: "price", selector: ".price" },
  ],
};

const tile = (name: string, number: number, price: string) =>
  `<div class="tile"><img src="/i/${number}.png" width="40" height="40"><a class="name" href="/p/${number}">${name} chair</a><p><b class="amount">${price}</b></p></div>`;
const grid = (tiles: string[]) => `<nav><a href="/p/1">Offers</a></nav><main>${tiles.join("")}</main>`;
const TILES = NAMES.map((name, index) => tile(name, index + 1, `$${index + 1}9.50`));

interface Tried {
  html: string;
  step?: Step;
  part?: Broken["part"];
  earlier?: Row[];
  pagination?: Pagination;
}

async function suggestionFor({
  html,
  step = LIST,
  part = "element",
  earlier = EARLIER,
  pagination = { type: "none" },
}: Tried): Promise<Suggestion | undefined> {
  const snapshot = await examples.collect(html);
  const suggestion = suggestRepair(snapshot, { step, part, pagination }, earlier);
  // The browser agrees on what the selector matches.
  if (suggestion) expect(await examples.page.locator(suggestion.selector).count()).toBe(suggestion.matches);
  return suggestion;
}

describe("a list that nothing matches", () => {
  test("all rows of the redesigned list, with the fields that need another selector", async () => {
    expect(await suggestionFor({ html: grid(TILES) })).toEqual({
      selector: ".tile",
      matches: 8,
      fields: [
        { name: "title", selector: ".name" },
        { name: "url", selector: ".name", attribute: "href" },
        { name: "price", selector: ".amount" },
      ],
      sample: EARLIER.slice(0, 3),
    });
  });

  test("a sample that is too large has fewer rows", async () => {
    const names = Array.from({ length: 18 }, (_, index) => `field ${index} ${"x".repeat(60)}`);
    const long = (row: string, field: number) => `${row} ${field} ${"long ".repeat(20)}`.trim();
    const step: Step = { ...LIST, fields: names.map((name, index) => ({ name, selector: `.old${index}` })) };
    const earlier = NAMES.map((row) => Object.fromEntries(names.map((name, at) => [name, long(row, at)])));
    const cells = (row: string) =>
      names.map((_, at) => `<p class="part-${"abcdefghijklmnopqr"[at]}">${long(row, at)}</p>`);
    const html = NAMES.map((row) => `<div class="tile">${cells(row).join("")}</div>`).join("");
    const suggestion = await suggestionFor({ html, step, earlier });
    expect(suggestion).toMatchObject({ selector: ".tile", matches: 8 });
    expect(suggestion?.fields).toHaveLength(18);
    expect(suggestion?.sample.length).toBeLessThan(3);
    expect(JSON.stringify(suggestion).length).toBeLessThanOrEqual(5_000);
  });

  test("fields whose selectors still find the values keep them", async () => {
    const html = grid(
      NAMES.map(
        (name, index) =>
          `<section class="tile"><h3><a href="/p/${index + 1}">${name} chair</a></h3><b class="amount">$${index + 1}9.50</b></section>`,
      ),
    );
    expect(await suggestionFor({ html })).toMatchObject({
      selector: ".tile",
      fields: [{ name: "price", selector: ".amount" }],
    });
  });

  test("case, white space and the scheme of addresses do not count", async () => {
    const earlier = EARLIER.map(({ title = "", url = "" }) => ({
      title: title.toUpperCase().replace(" ", "\n "),
      url: url.replace("https:", "http:"),
    }));
    expect(await suggestionFor({ html: grid(TILES), earlier })).toMatchObject({
      selector: ".tile",
      matches: 8,
    });
  });

  test("prices that have all changed are found as the only prices", async () => {
    const html = grid(NAMES.map((name, index) => tile(name, index + 1, `$${index + 5}1.00`)));
    const { fields, sample } = (await suggestionFor({ html })) ?? {};
    expect(fields).toContainEqual({ name: "price", selector: ".amount" });
    expect(sample?.[0]).toEqual({ title: "Alder chair", url: "https://shop.example/p/1", price: "$51.00" });
  });

  test("a field with a transform is found by its values after the transform", async () => {
    const step: Step = {
      ...LIST,
      fields: [
        { name: "title", selector: "h3" },
        { name: "stock", selector: ".stock", transform: [{ type: "regex", pattern: "(\\d+) left" }] },
      ],
    };
    const earlier = EARLIER.map(({ title = "" }, index) => ({ title, stock: `${index + 3}` }));
    const html = grid(
      NAMES.map(
        (name, index) =>
          `<div class="tile"><a class="name" href="/p/${index}">${name} chair</a><i class="left">Only ${index + 3} left</i></div>`,
      ),
    );
    expect(await suggestionFor({ html, step, earlier })).toMatchObject({
      selector: ".tile",
      fields: [
        { name: "title", selector: ".name" },
        { name: "stock", selector: ".left" },
      ],
    });
  });

  test.each<[string, string, Row[]]>([
    [
      "a page that has none of the rows",
      grid(NAMES.map((name, index) => tile(`New ${name}`, index + 90, "$1"))),
      EARLIER,
    ],
    [
      "a page that has one of the rows",
      grid([
        ...TILES.slice(0, 1),
        ...NAMES.slice(1).map((name, index) => tile(`New ${name}`, index + 90, "$1")),
      ]),
      EARLIER,
    ],
    [
      "values that stand everywhere",
      grid(NAMES.map((name, index) => tile(`New ${name}`, index + 90, "In stock"))),
      NAMES.map(() => ({ price: "In stock" })),
    ],
    ["values of one row only", grid(TILES), EARLIER.slice(0, 1)],
    ["no rows", grid(TILES), []],
    ["an empty page", "", EARLIER],
  ])("no suggestion for %s", async (_, html, earlier) => {
    expect(await suggestionFor({ html, earlier })).toBeUndefined();
  });
});

describe("fields that are empty", () => {
  test("the list keeps its selector", async () => {
    const html = grid(TILES).replaceAll('class="tile"', 'class="product"');
    expect(await suggestionFor({ html, part: "fields" })).toMatchObject({
      selector: ".product",
      matches: 8,
      fields: [{ name: "title" }, { name: "url" }, { name: "price" }],
    });
  });

  test("a list whose selector only a browser can evaluate keeps it, too", async () => {
    const step = { ...LIST, selector: "main > div:not(.x)" } as Step;
    expect(await suggestionFor({ html: grid(TILES), step, part: "fields" })).toMatchObject({
      selector: "main > div:not(.x)",
    });
  });

  test("an address that has moved to another attribute", async () => {
    const step: Step = { ...LIST, fields: [{ name: "image", selector: "img", attribute: "src" }] };
    const earlier = NAMES.map((_, index) => ({ image: `https://shop.example/i/${index + 1}.png` }));
    const html = grid(TILES).replaceAll('src="/i', 'src="data:," data-src="/i');
    const { fields } = (await suggestionFor({ html, step, part: "fields", earlier })) ?? {};
    expect(fields).toEqual([{ name: "image", selector: "img", attribute: "data-src" }]);
  });
});

describe("other steps", () => {
  const text: Step = { type: "get_text", field_name: "updated", selector: "#old" };

  test("a text is found by the only element with its value", async () => {
    const html = '<main><p class="note">Updated on 3 May</p><p>Other</p></main>';
    expect(await suggestionFor({ html, step: text, earlier: [{ updated: "Updated on 3 May" }] })).toEqual({
      selector: ".note",
      matches: 1,
      sample: [{ updated: "Updated on 3 May" }],
    });
  });

  test("no suggestion if its value stands at two places", async () => {
    const html = "<main><p>Updated on 3 May</p><div>Updated on 3 May</div></main>";
    expect(
      await suggestionFor({ html, step: text, earlier: [{ updated: "Updated on 3 May" }] }),
    ).toBeUndefined();
  });

  test("a dropdown is the only one with the option", async () => {
    const step: Step = { type: "select_dropdown", selector: "#old", value: "Newest" };
    const select = (name: string, options: string) =>
      `<select name="${name}">${options
        .split(",")
        .map((option) => `<option>${option}</option>`)
        .join("")}</select>`;
    const html = select("size", "10,20") + select("order", "Oldest,Newest");
    expect(await suggestionFor({ html, step })).toEqual({
      selector: '[name="order"]',
      matches: 1,
      sample: [],
    });
    expect(await suggestionFor({ html: html + select("again", "Newest"), step })).toBeUndefined();
  });

  test("the control of the pagination is the one that would be proposed", async () => {
    const pagination: Pagination = { type: "next_button", selector: ".old-next" };
    const html = `${grid(TILES)}<div class="pager"><a href="/list?page=2" class="forward" rel="next">Next page</a></div>`;
    expect(await suggestionFor({ html, part: "control", pagination })).toEqual({
      selector: '[rel="next"]',
      matches: 1,
      sample: [],
    });
    const more: Pagination = { type: "load_more", selector: ".old-next" };
    expect(await suggestionFor({ html, part: "control", pagination: more })).toBeUndefined();
  });

  test("nothing is suggested for a click, whose element has no value", async () => {
    expect(
      await suggestionFor({ html: grid(TILES), step: { type: "click", selector: "#old" } }),
    ).toBeUndefined();
  });
});

test.each([
  ["a", "a"],
  [" .list  >  li.item  a[rel=next] ", '.list > li.item a[rel="next"]'],
  ["tr:has(> td:nth-of-type(2))", "tr:has(> td:nth-of-type(2))"],
  ['[data-id="a\\"b"]', '[data-id="a\\"b"]'],
  ["#\\31 23", "#\\31 23"],
])("the selector %s is read", (css, same) => {
  expect(cssOf(parseSelector(css) ?? [])).toBe(same);
});

test.each([
  "",
  "a, b",
  "a:not(.b)",
  "a >",
  "> a",
  "a + b",
  "li:nth-child(2)",
  "a:has(video)",
  "*",
  "a::before",
  ".b a.c]",
])("the selector %s is not read", (css) => {
  expect(parseSelector(css)).toBeUndefined();
});
