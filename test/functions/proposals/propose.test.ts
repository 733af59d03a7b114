/// <reference lib="dom" />
import { describe, expect, test } from "@jest/globals";
import type { FormProposal } from "../../../functions/proposals/forms/forms.ts";
import { propose } from "../../../functions/proposals/propose.ts";
import { openExamples } from "./collect-examples.ts";
import { pages } from "./pages.ts";

const examples = await openExamples();

describe("what is proposed for a page", () => {
  test.each(pages)("$name", async ({ html, url = "https://shop.example/list", list, ...expected }) => {
    const snapshot = await examples.collect(html, url);
    const { lists, pagination, forms, consent } = propose(snapshot);
    const [first] = lists;
    if (list === null) {
      expect(lists).toEqual([]);
    } else {
      const fields = Object.fromEntries((first?.fields ?? []).map(({ name, kind }) => [name, kind]));
      expect({ selector: first?.selector, count: first?.count, fields }).toEqual(list);
      // The browser agrees on what the selectors match.
      const found = await examples.page.locator(first?.selector ?? "").evaluateAll(
        (rows, fields) => ({
          count: rows.length,
          values: fields.map(({ selector, attribute = "text" }) => {
            const row = rows[0] as Element;
            const inShadow = (part: Element) => part.shadowRoot?.querySelector(selector ?? "") ?? [];
            const [element = row] =
              selector === undefined
                ? []
                : [
                    ...row.querySelectorAll(`:scope ${selector}`),
                    ...[row, ...row.querySelectorAll("*")].flatMap(inShadow),
                  ];
            if (attribute === "text") return element.textContent?.trim();
            return Reflect.get(element, attribute) ?? element.getAttribute(attribute);
          }),
        }),
        first?.fields ?? [],
      );
      expect(found).toEqual({ count: list.count, values: first?.fields.map(({ samples }) => samples[0]) });
    }
    if (expected.pagination !== undefined)
      expect(pagination[0]?.pagination ?? null).toEqual(expected.pagination);
    if (expected.consent)
      expect(consent).toMatchObject({ type: "click", optional: true, ...expected.consent });
    else expect(consent).toBeNull();
    if (expected.forms) expect(forms.map(describeForm)).toEqual(expected.forms);
  });
});

test.each([
  ["<main>", "</main>", true],
  ["<nav>", "</nav>", false],
  ["<footer><div>", "</div></footer>", false],
  ['<div role="dialog">', "</div>", false],
  ['<div role="listbox">', "</div>", true],
])("whether a list in %s%s is a main one: %s", async (before, after, isMain) => {
  const rows = Array.from({ length: 9 }, (_, row) => `<p><b>Row ${row}</b> <i>${row} EUR</i></p>`).join("");
  const snapshot = await examples.collect(`${before}${rows}${after}`);
  expect(propose(snapshot).lists[0]).toMatchObject({ count: 9, isMain });
});

test("a line break separates the words of a sample, as those of a row", async () => {
  const rows = Array.from(
    { length: 5 },
    (_, row) => `<li><p>Harbour Lane<br>No ${row}</p><b>x${row}</b></li>`,
  );
  const snapshot = await examples.collect(`<ul>${rows.join("")}</ul>`);
  const [list] = propose(snapshot).lists;
  expect(list?.fields[0]?.samples[0]).toBe("Harbour Lane No 0");
  expect(list?.sampleRows[1]).toMatchObject({ [list?.fields[0]?.name ?? ""]: "Harbour Lane No 1" });
});

test("values of few rows, values that all rows share and parts of values can be read, too", async () => {
  const rows = Array.from(
    { length: 8 },
    (_, row) =>
      `<li class="book"><h3>Book ${row}</h3><p class="by">by <b>Author ${row}</b></p>${row === 3 ? '<del class="old">$9</del>' : ""}<i class="shop">Elm shop</i></li>`,
  );
  const snapshot = await examples.collect(`<ul>${rows.join("")}</ul>`);
  const [list] = propose(snapshot, undefined, true).lists;
  expect(list?.fields.map(({ name }) => name)).toEqual(["title", "text"]);
  expect(list?.others.fields).toMatchObject([
    { selector: "b", filled: 1, distinct: 8, samples: ["Author 0", "Author 1", "Author 2"] },
    { selector: ".shop", filled: 1, distinct: 1 },
    { selector: ".old", filled: 0.13, samples: ["$9"] },
  ]);
  expect(list?.others.cells[2]?.map((cell) => cell !== null)).toEqual(
    [...Array(8).keys()].map((row) => row === 3),
  );
});

