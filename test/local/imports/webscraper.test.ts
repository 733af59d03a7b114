import { expect, test } from "@jest/globals";
import { readDefinition } from "../../../functions/scrapers/definition.ts";
import { ImportError, importDefinition } from "../../../local/imports/import-definition.ts";

/*
 * Sitemaps in the shape that webscraper.io exports, and what becomes of them. Each selector of a sitemap has to be in the
 * definition or among what was left out.
 */

const START = "https://shop.example/list";

type Selector = Record<string, unknown> & { id: string; type: string };
const one = (id: string, type: string, parents: string[] | string, rest: object = {}): Selector => ({
  id,
  type: `Selector${type}`,
  parentSelectors: [parents].flat(),
  selector: `.${id}`,
  multiple: false,
  delay: 0,
  ...rest,
});
const many = { multiple: true };

const imported = (selectors: Selector[], startUrl: string | string[] = [START]) => {
  const result = importDefinition({ _id: "shop", startUrl, selectors });
  // It is valid, and nothing is lost.
  readDefinition(result.definition);
  const text = JSON.stringify([result.definition, result.leftOut]);
  for (const { id, selector } of selectors)
    expect([id, text.includes(id) || text.includes(String(selector))]).toEqual([id, true]);
  const { name: _, ...definition } = result.definition;
  return { ...definition, leftOut: result.leftOut };
};

const visit = { id: "open", type: "visit", url: START };
const none = { type: "none" };
const card = one("card", "Element", "_root", many);
const title = one("title", "Text", "card");
const list = (fields: object[], rest: object = {}) => ({
  type: "get_list",
  id: "card",
  selector: ".card",
  fields,
  ...rest,
});
const titleField = { name: "title", selector: ".title" };

