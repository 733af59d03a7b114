import { describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import type { ScrapeJob } from "../../../../functions/scraping/job.ts";
import { createWarnings } from "../../../../functions/scraping/warnings.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

const list = (fields: { name: string; selector?: string; attribute?: string }[]) =>
  ({ type: "get_list", selector: ".item", fields }) as const;
const visit = (path: string) => ({ type: "visit", url: site.url(path) }) as const;
const items = (from: number, to: number, more = "") =>
  Array.from(
    { length: to - from + 1 },
    (_, index) => `<li class=item><b>Lamp ${from + index}</b>${more}</li>`,
  ).join("");

test.concurrent("a run without anything to warn of has no warnings", async () => {
  const path = site.newPath();
  site.setRoute(path, items(1, 3));
  const told = await engine.run({ steps: [visit(path), list([{ name: "name", selector: "b" }])] });
  expect(told.failure).toBeUndefined();
  expect(told.warnings).toEqual([]);
  expect(told.batches).toHaveLength(1);
});

test.concurrent("a field that no row has, or that is blank in every row, is warned of", async () => {
  const path = site.newPath();
  site.setRoute(path, items(1, 3, "<i> </i>"));
  const told = await engine.run({
    steps: [
      visit(path),
      list([
        { name: "name", selector: "b" },
        { name: "price", selector: ".prize" },
        { name: "stock", selector: "i" },
        { name: "sku", selector: "b", attribute: "data-sku" },
      ]),
    ],
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows[0]).toEqual({ name: "Lamp 1", stock: "" });
  expect(told.warnings).toEqual([
    { code: "field_empty", step: 1, field: "price", message: expect.stringContaining("selector .prize") },
    { code: "field_empty", step: 1, field: "stock", message: expect.stringContaining('"stock"') },
    { code: "field_empty", step: 1, field: "sku", message: expect.stringContaining("attribute data-sku") },
  ]);
});

test.concurrent("rows without any value among others are warned of", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<table><tr class=item><th>Name<tr class=item><td><b>Lamp</b><tr class=item><td><b> </b></table>`,
  );
  const told = await engine.run({ steps: [visit(path), list([{ name: "name", selector: "b" }])] });
  expect(told).toMatchObject({ failure: undefined, rows: [{}, { name: "Lamp" }, { name: "" }] });
  expect(told.warnings).toEqual([
    { code: "rows_empty", step: 1, count: 2, message: expect.stringContaining("2 of the 3 rows") },
  ]);
});

test.concurrent("rows that have none of their fields fail the run, and the message names the selectors", async () => {
  const path = site.newPath();
  site.setRoute(path, items(1, 3));
  const { failure } = await engine.run({
    steps: [
      visit(path),
      list([
        { name: "name", selector: ".titel" },
        { name: "price", selector: ".prize" },
      ]),
    ],
  });
  expect(failure).toMatchObject({ code: "fields_not_found", step: 1 });
  expect(failure?.message).toContain(".titel");
  expect(failure?.message).toContain(".prize");
});

test.concurrent("a list without rows has no fields to warn of", async () => {
  const path = site.newPath();
  site.setRoute(path, "<p>Nothing here</p>");
  const told = await engine.run({
    steps: [visit(path), { ...list([{ name: "name", selector: "b" }]), optional: true, timeout_ms: 200 }],
  });
  expect(told).toMatchObject({ rows: [], failure: undefined, outcome: "done", warnings: [] });
});

const setPages = (path: string, count: number, more: (page: number) => string) =>
  site.setRoute(path, (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const next = page < count ? `<a class=next href="${path}?page=${page + 1}">Next</a>` : "";
    sendHtml(response, `<ul>${items(page * 3 - 2, page * 3, more(page))}</ul>${next}`);
  });

test.concurrent("a run that is resumed knows what the rows before had, and warns once", async () => {
  const path = site.newPath();
  setPages(path, 3, (page) => (page === 1 ? "<i>£1</i>" : ""));
  const job: Pick<ScrapeJob, "steps" | "pagination"> = {
    steps: [
      visit(path),
      list([
        { name: "name", selector: "b" },
        { name: "price", selector: "i" },
        { name: "stock", selector: ".stock" },
      ]),
    ],
    pagination: { type: "next_button", selector: ".next" },
  };
  const whole = await engine.run(job);
  expect(whole.warnings.map(({ field }) => field)).toEqual(["stock"]);
  let rowCount = 0;
  for (const { checkpoint, warnings = [], rows } of whole.batches) {
    rowCount += rows.length;
    const rest = await engine.run({ ...job, from: { checkpoint, rowCount, warnings } });
    expect(rest.rows).toHaveLength(9 - rowCount);
    expect(rest.batches.length === 0 ? warnings : rest.warnings).toEqual(whole.warnings);
  }
});

test.concurrent("a run that fails has the warnings that came after its last rows", async () => {
  const path = site.newPath();
  site.setRoute(path, `<ul>${items(1, 3)}</ul><p><a href="/nowhere">Next lamps</a></p>`);
  const told = await engine.run({
    steps: [visit(path), list([{ name: "name", selector: "b" }])],
    pagination: { type: "next_button", field_name: "Next" },
  });
  expect(told.failure).toMatchObject({ code: "http_error", httpStatus: 404 });
  expect(told.rows).toHaveLength(3);
  expect(told.warnings.map(({ code }) => code)).toEqual(["pagination_guessed"]);
});

test("warnings are merged by code, step and field, and stay small", () => {
  const warnings = createWarnings([{ code: "field_empty", message: "First.", step: 1, count: 2 }]);
  warnings.add({ code: "field_empty", message: "Second.", step: 1, count: 3 });
  expect(warnings.isChanged).toBe(true);
  expect(warnings.all()).toEqual([{ code: "field_empty", message: "First.", step: 1, count: 5 }]);
  expect(warnings.isChanged).toBe(false);
  for (let step = 0; step < 200; step += 1)
    warnings.add({ code: "field_empty", message: "é".repeat(10_000), step, field: "price" });
  expect(Buffer.byteLength(JSON.stringify(warnings.all()))).toBeLessThanOrEqual(20_000);
});

test.concurrent("a search without results says how to allow for it", async () => {
  const path = site.newPath();
  site.setRoute(path, "<p>No results.</p>");
  const search = { ...list([{ name: "name", selector: "b" }]), timeout_ms: 300 };
  for (const pagination of [
    { type: "none" },
    { type: "next_button", field_name: "Next" },
    { type: "load_more", field_name: "More" },
    { type: "infinite_scroll" },
    { type: "url_template", url: `${site.origin}${path}?page={page}` },
  ] as const) {
    const { failure } = await engine.run({ steps: [visit(path), search], pagination });
    expect(failure).toMatchObject({ code: "element_not_found", step: 1 });
    expect(failure?.message).toContain('"optional": true');
    const told = await engine.run({ steps: [visit(path), { ...search, optional: true }], pagination });
    expect(told).toMatchObject({ failure: undefined, outcome: "done", rows: [], warnings: [] });
  }
});

test.concurrent("a button that an infinite list does not have is missed where the page has another one", async () => {
  const path = site.newPath();
  const run = async (below: string, selector: string) => {
    site.setRoute(path, `<ul id=list>${items(1, 3)}</ul>${below}`);
    const pagination = { type: "infinite_scroll", load_more: { selector } } as const;
    const told = await engine.run({
      steps: [visit(path), list([{ name: "name", selector: "b" }])],
      pagination,
    });
    expect(told.failure).toBeUndefined();
    return told.warnings;
  };
  const more = "<button class=more onclick='this.remove()'>Load more</button>";
  expect(await run(more, ".moer")).toEqual([
    { code: "pagination_control_missing", step: 1, message: expect.stringContaining('"load more" below') },
  ]);
  expect(await run(more, ".more")).toEqual([]);
  expect(await run("", ".more")).toEqual([]);
});

describe("a page that says beside its list that it could not load more", () => {
  const button: Pagination = { type: "load_more", selector: "#more" };
  const ending = (atEnd: string) =>
    `<ul id=list>${items(1, 3)}</ul><button id=more>More</button><p id=state></p>
     <script>let n = 3; more.onclick = () => {
       if (n < 9) for (let i = 0; i < 3; i++) list.insertAdjacentHTML("beforeend", "<li class=item><b>Lamp " + ++n + "</b>");
       else { ${atEnd} }
     };</script>`;
  const warnings = async (body: string, pagination: Pagination) => {
    const path = site.newPath();
    site.setRoute(path, body);
    const name = list([{ name: "name", selector: "b" }]);
    const told = await engine.run({ steps: [visit(path), name], pagination });
    expect(told.failure).toBeUndefined();
    return told.warnings;
  };

  test.concurrent.each([
    ["with a button", 'state.innerHTML = "Something went wrong. <button>Try again</button>"'],
    ["in place of its button", 'more.outerHTML = "<div>Unable to load more lamps</div>"'],
    ["by a button alone", 'state.innerHTML = "<button>Retry</button>"'],
    ["in German", 'state.textContent = "Es ist ein Fehler aufgetreten."'],
  ])("is warned of, %s", async (_, atEnd) => {
    const [warning, ...more] = await warnings(ending(atEnd), button);
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ code: "rows_may_be_missing", step: 1 });
    expect(warning?.message).toContain("beside the last rows that were read");
  });

  test.concurrent.each([
    ["where that is hidden", ending('more.remove(); state.innerHTML = "<i hidden>Try again</i>"'), button],
    [
      "where the list is whole",
      `<ul>${items(1, 3)}</ul><p>1–3 of 3</p><p>Try again</p>`,
      { type: "none" } as const,
    ],
    [
      "in a long text about something else",
      `<ul>${items(1, 3)}</ul><p>${"If the lamp does not shine, turn it off and on, and then try again. ".repeat(4)}</p>`,
      { type: "none" } as const,
    ],
    [
      "in a row",
      `<ul>${items(1, 2)}<li class=item><b>Try again: 12 lamps</b></ul>`,
      { type: "none" } as const,
    ],
  ])("is not, %s", async (_, body, pagination) => {
    expect(await warnings(body, pagination)).toEqual([]);
  });
});

describe("a page that declares more rows than were read", () => {
  const name = list([{ name: "name", selector: "b" }]);
  const codes = async (path: string, pagination: Pagination = { type: "none" }, rowsLimit = 1_000) => {
    const told = await engine.run({ steps: [visit(path), name], pagination, rowsLimit });
    expect(told.failure).toBeUndefined();
    return told.warnings.map(({ code }) => code);
  };

  test.concurrent.each([
    ["a range", "<p>Showing 1 to 3 of 57 entries</p>"],
    ["a range in parts", "<div><span>1</span>–<span>3</span> of <b>1,057</b></div>"],
    ["a part", "<p>Displaying 3 of 57 lamps</p>"],
    ["a range in German", "<footer>1-3 von 57</footer>"],
    ["a page number", "<p>Page 1 of 7</p>"],
    ["a page number behind page links", "<p>Pages: <a>First</a> <a>1</a> <a>2</a> <a>Last</a> 1 of 7</p>"],
  ])("in %s beside the list is warned of", async (_, text) => {
    const path = site.newPath();
    for (const body of [
      `<ul>${items(1, 3)}</ul>${text}`,
      `<div>${text}</div><div><ul>${items(1, 3)}</ul></div>`,
    ]) {
      site.setRoute(path, body);
      expect(await codes(path)).toEqual(["rows_may_be_missing"]);
      expect(await codes(path, { type: "none" }, 2)).toEqual([]);
    }
  });

  test.concurrent.each([
    ["all rows", "<p>1–3 of 3</p>"],
    ["the last page", "<p>Page 7 of 7</p>"],
    ["all rows of a page", "<p>1–3 of 3, page 1 of 7</p>"],
    ["something else", "<p>Chapter 1-2 of 9</p>"],
    ["something hidden", "<p hidden>1–3 of 57</p>"],
  ])("in a text about %s is not", async (_, text) => {
    const path = site.newPath();
    site.setRoute(path, `<ul>${items(1, 3)}</ul>${text}`);
    expect(await codes(path)).toEqual([]);
  });

  test.concurrent("is not, where later pages have them", async () => {
    const path = site.newPath();
    site.setRoute(path, (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      const next = page < 3 ? `<a class=next href="${path}?page=${page + 1}">Next</a>` : "";
      const from = page * 3 - 2;
      sendHtml(response, `<ul>${items(from, from + 2)}</ul><p>${from}–${from + 2} of 9</p>${next}`);
    });
    expect(await codes(path, { type: "next_button", selector: ".next" })).toEqual([]);
    expect(await codes(path, { type: "next_button", selector: ".next", max_pages: 2 })).toEqual([]);
    expect(await codes(path)).toEqual(["rows_may_be_missing"]);
  });

  test.concurrent("in aria-rowcount is warned of; headers are no rows", async () => {
    const path = site.newPath();
    const rows = "<tr class=item><td><b>Lamp</b></td></tr>".repeat(3);
    const table = (count: number) =>
      `<table aria-rowcount=${count}><thead><tr><th>Name</th></tr></thead><tbody>${rows}</tbody></table>`;
    for (const [count, expected] of [
      [401, ["rows_may_be_missing"]],
      [4, []],
      [-1, []],
    ] as const) {
      site.setRoute(path, table(count));
      expect(await codes(path)).toEqual(expected);
    }
  });

  test.concurrent("or more columns, where a row lacks a field, is warned of", async () => {
    const path = site.newPath();
    const rows = "<div role=row class=item><b role=gridcell>Lamp</b></div>".repeat(3);
    site.setRoute(path, `<div role=grid aria-colcount=5>${rows}</div>`);
    expect(await codes(path)).toEqual([]);
    const told = await engine.run({
      steps: [
        visit(path),
        list([
          { name: "name", selector: "b" },
          { name: "price", selector: ".price" },
        ]),
      ],
    });
    expect(told.warnings.map(({ code }) => code).sort()).toEqual(["field_empty", "rows_may_be_missing"]);
  });
});

test.concurrent("pages that have the same rows are warned of", async () => {
  const path = site.newPath();
  site.setRoute(path, (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const next = page < 3 ? `<a class=next href="${path}?page=${page + 1}">Next</a>` : "";
    sendHtml(response, `<ul>${items(1, 3)}</ul>${next}`);
  });
  const steps = [visit(`${path}?page=1`), list([{ name: "name", selector: "b" }])];
  const linked = await engine.run({ steps, pagination: { type: "next_button", selector: ".next" } });
  expect(linked.rows).toHaveLength(9);
  expect(linked.warnings).toMatchObject([{ code: "rows_repeated", step: 1, count: 2 }]);
  const addressed = await engine.run({
    steps,
    pagination: { type: "url_template", url: `${site.origin}${path}?page={page}` },
  });
  expect(addressed.rows).toHaveLength(3);
  expect(addressed.warnings).toMatchObject([{ code: "rows_repeated", step: 1, count: 1 }]);
});

const slide = (name: string, image = name) =>
  `<li class=item><b>${name}</b><img src="/${encodeURIComponent(image)}.png"></li>`;

test.concurrent.each<{ kind: string; html: string; more?: object; rows: number; warned: boolean }>([
  {
    kind: "the slides that a carousel copies to both ends",
    html: `${slide("Oak", "blank")}${slide("Ash")}${slide("Elm")}${slide("Fir")}${slide("Oak")}${slide("Ash", "blank")}`,
    rows: 6,
    warned: true,
  },
  {
    kind: "a list twice, for narrow and for wide screens",
    html: `<div>${items(1, 5)}</div><div style="display:none">${items(1, 5)}</div>`,
    rows: 10,
    warned: true,
  },
  {
    kind: "the same with a key",
    html: items(1, 5).repeat(2),
    more: { key: ["name"] },
    rows: 5,
    warned: false,
  },
  { kind: "two values in turn", html: items(1, 2).repeat(3), rows: 6, warned: false },
  { kind: "equal rows", html: items(1, 1).repeat(6), rows: 6, warned: false },
  { kind: "a last row like the first", html: items(1, 5) + items(1, 1), rows: 6, warned: false },
  { kind: "rows that come again in another order", html: items(1, 4) + items(2, 4), rows: 7, warned: false },
  {
    kind: "equal texts with different links",
    html: ["a", "b", "c", "d", "e"]
      .map((id, index) => `<a class=item href="/${id}"><b>${10 + (index % 3)}</b></a>`)
      .join(""),
    rows: 5,
    warned: false,
  },
])("rows that a page has more than once: $kind", async ({ html, more, rows, warned }) => {
  const path = site.newPath();
  site.setRoute(path, html);
  const fields = [
    { name: "name", selector: "b" },
    { name: "link", attribute: "href" },
    { name: "image", selector: "img", attribute: "src" },
  ].filter(({ name }) => html.includes(name === "name" ? "<b>" : name === "link" ? "href" : "<img"));
  const told = await engine.run({ steps: [visit(path), { ...list(fields), ...more }] });
  expect(told.rows).toHaveLength(rows);
  const warning = {
    code: "rows_repeated",
    step: 1,
    message: expect.stringContaining("are the first ones again"),
  };
  expect(told.warnings).toEqual(warned ? [warning] : []);
});

describe("a request for data that fails", () => {
  const SHOW = "const list = document.querySelector('ul'); let page = 1;";
  const ask = (path: string) =>
    `fetch("${path}?page=" + (page + 1)).then((answer) => { if (!answer.ok) throw answer; return answer.text(); })`;
  const failing = (status: number) => {
    const path = site.newPath();
    site.setRoute(path, (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page"));
      if (page > 2) response.writeHead(status).end();
      else sendHtml(response, items(page * 3 - 2, page * 3));
    });
    return path;
  };
  const codesOf = async (html: string, pagination: Pagination, ...steps: ScrapeJob["steps"]) => {
    const path = site.newPath();
    site.setRoute(path, html);
    const told = await engine.run({
      steps: [visit(path), ...steps, { ...list([{ name: "name", selector: "b" }]), timeout_ms: 3_000 }],
      pagination,
    });
    expect(told.failure).toBeUndefined();
    return { count: told.rows.length, codes: told.warnings.map(({ code }) => code) };
  };
  const button = (status: number, add: string) =>
    `<ul>${items(1, 3)}</ul><button id=more>More</button><script>${SHOW}
    more.onclick = () => ${ask(failing(status))}.then((html) => { page += 1; ${add} }).catch(() => {});</script>`;

  test.concurrent("at the end of a list is warned of", async () => {
    const more = { selector: "#more" };
    const pages: [string, Pagination][] = [
      [button(500, "list.innerHTML = html;"), { type: "next_button", ...more }],
      [button(429, "list.insertAdjacentHTML('beforeend', html);"), { type: "load_more", ...more }],
      [button(401, "list.insertAdjacentHTML('beforeend', html);"), { type: "load_more", ...more }],
      [
        `<ul>${items(1, 3)}</ul><div style="height:3000px"></div><script>${SHOW} let busy = false;
        onscroll = () => { if (busy) return; busy = true; ${ask(failing(503))}
          .then((html) => { page += 1; list.insertAdjacentHTML("beforeend", html); busy = false; }).catch(() => {}); };</script>`,
        { type: "infinite_scroll" },
      ],
    ];
    for (const [html, pagination] of pages)
      expect(await codesOf(html, pagination)).toEqual({ count: 6, codes: ["rows_may_be_missing"] });
  });

  test.concurrent("is no warning where a page asks whether somebody has signed in", async () => {
    const asks = `<script>setTimeout(() => fetch("${failing(401)}?page=3"), 500)</script>`;
    expect(
      await codesOf(button(404, "list.innerHTML = html;") + asks, { type: "next_button", selector: "#more" }),
    ).toEqual({ count: 6, codes: [] });
  });

  test.concurrent("is no warning where it says that there is no such page", async () => {
    expect(
      await codesOf(button(404, "list.innerHTML = html;"), { type: "next_button", selector: "#more" }),
    ).toEqual({ count: 6, codes: [] });
  });

  test.concurrent("after a step is warned of, as the list may be the one from before", async () => {
    const html = `<ul>${items(1, 3)}</ul><button id=search>Search</button><script>
      search.onclick = () => fetch("${failing(500)}?page=3").catch(() => {});</script>`;
    const click = { type: "click", field_name: "Search" } as const;
    expect(await codesOf(html, { type: "none" }, click)).toEqual({
      count: 3,
      codes: ["rows_may_be_missing"],
    });
  });

  test.concurrent("beside a list that is there is no warning", async () => {
    const html = `<ul>${items(1, 3)}</ul><script>fetch("${failing(500)}?page=3").catch(() => {});</script>`;
    expect(await codesOf(html, { type: "none" })).toEqual({ count: 3, codes: [] });
  });
});

test.concurrent("a page without the list, which its control led to, is warned of", async () => {
  const path = site.newPath();
  site.setRoute(path, (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const body =
      page < 3 ? `${items(page * 3 - 2, page * 3)}<a href="?page=${page + 1}">Next</a>` : "<h1>Cookies?</h1>";
    sendHtml(response, body);
  });
  const told = await engine.run({
    steps: [visit(path), list([{ name: "name", selector: "b" }])],
    pagination: { type: "next_button", field_name: "Next" },
  });
  expect(told).toMatchObject({
    failure: undefined,
    warnings: [
      { code: "rows_may_be_missing", step: 1, message: expect.stringContaining(`${path}?page=3, where`) },
    ],
  });
  expect(told.rows).toHaveLength(6);
});