test("there are at most 5 lists and 3 ways of going on, however large the page", async () => {
  const lists = ["article", "section", "p", "blockquote", "address", "fieldset", "pre"]
    .map((tag) =>
      Array.from({ length: 50 }, (_, row) => `<${tag}><b>${tag}</b> <i>${row}</i></${tag}>`).join(""),
    )
    .join("");
  const snapshot = await examples.collect(`${lists}<a href="?page=2">Next</a>`);
  const proposals = propose(snapshot);
  expect(proposals.lists).toHaveLength(5);
  expect(proposals.pagination.length).toBeLessThanOrEqual(3);
});

test("a page with more than 20,000 elements is read as far as that, and says how many are left out", async () => {
  const html = `<ul>${Array.from({ length: 15_000 }, (_, row) => `<li><b>${row}</b></li>`).join("")}</ul>`;
  const snapshot = await examples.collect(html);
  expect(snapshot.elements).toHaveLength(20_000);
  expect(snapshot.omitted).toBe(15_000 * 2 + 3 - 20_000);
  expect(propose(snapshot).lists[0]?.selector).toBe("li");
});

test("what somebody typed is not collected", async () => {
  const html =
    '<input value="secret words"><textarea>more words</textarea><input type="submit" value="Send">';
  const snapshot = await examples.collect(html);
  const json = JSON.stringify(snapshot);
  expect(json).not.toContain("secret words");
  expect(json).toContain("Send");
});

const describeForm = ({ kind, inputs, submit }: FormProposal): string =>
  `${kind}: ${inputs
    .map(({ step, field_name, selector, type, options }) => {
      const choices = options ? `: ${options.join(", ")}` : "";
      return `${field_name ?? selector} (${step} ${type}${choices})`;
    })
    .join(", ")}${submit ? ` → ${submit}` : ""}`;

describe("lists that have elements in rows of their own", () => {
  const cards = [1, 2, 3, 4, 5, 6].map((n) => `<div class="card"><h3>Book ${n}</h3><b>${n}.50 EUR</b></div>`);
  const lines = [cards.slice(0, 3), cards.slice(3)].map((line) => `<div class="line">${line.join("")}</div>`);
  const news = ["Old", "New", "Next"].map((word) => `<p><b>${word}</b> <i>${word.length} days</i></p>`);
  const html = `<main class="books">${lines.join("")}</main><aside>${news.join("")}</aside>
    <section><div><u>Odd</u></div><div><ol><li>1</li></ol><s>x</s></div></section>`;

  test.each([
    ["two titles of one line", ["Book 1", "Book 2"], ".card", 6],
    ["titles of two lines", ["Book 1", "Book 5"], ".card", 6],
    ["one title", ["Book 4"], ".card", 6],
    ["what stands in another part of the page", ["Old", "Next"], "p", 3],
  ])("are found by %s", async (_, texts, selector, count) => {
    const snapshot = await examples.collect(html);
    const refs = texts.map((text) =>
      snapshot.elements.findIndex((element) => element.texts?.some(([, each]) => each.trim() === text)),
    );
    expect(refs).not.toContain(-1);
    const [list] = propose(snapshot, refs).lists;
    expect(list).toMatchObject({ selector, count });
  });

  test("are none for elements of one row, and for those that are not there", async () => {
    const snapshot = await examples.collect(html);
    const book = snapshot.elements.findIndex(({ texts }) => texts?.some(([, text]) => text === "Book 1"));
    expect(propose(snapshot, [book, book]).lists).toEqual([]);
    expect(propose(snapshot, [book, 100_000]).lists).toEqual([]);
  });
});

test("JSON of a page with the rows of its list is proposed beside it", async () => {
  const goods = Array.from({ length: 5 }, (_, index) => ({
    title: `Lamp ${index}`,
    price: 10 + index,
    stock: index * 3,
    sku: `s${index}`,
  }));
  const rows = goods.map(({ title, price }) => `<li><b>${title}</b> <i>${price}.00 EUR</i></li>`).join("");
  const scripts = [
    `<script id="data" type="application/json">${JSON.stringify({ goods })}</script>`,
    `<script type="application/ld+json">${JSON.stringify({ goods: goods.slice(0, 2) })}</script>`,
    `<script>window.STATE = ${JSON.stringify({ goods: goods.slice(0, 4) })};</script>`,
    "<script>let other = 1</script>",
  ];
  const html = `<main><ul>${rows}</ul></main>${scripts.join("")}`;
  const snapshot = await examples.collect(html);
  expect(snapshot.json?.map(({ source }) => source)).toEqual([
    "script#data",
    'script[type="application/ld+json"]',
    "xpath=//script[contains(., 'STATE')]",
  ]);
  expect(propose(snapshot).lists[0]?.fromJson).toMatchObject({
    json: { source: "script#data", path: "$.goods[*]" },
    count: 5,
    fields: ["title", "price", "stock", "sku"].map((name) => ({ path: `$.${name}` })),
    differences: [],
  });
});
