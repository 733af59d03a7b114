import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { type Book, books } from "../../../examples/shop/books.ts";
import { newFolder } from "../../new-folder.ts";
import { startWorld } from "../harness.ts";
import { gleaner } from "./gleaner.ts";

/* Files of other tools become scrapers whose rows are those of the bookshop. */

const world = await startWorld();
const dir = await newFolder();
afterAll(async () => {
  await world.stop();
});

const cli = (...args: string[]) => gleaner([...args, "--data", world.data]);
const fiction = books.filter(({ category }) => category === "Fiction");

async function fileWith(content: unknown): Promise<string> {
  const path = join(dir, "file.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** The rows of a scraper that is imported from a file, in the order of their number. */
async function rowsOf(content: unknown, key: string): Promise<Record<string, string>[]> {
  const { stdout, stderr } = await cli("scraper", "import", await fileWith(content), "--json");
  expect(stderr).not.toContain("Not as there");
  const { body } = await world.post("/v1/runs", { scraper_id: JSON.parse(stdout).id });
  const run = await world.finished(body.id);
  expect([run.status, run.error, run.warnings]).toEqual(["successful", null, []]);
  return (run.result_rows ?? []).toSorted((one, other) => (one[key] ?? "").localeCompare(other[key] ?? ""));
}

const address = ({ path }: Book) => new URL(path, world.shopUrl).href;
const byAddress = (one: Book, other: Book) => address(one).localeCompare(address(other));

test("a sitemap of webscraper.io reads all pages, and the page of each row", async () => {
  const parents = { multiple: false, delay: 0 };
  const sitemap = {
    _id: "fiction",
    startUrl: [`${world.shopUrl}/books?category=fiction`],
    selectors: [
      {
        ...{ id: "next", type: "SelectorPagination", paginationType: "auto" },
        ...{ parentSelectors: ["_root", "next"], selector: ".pagination a.next" },
      },
      { ...parents, id: "heading", type: "SelectorText", parentSelectors: ["_root", "next"], selector: "h1" },
      {
        ...{ id: "book", type: "SelectorElement", parentSelectors: ["_root", "next"] },
        ...{ selector: "li.book-card", multiple: true },
      },
      { ...parents, id: "author", type: "SelectorText", parentSelectors: ["book"], selector: ".book-author" },
      { ...parents, id: "page", type: "SelectorLink", parentSelectors: ["book"], selector: "a.book-link" },
      {
        ...{ ...parents, id: "year", type: "SelectorText", parentSelectors: ["page"] },
        ...{ selector: "[itemprop='datePublished']", regex: "(\\d){2}$" },
      },
    ],
  };
  expect(await rowsOf(sitemap, "page-href")).toEqual(
    fiction.toSorted(byAddress).map((book) => ({
      heading: "Fiction",
      author: book.author,
      page: book.title,
      "page-href": address(book),
      year: String(book.year).slice(-2),
    })),
  );
});

test("a robot of Maxun reads all pages", async () => {
  const workflow = [
    {
      where: { url: "any" },
      what: [
        {
          action: "scrapeList",
          args: [
            {
              listSelector: "li.book-card",
              fields: {
                title: { selector: "li.book-card > h3 > a", attribute: "innerText", tag: "A" },
                link: { selector: "li.book-card h3 a", attribute: "href", tag: "A" },
              },
              pagination: { type: "clickNext", selector: ".pagination a.next" },
            },
          ],
        },
      ],
    },
    {
      where: { url: "about:blank" },
      what: [{ action: "goto", args: [`${world.shopUrl}/books?category=fiction`] }],
    },
  ];
  const robot = { recording_meta: { name: "Fiction" }, recording: { workflow } };
  expect(await rowsOf(robot, "link")).toEqual(
    fiction.toSorted(byAddress).map((book) => ({ title: book.title, link: address(book) })),
  );
});

test("a definition goes to a file, and what was left out is said", async () => {
  const selector = { parentSelectors: ["_root"], selector: "h1" };
  const path = await fileWith({
    _id: "heading",
    startUrl: `${world.shopUrl}/books`,
    selectors: [
      { ...selector, id: "heading", type: "SelectorText" },
      { ...selector, id: "popup", type: "SelectorUnknown" },
    ],
  });
  const output = join(dir, "heading.json");
  const said = await cli("scraper", "import", path, "-o", output, "--name", "Heading");
  expect(said).toMatchObject({ code: 0, stdout: `Wrote the scraper "Heading" to ${output}\n` });
  expect(said.stderr).toContain(`${path} is a sitemap of webscraper.io.\n`);
  expect(said.stderr).toContain("Not as there: popup (SelectorUnknown): this kind can't be expressed.\n");
  expect(JSON.parse(await readFile(output, "utf8"))).toMatchObject({ name: "Heading", steps: [{}, {}] });
  expect(await cli("scraper", "put", output)).toMatchObject({ code: 0 });

  expect(await cli("scraper", "import", await fileWith({ steps: [] }))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("It is neither a sitemap of webscraper.io"),
  });
  const invalid = {
    _id: "x",
    startUrl: "ftp://a",
    selectors: [{ ...selector, id: "a", type: "SelectorText" }],
  };
  expect(await cli("scraper", "import", await fileWith(invalid))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("steps[0].url: must be an absolute http"),
  });
});
