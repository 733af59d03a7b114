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
  test.concurrent.each<[string, Pagination]>([
    ["by name", { type: "next_button", field_name: "Next" }],
    ["by selector", { type: "next_button", selector: ".next" }],
    ["by a selector of Playwright's", { type: "next_button", selector: "text=Next" }],
    ["that loads more", { type: "load_more", selector: ".more" }],
  ])("%s is warned of, and fails the run where it is required", async (_, pagination) => {
    const path = site.newPath();
    for (const script of scripts) {
      site.setRoute(path, `<ul>${cards(1, 3)}</ul>${script}`);
      const told = await scrape(path, pagination);
      expect(told.failure).toBeUndefined();
      expect(told.names).toEqual(numbers(1, 3));
      expect(told.warnings).toEqual([
        { code: "pagination_control_missing", step: 1, message: expect.stringContaining("one page only") },
      ]);
      const required = await scrape(path, { ...pagination, required: true } as Pagination);
      expect(required.failure).toMatchObject({ code: "pagination_control_missing", step: 1 });
      expect(required.names).toEqual(numbers(1, 3));
    }
  });

  test.concurrent.each([
    "<p>1–3 of 3</p>",
    "<p>Showing 1 to 3 of 3 entries</p>",
    "<nav>Page 1 of 1</nav>",
    "<div><span>Seite 1 von 1</span></div>",
  ])("is no fault where the page says that the list has no other page: %s", async (text) => {
    const path = site.newPath();
    site.setRoute(path, `<section><ul>${cards(1, 3)}</ul></section>${text}`);
    for (const pagination of [
      { type: "next_button", field_name: "Next" },
      { type: "load_more", selector: ".more" },
    ] as const) {
      const told = await scrape(path, pagination);
      expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 3) });
      const required = await scrape(path, { ...pagination, required: true });
      expect(required.failure).toMatchObject({ code: "pagination_control_missing", step: 1 });
    }
  });

  test.concurrent.each([
    "<p>1–3 of 13</p>",
    "<p>4–6 of 6</p>",
    "<p>Page 1 of 12</p>",
    "<p>Page 1 of 1,200</p>",
  ])("is warned of where the page says something else: %s", async (text) => {
    const path = site.newPath();
    site.setRoute(path, `<ul>${cards(1, 3)}</ul>${text}`);
    const told = await scrape(path, { type: "next_button", field_name: "Next" });
    expect(told.codes).toContain("pagination_control_missing");
  });

  test.concurrent("on the last page only, hidden or disabled is no fault", async () => {
    const path = site.newPath();
    for (const last of ["", "<a class=next hidden>Next</a>", "<button class=next disabled>Next</button>"]) {
      for (const script of scripts) {
        for (const count of last === "" ? [2] : [1, 2]) {
          const body = (list: string, page: number) =>
            `${list}${page < count ? `<a class=next href="${path}?page=${page + 1}">Next</a>` : last}${script}`;
          setPages(path, { body, count });
          const told = await scrape(path, { type: "next_button", selector: ".next", required: true });
          expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, count * 3) });
        }
      }
    }
  });

  test.concurrent("is not looked for where no more rows are wanted", async () => {
    const path = site.newPath();
    site.setRoute(path, `<ul>${cards(1, 3)}</ul>`);
    const told = await scrape(path, {
      type: "next_button",
      field_name: "Next",
      max_pages: 1,
      required: true,
    });
    expect(told).toMatchObject({ failure: undefined, codes: [] });
  });
});