test.each<[string, Selector[], object]>([
  ["rows with fields", [card, title], { steps: [visit, list([titleField])], pagination: none, leftOut: [] }],
  [
    "each kind of value",
    [
      card,
      one("text", "Text", "card", { regex: "(\\d+)\\-\\d" }),
      one("link", "Link", "card"),
      one("picture", "Image", "card"),
      one("sku", "ElementAttribute", "card", { extractAttribute: "data-sku" }),
      one("body", "HTML", "card"),
      one("self", "Text", "card", { selector: "_parent_" }),
      one("sold", "Text", "card", { selector: "b:contains('Sold')" }),
    ],
    {
      steps: [
        visit,
        list([
          { name: "text", selector: ".text", transform: [{ type: "regex", pattern: "(?:\\d+)-\\d" }] },
          { name: "link", selector: ".link" },
          { name: "link-href", selector: ".link", attribute: "href" },
          { name: "picture-src", selector: ".picture", attribute: "src" },
          { name: "sku", selector: ".sku", attribute: "data-sku" },
          { name: "body", selector: ".body", text: "html" },
          { name: "self" },
          { name: "sold", selector: 'b:has-text("Sold")' },
        ]),
      ],
      pagination: none,
      leftOut: [],
    },
  ],
  [
    "a pagination whose pages have the rows",
    [
      one("next", "Pagination", ["_root", "next"], { selector: "a.next", paginationType: "auto" }),
      { ...card, parentSelectors: ["_root", "next"] },
      title,
    ],
    {
      steps: [visit, list([titleField])],
      pagination: { type: "next_button", selector: "a.next" },
      leftOut: [],
    },
  ],
  [
    "a link to pages like its own, as older sitemaps have it",
    [
      one("next", "Link", ["_root", "next"], { selector: ".pager a", ...many }),
      { ...card, parentSelectors: ["_root", "next"] },
      title,
    ],
    {
      steps: [visit, list([titleField])],
      pagination: { type: "next_button", selector: ".pager a" },
      leftOut: [],
    },
  ],
  [
    "details",
    [
      card,
      one("link", "Link", "card", many),
      one("price", "Text", "link"),
      one("review", "Element", "link", many),
      one("stars", "Text", "review"),
    ],
    {
      steps: [
        visit,
        list(
          [
            { name: "link", selector: ".link" },
            { name: "link-href", selector: ".link", attribute: "href" },
          ],
          {
            details: {
              url_field: "link-href",
              fields: [
                { name: "price", selector: ".price" },
                {
                  name: "review-rows",
                  list: { selector: ".review", fields: [{ name: "stars", selector: ".stars" }] },
                },
              ],
            },
          },
        ),
      ],
      pagination: none,
      leftOut: ["link (SelectorLink): of several links in a row, only the first one is followed."],
    },
  ],
  [
    "links without rows around them",
    [one("book", "Link", "_root", many), one("price", "Text", "book")],
    {
      steps: [
        visit,
        {
          type: "get_list",
          id: "book",
          selector: ".book",
          fields: [{ name: "book" }, { name: "book-href", attribute: "href" }],
          details: { url_field: "book-href", fields: [{ name: "price", selector: ".price" }] },
        },
      ],
      pagination: none,
      leftOut: [],
    },
  ],
  [
    "one link, then its page",
    [one("all", "Link", "_root"), { ...card, parentSelectors: ["all"] }, title],
    {
      steps: [visit, { id: "all", type: "click", selector: ".all" }, list([titleField])],
      pagination: none,
      leftOut: [],
    },
  ],
  [
    "scrolling",
    [{ ...card, type: "SelectorElementScroll", scrollElementSelector: "#box", elementLimit: 20 }, title],
    {
      steps: [visit, list([titleField])],
      pagination: { type: "infinite_scroll", selector: "#box" },
      rows_limit: 20,
      leftOut: ["card (SelectorElementScroll): its limit of elements counts for all pages."],
    },
  ],
  [
    "clicks that bring more rows, in a box around them",
    [
      one("box", "ElementClick", "_root", { clickElementSelector: "a.more", clickType: "clickMore" }),
      { ...card, parentSelectors: ["box"] },
      title,
    ],
    {
      steps: [visit, { ...list([titleField]), selector: ".box .card" }],
      pagination: { type: "next_button", selector: "a.more" },
      leftOut: [],
    },
  ],
  [
    "clicks on each of several buttons",
    [{ ...card, type: "SelectorElementClick", clickElementSelector: ".tab", clickType: "clickOnce" }, title],
    {
      steps: [visit, list([titleField])],
      pagination: none,
      leftOut: [expect.stringMatching(/^card .*it clicks each of \.tab once/)],
    },
  ],
  [
    "a click in each row",
    [
      card,
      one("open", "ElementClick", "card", { selector: ".more", clickElementSelector: "button" }),
      one("phone", "Text", "open"),
    ],
    {
      steps: [
        visit,
        list([{ name: "phone", selector: ".more .phone" }], {
          each: [{ type: "click", selector: "button", optional: true }],
        }),
      ],
      pagination: none,
      leftOut: [],
    },
  ],
  [
    "a table",
    [
      one("prices", "Table", "_root", {
        selector: "table, .t",
        tableHeaderRowSelector: "thead tr",
        tableDataRowSelector: "tbody tr",
        columns: [
          { header: "Name", name: "name", extract: true },
          { header: "Note", name: "note", extract: false },
        ],
      }),
    ],
    {
      steps: [
        visit,
        {
          type: "get_list",
          id: "prices",
          selector: ":is(table, .t) tbody tr",
          fields: [{ name: "name", column: "Name" }],
        },
      ],
      pagination: none,
      leftOut: [],
    },
  ],
  [
    "values of the page beside rows, and values that are rows themselves",
    [one("found", "Text", "_root"), one("tag", "Text", "_root", many), card, title],
    {
      steps: [
        visit,
        { type: "get_text", field_name: "found", selector: ".found" },
        { type: "get_list", id: "tag", selector: ".tag", fields: [{ name: "tag" }] },
        list([titleField]),
      ],
      pagination: none,
      leftOut: [],
    },
  ],
  [
    "several values of a row, and those of a group",
    [
      card,
      one("size", "Text", "card", many),
      one("color", "Text", "card", many),
      one("links", "Group", "card", { extractAttribute: "href" }),
    ],
    {
      steps: [
        visit,
        list([
          { name: "size-rows", list: { selector: ".size", fields: [{ name: "size" }] } },
          { name: "links", selector: ".links", all: true },
          { name: "links-href", selector: ".links", attribute: "href", all: true },
        ]),
      ],
      pagination: none,
      leftOut: [
        "color (SelectorText): a row can have one list of rows within it, and has one already.",
        'links (SelectorGroup): its values are not JSON, but texts with "; " between them.',
      ],
    },
  ],
  [
    "what can't be expressed, with all that is inside of it",
    [
      card,
      title,
      one("popup", "PopupLink", "card"),
      one("inside", "Text", "popup"),
      one("second", "Text", "card", { selector: "li:eq(1)" }),
      one("lost", "Text", "nobody"),
      one("page", "Link", "card"),
      one("deep", "Link", "page", many),
      one("deeper", "Text", "deep"),
      one("more", "Pagination", ["page", "more"]),
    ],
    {
      steps: [
        visit,
        list([
          titleField,
          { name: "page", selector: ".page" },
          { name: "page-href", selector: ".page", attribute: "href" },
        ]),
      ],
      pagination: none,
      leftOut: [
        "popup (SelectorPopupLink): links that open a window can't be expressed inside of a row. With it: inside.",
        "second (SelectorText): its selector has :eq(1), which only jQuery knows. Write it in CSS.",
        expect.stringMatching(/^deep \(SelectorLink\): .*second scraper.* With it: deeper\.$/),
        "more (SelectorPagination): a pagination can't be expressed inside of a row.",
        "lost (SelectorText): no start page leads to it.",
      ],
    },
  ],
])("%s", (_, selectors, expected) => {
  expect(imported(selectors)).toEqual(expected);
});

