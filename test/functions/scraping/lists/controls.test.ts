import { describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

const cards = (from: number, to: number, text = (n: number) => `Lamp ${n}`) =>
  Array.from(
    { length: to - from + 1 },
    (_, index) => `<li class="card"><a href="/p/${from + index}">${text(from + index)}</a></li>`,
  ).join("");
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Lamp ${from + index}`);

const scrape = async (path: string, pagination: Pagination) => {
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: ".card", fields: [{ name: "name" }], timeout_ms: 3_000 },
    ],
    pagination,
  });
  return { ...told, names: told.rows.map((row) => row.name), codes: told.warnings.map(({ code }) => code) };
};

interface Shown {
  /** The body of page `page` around its list. */
  body: (list: string, page: number) => string;
  text?: (n: number) => string;
  count?: number;
}

/** Pages of a list by `?page=`. */
const setPages = (path: string, { body, text, count = 3 }: Shown) =>
  site.setRoute(path, (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const list = page <= count ? cards(page * 3 - 2, page * 3, text) : "";
    sendHtml(response, body(`<ul>${list}</ul>`, page));
  });

const link = (path: string, page: number, name = "Next", count = 3) =>
  page < count ? `<a href="${path}?page=${page + 1}">${name}</a>` : "";

/** The same page is scraped as it is, and as one that a script may change. */
const scripts = ["", '<script>"use strict"</script>'];

describe("a control that is missing", () => {
  test.each<[string, Pagination]>([
    ["by name", { type: "next_button", field_name: "Next" }],
    ["by selector", { type: "next_button", selector: ".next" }],
    ["by a selector of Playwright's", { type: "next_button", selector: "text=Next" }],
    ["that loads more", { type: "load_more", selector: ".more" }],
  ])("%s is warned of, and fails the run where it is required", async (_, pagination) => {
    for (const script of scripts) {
      site.setRoute("/alone", `<ul>${cards(1, 3)}</ul>${script}`);
      const told = await scrape("/alone", pagination);
      expect(told.failure).toBeUndefined();
      expect(told.names).toEqual(numbers(1, 3));
      expect(told.warnings).toEqual([
        { code: "pagination_control_missing", step: 1, message: expect.stringContaining("one page only") },
      ]);
      const required = await scrape("/alone", { ...pagination, required: true } as Pagination);
      expect(required.failure).toMatchObject({ code: "pagination_control_missing", step: 1 });
      expect(required.names).toEqual(numbers(1, 3));
    }
  });

  test("on the last page only, hidden or disabled is no fault", async () => {
    for (const last of ["", "<a class=next hidden>Next</a>", "<button class=next disabled>Next</button>"]) {
      for (const script of scripts) {
        for (const count of last === "" ? [2] : [1, 2]) {
          const body = (list: string, page: number) =>
            `${list}${page < count ? `<a class=next href="/ends?page=${page + 1}">Next</a>` : last}${script}`;
          setPages("/ends", { body, count });
          const told = await scrape("/ends", { type: "next_button", selector: ".next", required: true });
          expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, count * 3) });
        }
      }
    }
  });

  test("is not looked for where no more rows are wanted", async () => {
    site.setRoute("/enough", `<ul>${cards(1, 3)}</ul>`);
    const told = await scrape("/enough", {
      type: "next_button",
      field_name: "Next",
      max_pages: 1,
      required: true,
    });
    expect(told).toMatchObject({ failure: undefined, codes: [] });
  });
});

describe("which of several is the control", () => {
  test.each<[string, Pagination]>([
    ["a name", { type: "next_button", field_name: "Next" }],
    ["a text", { type: "next_button", selector: "text=Next" }],
    ["a text in CSS", { type: "next_button", selector: "a:has-text('Next')" }],
  ])("%s does not press a product or a quotation that has it", async (_, pagination) => {
    const text = (n: number) => (n === 2 ? "My Life Next Door" : `Lamp ${n}`);
    for (const script of scripts) {
      const body = (list: string, page: number) =>
        `<blockquote>What comes next?</blockquote>${list}${link("/door", page)}${script}`;
      setPages("/door", { body, text });
      const told = await scrape("/door", pagination);
      expect(told.failure).toBeUndefined();
      expect(told.names).toEqual(["Lamp 1", "My Life Next Door", ...numbers(3, 9)]);
      expect(told.codes).toEqual([]);
    }
  });

  test("an exact name comes before a part of one, however it is decorated", async () => {
    setPages("/exact", {
      body: (list, page) =>
        `<nav><a href="/month">Next month</a></nav>${list}<p>${link("/exact", page, "Next &raquo;")}</p>`,
    });
    const told = await scrape("/exact", { type: "next_button", field_name: "Next" });
    expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
  });

  test("a link in a long text that has the name is not pressed", async () => {
    const body = (list: string) =>
      `${list}<p>What comes next, nobody knows; but <a href="/elsewhere">this page of ours</a> tells what people expect.</p>`;
    setPages("/prose", { body });
    const told = await scrape("/prose", { type: "next_button", selector: "text=next" });
    expect(told).toMatchObject({
      failure: undefined,
      names: numbers(1, 3),
      codes: ["pagination_control_missing"],
    });
  });

  test("a part of a name is pressed with a warning", async () => {
    for (const script of scripts) {
      setPages("/part", { body: (list, page) => `${list}${link("/part", page, "Next lamps")}${script}` });
      const told = await scrape("/part", { type: "next_button", field_name: "Next" });
      expect(told.names).toEqual(numbers(1, 9));
      expect(told.warnings).toEqual([
        { code: "pagination_guessed", step: 1, message: expect.stringContaining('"next lamps"') },
      ]);
    }
  });

  test("at the end of the list, nothing of a similar name is pressed", async () => {
    const other = '<p><a href="/part?page=2">Next month</a></p>';
    for (const script of scripts) {
      setPages("/similar", { body: (list, page) => `${list}${link("/similar", page)}${other}${script}` });
      const told = await scrape("/similar", { type: "next_button", field_name: "Next" });
      expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
    }
  });

  test.each<[string, Pagination]>([
    ["name", { type: "next_button", field_name: "Next" }],
    ["selector", { type: "next_button", selector: ".next" }],
    ["selector of Playwright's", { type: "next_button", selector: ".next:visible" }],
  ])("by %s, the one of the list's own pager is pressed", async (_, pagination) => {
    const next = '<a class=next href="/elsewhere">Next</a>';
    const bodies = [
      (list: string, pager: string) => `<header>${next}</header>${list}${pager}<footer>${next}</footer>`,
      (list: string, pager: string) => `<div>${next}</div><section><div>${list}</div>${pager}</section>`,
      (list: string, pager: string) => `<p>${next}</p>${list}<div class=pagination>${pager}</div>`,
      (list: string, pager: string) => `<section>${list}<footer>${pager}</footer></section><p>${next}</p>`,
      (list: string, pager: string) => `${pager.replace(/(page=\d)/, "$1#top")}${list}${pager}`,
    ];
    for (const body of bodies) {
      setPages("/own", {
        body: (list, page) =>
          body(list, page < 3 ? `<a class=next href="/own?page=${page + 1}">Next</a>` : ""),
      });
      const told = await scrape("/own", { ...pagination, max_pages: 3 } as Pagination);
      expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
    }
  });

  test.each<[string, Pagination]>([
    ["name", { type: "next_button", field_name: "Next" }],
    ["selector", { type: "next_button", selector: ".next" }],
    ["selector of Playwright's", { type: "next_button", selector: ".next:visible" }],
    ["selector, to load more", { type: "load_more", selector: ".next" }],
  ])("by %s, two that lead to different places are refused", async (_, pagination) => {
    for (const script of scripts) {
      const two = ["/one", "/two"].map((path) => `<p><a class=next href="${path}">Next</a></p>`);
      site.setRoute("/rivals", `${two[0]}<ul>${cards(1, 3)}</ul>${two[1]}${script}`);
      const told = await scrape("/rivals", pagination);
      expect(told.failure).toMatchObject({ code: "element_ambiguous", step: 1 });
      expect(told.failure?.message).toContain(
        `<a> "next" to ${site.url("/one")}; <a> "next" to ${site.url("/two")}`,
      );
      expect(told.names).toEqual(numbers(1, 3));
    }
  });

  test("a title around a link, or inside of a button, names it", async () => {
    const ways = [
      (href: string) => `<ul class=pager><li title="Next Page"><a href="${href}">&gt;</a></li></ul>`,
      (href: string) => `<a href="${href}"><i aria-label="Next page">&gt;</i></a>`,
    ];
    for (const way of ways) {
      setPages("/titled", { body: (list, page) => list + (page < 3 ? way(`/titled?page=${page + 1}`) : "") });
      const told = await scrape("/titled", { type: "next_button", field_name: "Next page" });
      expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
    }
  });
});

describe("selectors of each kind", () => {
  const pressed = (event: string) => `<ul id=list>${cards(1, 3)}</ul><button class=next>Next</button><script>
    let page = 1; const next = document.querySelector(".next");
    next.${event} = (event) => { ${event === "onclick" ? "" : "if (!event.isTrusted) return;"} page += 1; if (page === 3) next.remove();
      list.innerHTML = [2, 1, 0].map((i) => '<li class=card>Lamp ' + (page * 3 - i) + '</li>').join(''); };</script>`;
  const selectors = [
    ".next",
    "xpath=//button",
    "text=Next",
    "button:has-text('Next')",
    "button >> text=Next",
  ];

  test.each(selectors)(
    "%s is pressed by script, and by pointer where that does nothing",
    async (selector) => {
      for (const event of ["onclick", "onpointerdown"]) {
        site.setRoute("/kinds", pressed(event));
        const told = await scrape("/kinds", { type: "next_button", selector });
        expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
      }
    },
  );

  test.each(selectors)("%s is pressed also where something covers it", async (selector) => {
    const cover = '<div style="position:fixed;inset:0;background:#fff">Subscribe!</div>';
    setPages("/under", {
      body: (list, page) =>
        `${list}${page < 3 ? `<button class=next onclick="location.search='page=${page + 1}'">Next</button>` : ""}${cover}`,
    });
    const told = await scrape("/under", { type: "next_button", selector });
    expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
  });

  test.each([".more", "text=More"])("%s loads more", async (selector) => {
    site.setRoute(
      "/loads",
      `<ul id=list>${cards(1, 3)}</ul><button class=more>More</button><script>
      let count = 3; const more = document.querySelector(".more");
      more.onclick = () => { for (let i = 0; i < 3; i += 1) { count += 1;
        list.insertAdjacentHTML("beforeend", "<li class=card>Lamp " + count + "</li>"); }
        if (count === 9) more.remove(); };</script>`,
    );
    const told = await scrape("/loads", { type: "load_more", selector });
    expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
  });
});

test("a link that only a pointer could press, and that is covered, is followed by its address", async () => {
  const cover = '<div style="position:fixed;inset:0;background:#fff">Subscribe!</div>';
  // Its script ignores clicks that no person made.
  const script = `<script>addEventListener("click", (event) => { if (!event.isTrusted) event.preventDefault(); })</script>`;
  setPages("/followed", { body: (list, page) => `${list}${link("/followed", page)}${cover}${script}` });
  for (const selector of ["a >> text=Next", "xpath=//a[.='Next']"]) {
    const told = await scrape("/followed", { type: "next_button", selector });
    expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
  }
});

test("a click finds an element by a title around it", async () => {
  site.setRoute("/goal", `<ul>${cards(1, 3)}</ul>`);
  site.setRoute("/around", '<ul><li title="All books"><a href="/goal">→</a></li></ul>');
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url("/around") },
      { type: "click", field_name: "All books", timeout_ms: 1_000 },
      { type: "get_list", selector: ".card", fields: [{ name: "name" }] },
    ],
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toHaveLength(3);
});