describe("which of several is the control", () => {
  test.concurrent.each<[string, Pagination]>([
    ["a name", { type: "next_button", field_name: "Next" }],
    ["a text", { type: "next_button", selector: "text=Next" }],
    ["a text in CSS", { type: "next_button", selector: "a:has-text('Next')" }],
  ])("%s does not press a product or a quotation that has it", async (_, pagination) => {
    const path = site.newPath();
    const text = (n: number) => (n === 2 ? "My Life Next Door" : `Lamp ${n}`);
    for (const script of scripts) {
      const body = (list: string, page: number) =>
        `<blockquote>What comes next?</blockquote>${list}${link(path, page)}${script}`;
      setPages(path, { body, text });
      const told = await scrape(path, pagination);
      expect(told.failure).toBeUndefined();
      expect(told.names).toEqual(["Lamp 1", "My Life Next Door", ...numbers(3, 9)]);
      expect(told.codes).toEqual([]);
    }
  });

  test.concurrent("an exact name comes before a part of one, however it is decorated", async () => {
    const path = site.newPath();
    setPages(path, {
      body: (list, page) =>
        `<nav><a href="/month">Next month</a></nav>${list}<p>${link(path, page, "Next &raquo;")}</p>`,
    });
    const told = await scrape(path, { type: "next_button", field_name: "Next" });
    expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
  });

  test.concurrent("a name that gets a number after it is the same name", async () => {
    const path = site.newPath();
    const name = (page: number) => (page === 1 ? "Next" : `Next (${9 - page * 3})`);
    for (const script of scripts) {
      setPages(path, { body: (list, page) => `${list}${link(path, page, name(page))}${script}` });
      const told = await scrape(path, { type: "next_button", field_name: "Next" });
      expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
    }
  });

  test.concurrent.each<Pagination>([
    { type: "next_button", field_name: "Next" },
    { type: "next_button", selector: "svg a" },
    { type: "next_button", selector: "text=Next" },
  ])("a link in a drawing is followed: %j", async (pagination) => {
    const path = site.newPath();
    for (const script of scripts) {
      const drawn = (page: number) =>
        `<svg width=60 height=20>${link(path, page, "<text y=15>Next</text>")}</svg>`;
      setPages(path, { body: (list, page) => `${list}${drawn(page)}${script}` });
      const told = await scrape(path, pagination);
      expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
    }
  });

  test.concurrent("a link in a long text that has the name is not pressed", async () => {
    const path = site.newPath();
    const body = (list: string) =>
      `${list}<p>What comes next, nobody knows; but <a href="/elsewhere">this page of ours</a> tells what people expect.</p>`;
    setPages(path, { body });
    const told = await scrape(path, { type: "next_button", selector: "text=next" });
    expect(told).toMatchObject({
      failure: undefined,
      names: numbers(1, 3),
      codes: ["pagination_control_missing"],
    });
  });

  test.concurrent("a part of a name is pressed with a warning", async () => {
    const path = site.newPath();
    for (const script of scripts) {
      setPages(path, { body: (list, page) => `${list}${link(path, page, "Next lamps")}${script}` });
      const told = await scrape(path, { type: "next_button", field_name: "Next" });
      expect(told.names).toEqual(numbers(1, 9));
      expect(told.warnings).toEqual([
        { code: "pagination_guessed", step: 1, message: expect.stringContaining('"next lamps"') },
      ]);
    }
  });

  test.concurrent("at the end of the list, nothing of a similar name is pressed", async () => {
    const [path, otherPath] = [site.newPath(), site.newPath()];
    const other = `<p><a href="${otherPath}?page=2">Next month</a></p>`;
    setPages(otherPath, { body: (list, page) => `${list}${link(otherPath, page)}` });
    for (const script of scripts) {
      setPages(path, { body: (list, page) => `${list}${link(path, page)}${other}${script}` });
      const told = await scrape(path, { type: "next_button", field_name: "Next" });
      expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
    }
  });

  test.concurrent.each<[string, Pagination]>([
    ["name", { type: "next_button", field_name: "Next" }],
    ["selector", { type: "next_button", selector: ".next" }],
    ["selector of Playwright's", { type: "next_button", selector: ".next:visible" }],
  ])("by %s, the one of the list's own pager is pressed", async (_, pagination) => {
    const path = site.newPath();
    const next = '<a class=next href="/elsewhere">Next</a>';
    const bodies = [
      (list: string, pager: string) => `<header>${next}</header>${list}${pager}<footer>${next}</footer>`,
      (list: string, pager: string) => `<div>${next}</div><section><div>${list}</div>${pager}</section>`,
      (list: string, pager: string) => `<p>${next}</p>${list}<div class=pagination>${pager}</div>`,
      (list: string, pager: string) => `<section>${list}<footer>${pager}</footer></section><p>${next}</p>`,
      (list: string, pager: string) => `${pager.replace(/(page=\d)/, "$1#top")}${list}${pager}`,
    ];
    for (const body of bodies) {
      setPages(path, {
        body: (list, page) =>
          body(list, page < 3 ? `<a class=next href="${path}?page=${page + 1}">Next</a>` : ""),
      });
      const told = await scrape(path, { ...pagination, max_pages: 3 } as Pagination);
      expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
    }
  });

  test.concurrent.each<[string, Pagination]>([
    ["name", { type: "next_button", field_name: "Next" }],
    ["selector", { type: "next_button", selector: ".next" }],
    ["selector of Playwright's", { type: "next_button", selector: ".next:visible" }],
    ["selector, to load more", { type: "load_more", selector: ".next" }],
  ])("by %s, two that lead to different places are refused", async (_, pagination) => {
    const path = site.newPath();
    for (const script of scripts) {
      const two = ["/one", "/two"].map((href) => `<p><a class=next href="${href}">Next</a></p>`);
      site.setRoute(path, `${two[0]}<ul>${cards(1, 3)}</ul>${two[1]}${script}`);
      const told = await scrape(path, pagination);
      expect(told.failure).toMatchObject({ code: "element_ambiguous", step: 1 });
      expect(told.failure?.message).toContain(
        `<a> "next" to ${site.url("/one")}; <a> "next" to ${site.url("/two")}`,
      );
      expect(told.names).toEqual(numbers(1, 3));
    }
  });

  test.concurrent("a title around a link, or inside of a button, names it", async () => {
    const path = site.newPath();
    const ways = [
      (href: string) => `<ul class=pager><li title="Next Page"><a href="${href}">&gt;</a></li></ul>`,
      (href: string) => `<a href="${href}"><i aria-label="Next page">&gt;</i></a>`,
    ];
    for (const way of ways) {
      setPages(path, { body: (list, page) => list + (page < 3 ? way(`${path}?page=${page + 1}`) : "") });
      const told = await scrape(path, { type: "next_button", field_name: "Next page" });
      expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
    }
  });

  test.concurrent("an image that a script made a control is found by its text, and ends the list once it is disabled", async () => {
    const path = site.newPath();
    const image = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
    site.setRoute(
      path,
      `<ul id=list>${cards(1, 3)}</ul><form><img class=next alt="Next" width=16 height=16 src="${image}"></form><script>
      let page = 1; const next = document.querySelector(".next");
      next.onclick = () => { if (page === 3) return; page += 1; next.classList.toggle("disabled", page === 3);
        list.innerHTML = [2, 1, 0].map((i) => '<li class=card>Lamp ' + (page * 3 - i) + '</li>').join(''); };</script>`,
    );
    const told = await scrape(path, { type: "next_button", field_name: "Next" });
    expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
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

  test.concurrent.each(selectors)(
    "%s is pressed by script, and by pointer where that does nothing",
    async (selector) => {
      const path = site.newPath();
      for (const event of ["onclick", "onpointerdown"]) {
        site.setRoute(path, pressed(event));
        const told = await scrape(path, { type: "next_button", selector });
        expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
      }
    },
  );

  test.concurrent.each(selectors)("%s is pressed also where something covers it", async (selector) => {
    const path = site.newPath();
    const cover = '<div style="position:fixed;inset:0;background:#fff">Subscribe!</div>';
    setPages(path, {
      body: (list, page) =>
        `${list}${page < 3 ? `<button class=next onclick="location.search='page=${page + 1}'">Next</button>` : ""}${cover}`,
    });
    const told = await scrape(path, { type: "next_button", selector });
    expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
  });

  test.concurrent.each([".more", "text=More"])("%s loads more", async (selector) => {
    const path = site.newPath();
    site.setRoute(
      path,
      `<ul id=list>${cards(1, 3)}</ul><button class=more>More</button><script>
      let count = 3; const more = document.querySelector(".more");
      more.onclick = () => { for (let i = 0; i < 3; i += 1) { count += 1;
        list.insertAdjacentHTML("beforeend", "<li class=card>Lamp " + count + "</li>"); }
        if (count === 9) more.remove(); };</script>`,
    );
    const told = await scrape(path, { type: "load_more", selector });
    expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
  });
});

test.concurrent.each(["a >> text=Next", "xpath=//a[.='Next']"])(
  "a link that only a pointer could press, and that is covered, is followed by its address: %s",
  async (selector) => {
    const path = site.newPath();
    const cover = '<div style="position:fixed;inset:0;background:#fff">Subscribe!</div>';
    // Its script ignores clicks that no person made.
    const script = `<script>addEventListener("click", (event) => { if (!event.isTrusted) event.preventDefault(); })</script>`;
    setPages(path, { body: (list, page) => `${list}${link(path, page)}${cover}${script}` });
    const told = await scrape(path, { type: "next_button", selector });
    expect(told).toMatchObject({ failure: undefined, codes: [], names: numbers(1, 9) });
  },
);

test.concurrent("a click finds an element by a title around it", async () => {
  site.setRoute("/goal", `<ul>${cards(1, 3)}</ul>`);
  site.setRoute("/around", '<ul><li title="All books"><a href="/goal">→</a></li></ul>');
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url("/around") },
      { type: "click", field_name: "All books" },
      { type: "get_list", selector: ".card", fields: [{ name: "name" }] },
    ],
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toHaveLength(3);
});