test.each<[string, string | string[], object]>([
  ["one address", START, { steps: [visit, list([titleField])], pagination: none }],
  [
    "a range of numbers",
    `${START}?page=[1-100]&x`,
    {
      steps: [list([titleField])],
      pagination: { type: "url_template", url: `${START}?page={page}&x`, max_pages: 100 },
    },
  ],
  [
    "a range with steps",
    `${START}?from=[0-95:10]`,
    {
      steps: [list([titleField])],
      pagination: { type: "url_template", url: `${START}?from={page}`, start: 0, step: 10, max_pages: 10 },
    },
  ],
  [
    "a range with zeros",
    [`${START}/[08-10]`],
    {
      steps: [{ ...visit, url: `${START}/08` }, list([titleField])],
      pagination: none,
      inputs: ["08", "09", "10"].map((page) => ({ open: `${START}/${page}` })),
    },
  ],
  [
    "several addresses, one with two ranges",
    [START, `${START}/[1-2]/[1-2]`],
    {
      steps: [visit, list([titleField])],
      pagination: none,
      inputs: [START, ...["1/1", "1/2", "2/1", "2/2"].map((page) => `${START}/${page}`)].map((open) => ({
        open,
      })),
    },
  ],
])("start pages: %s", (_, startUrl, expected) => {
  const { leftOut, ...definition } = imported([card, title], startUrl);
  expect(definition).toEqual(expected);
  expect(leftOut).toHaveLength("inputs" in expected ? 1 : 0);
});

test("a range beside another pagination becomes inputs, unless there are too many", () => {
  const next = one("next", "Pagination", ["_root", "next"]);
  const small = imported([card, title, next], `${START}/[1-3]`);
  expect(small).toMatchObject({ pagination: { type: "next_button" }, inputs: [{}, {}, {}] });
  const large = imported([card, title, next], `${START}/[1-1000000000]`);
  expect(large.inputs).toBeUndefined();
  expect(large.leftOut).toEqual([expect.stringContaining("there are 1000000000 start addresses, too many")]);
});

test("a sitemap in XML is a source of inputs", () => {
  const xml = one("all", "SitemapXmlLink", "_root", {
    sitemapXmlUrls: ["https://shop.example/sitemap.xml"],
    sitemapXmlUrlRegex: "/books/",
  });
  expect(imported([xml, one("price", "Text", "all")])).toEqual({
    steps: [visit, { type: "get_text", field_name: "price", selector: ".price" }],
    pagination: none,
    inputs_from: { sitemap: { url: "https://shop.example/sitemap.xml", step: "open" } },
    leftOut: [expect.stringContaining("/books/"), expect.stringContaining("are the inputs")],
  });
});

test("a file of something else, and a sitemap that reads nothing, are refused", () => {
  expect(() => importDefinition({ steps: [] })).toThrow(ImportError);
  expect(() => importDefinition({ _id: "x", startUrl: START, selectors: [] })).toThrow(
    "Nothing of it reads a value.",
  );
});
