import { expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import { sendHtml } from "../../../site/site.ts";
import { cards, numbers, startCardSite } from "./card-site.ts";

/* Lists whose next page is a document of its own. */

const { site, scrape, setPages } = await startCardSite();

test.concurrent("a link by its name, until it is gone", async () => {
  setPages("/named", 3, (page) => (page < 3 ? `<a href="/named?page=${page + 1}">Next page ›</a>` : ""));
  const told = await scrape("/named", { type: "next_button", field_name: "next page" });
  expect(told.names).toEqual(numbers(1, 9));
  expect(told.loads).toBe(3);
});

test.concurrent.each([
  ["the attribute", "<button class=next disabled>Next</button>"],
  ["aria-disabled", '<a class=next aria-disabled=true href="?page=2">Next</a>'],
  ["a class", '<li class="page-item disabled"><a class=next href="?page=2">Next</a></li>'],
  ["not being shown", '<a class=next style="display:none" href="?page=2">Next</a>'],
])("disabled by %s", async (_, control) => {
  const path = site.newPath();
  setPages(path, 3, () => control);
  expect((await scrape(path, { type: "next_button", selector: ".next" })).names).toEqual(numbers(1, 3));
});

test.concurrent("a link that leads round in a circle", async () => {
  setPages("/circle", 3, (page) => `<a class=next href="/circle?page=${(page % 3) + 1}">Next</a>`);
  const told = await scrape("/circle?page=1", { type: "next_button", selector: ".next" });
  expect(told.failure).toBeUndefined();
  expect(told.names).toEqual(numbers(1, 9));
});

test.concurrent("round to the first page, which has two addresses", async () => {
  for (const script of ["", '<script>"use strict"</script>']) {
    const next = (page: number) => (page < 3 ? `/two?page=${page + 1}` : "/two");
    setPages("/two", 3, (page) => `<a class=next href="${next(page)}">Next</a>`, script);
    const told = await scrape("/two?page=1", { type: "next_button", selector: ".next" });
    expect(told.names).toEqual(numbers(1, 9));
  }
});

test.concurrent("the last page's link leads to itself", async () => {
  setPages("/itself", 2, (page) => `<a class=next href="/itself?page=${Math.min(2, page + 1)}">Next</a>`);
  expect((await scrape("/itself", { type: "next_button", selector: ".next" })).names).toEqual(numbers(1, 6));
});

test.concurrent("max_pages and the limit of rows", async () => {
  setPages("/many", 50, (page) => `<a class=next href="/many?page=${page + 1}">Next</a>`);
  expect(
    (await scrape("/many", { type: "next_button", selector: ".next", max_pages: 2 } as Pagination)).names,
  ).toEqual(numbers(1, 6));
  const told = await scrape("/many", { type: "next_button", selector: ".next" }, 7);
  expect(told.names).toEqual(numbers(1, 7));
  expect(told.loads).toBe(3);
});

test.concurrent("a button of a form, which loads the next page", async () => {
  const ways = ["<button class=next>Next</button>", '<input class=next type=submit value="Next page">'];
  for (const button of [...ways, ...ways.map((way) => `${way}<script>"use strict"</script>`)]) {
    setPages("/form", 3, (page) =>
      page < 3 ? `<form><input type=hidden name=page value=${page + 1}>${button}</form>` : "",
    );
    const told = await scrape("/form", { type: "next_button", field_name: "Next" });
    expect(told.names).toEqual(numbers(1, 9));
    expect(told.loads).toBe(3);
  }
});

test.concurrent.each([
  ["of its own", (href: string) => `<a class=next target=_blank href="${href}">Next</a>`],
  ["that the base names", (href: string) => `<base target=other><a class=next href="${href}">Next</a>`],
  ["that a form names", (href: string) => `<form target=_new>${hiddenPage(href)}<button class=next>Next`],
])("a control that opens a tab %s", async (_, control) => {
  const path = site.newPath();
  for (const script of ["", '<script>"use strict"</script>']) {
    setPages(path, 3, (page) => (page < 3 ? control(`${path}?page=${page + 1}`) : ""), script);
    const told = await scrape(path, { type: "next_button", selector: ".next" });
    expect(told.failure).toBeUndefined();
    expect(told.names).toEqual(numbers(1, 9));
    expect(told.loads).toBe(3);
  }
});
const hiddenPage = (href: string) => `<input type=hidden name=page value=${href.split("=")[1]}>`;

test.concurrent("links inside of a frame", async () => {
  site.setRoute("/framing", "<h1>Lamps</h1><iframe id=list src=/framed></iframe>");
  for (const script of ["", '<script>"use strict"</script>']) {
    setPages(
      "/framed",
      3,
      (page) => (page < 3 ? `<a class=next href="/framed?page=${page + 1}">Next</a>` : ""),
      script,
    );
    const told = await scrape("/framing", { type: "next_button", selector: ".next" }, 1_000, "#list");
    expect(told.failure).toBeUndefined();
    expect(told.names).toEqual(numbers(1, 9));
  }
});

test.concurrent("pages of equal rows are pages of their own", async () => {
  site.setRoute("/equal", (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    sendHtml(
      response,
      `${cards(1, 3, () => "In stock")}${page < 3 ? `<a class=next href="/equal?page=${page + 1}">Next</a>` : ""}`,
    );
  });
  const told = await scrape("/equal", { type: "next_button", selector: ".next" });
  expect(told.failure).toBeUndefined();
  expect(told.batches.map(({ checkpoint }) => checkpoint.url).slice(0, 2)).toEqual([
    site.url("/equal"),
    site.url("/equal?page=2"),
  ]);
  expect(told.names).toHaveLength(9);
});
