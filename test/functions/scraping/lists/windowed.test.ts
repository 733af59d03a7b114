import { describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import type { StepOf } from "../../../../functions/contract/steps.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";
import * as pages from "./windowed-pages.ts";

const { engine, site } = await startEngineAndSite();

const lamps = (count: number) => Array.from({ length: count }, (_, index) => `Lamp ${index + 1}`);
const list: StepOf<"get_list"> = {
  type: "get_list",
  selector: ".row",
  fields: [{ name: "name", selector: "b" }],
};
const SCROLL: Pagination = { type: "infinite_scroll" };
const NONE: Pagination = { type: "none" };

async function read(path: string, pagination: Pagination, step: Partial<typeof list> = {}) {
  const steps = [
    { type: "visit" as const, url: site.url(path) },
    { ...list, ...step },
  ];
  const told = await engine.run({ steps, pagination });
  expect(told.failure).toBeUndefined();
  return { ...told, names: told.rows.map((row) => row.name), codes: told.warnings.map(({ code }) => code) };
}

site.setRoute("/rows.json", (request, response) => {
  const from = Number(new URL(request.url ?? "", site.origin).searchParams.get("from"));
  setTimeout(() => response.end(JSON.stringify(lamps(from + 20).slice(from))), 150);
});

site.setRoute("/slow.json", (_, response) => {
  setTimeout(() => response.end("{}"), 1_300);
});

/** A page that shows its list from the middle at first. */
const scrolled = (page: string) => page.replace("</script>", "; box.scrollTop = 1_000;</script>");

describe("a list of which only a window exists is read whole", () => {
  test.concurrent.each<[string, string, number]>([
    ["placed by transforms", pages.translated(), 200],
    ["in a box that only its script scrolls", pages.hidden(), 200],
    ["padded for the rest", pages.padded(), 200],
    ["in a table, between rows that keep space free", pages.table(), 200],
    ["scrolled with the page", pages.inWindow(), 200],
    ["with heights that are measured as they come", pages.measured(), 150],
    ["in elements that get other texts", pages.swapped(), 200],
    ["in elements of which some are left over at its end", pages.leftover(), 200],
    ["without a row more than is in view", pages.tight(), 200],
    ["drawn late on the way back to its top", scrolled(pages.late("/rows.json", { count: 60 })), 60],
    [
      "that does not notice that it is scrolled back to its top",
      scrolled(pages.misplaced("/rows.json")),
      200,
    ],
    ["with rows that are fetched when they come into view", pages.fetched("/rows.json"), 120],
    ["whose rows go until data comes that takes its time", pages.emptied("/slow.json", { count: 30 }), 30],
    ["whose end is not where the page declares it", pages.endless(), 120],
  ])("%s", async (_, page, count) => {
    const path = site.newPath();
    site.setRoute(path, page);
    expect((await read(path, SCROLL)).names).toEqual(lamps(count));
    expect((await read(path, NONE)).names).toEqual(lamps(count));
  });

  test.concurrent.each<[string, Partial<typeof list>]>([
    ["with a text", { selector: ".row:has-text('Lamp')" }],
    ["in a chain", { selector: "#box >> .row", fields: [{ name: "name", selector: "b >> nth=0" }] }],
    ["whose field has a text", { fields: [{ name: "name", selector: "text=/Lamp/" }] }],
    [
      "by XPath",
      { selector: "xpath=//div[@class='row']", fields: [{ name: "name", selector: "xpath=.//b" }] },
    ],
  ])("whose rows are found by what only Playwright knows: %s", async (_, step) => {
    const [path, fetching] = [site.newPath(), site.newPath()];
    site.setRoute(path, pages.swapped({ count: 100 }));
    site.setRoute(fetching, pages.fetched("/rows.json", { count: 60 }));
    expect((await read(path, NONE, step)).names).toEqual(lamps(100));
    expect((await read(fetching, SCROLL, step)).names).toEqual(lamps(60));
  });

  test.concurrent.each(['.row[data-n$="5"]', '.row[data-n$="10"]', ".row:has-text('7')"])(
    "of which the selector leaves most rows out: %s",
    async (selector) => {
      const path = site.newPath();
      site.setRoute(path, pages.numbered());
      const end = /"(\d+)"/.exec(selector)?.[1];
      const wanted = lamps(200).filter((name) => (end ? name.endsWith(end) : name.includes("7")));
      for (const pagination of [SCROLL, NONE])
        expect((await read(path, pagination, { selector })).names).toEqual(wanted);
    },
  );

  test.concurrent("whose rows stand beside one another, from the right to the left", async () => {
    for (const direction of ["ltr", "rtl"]) {
      const path = site.newPath();
      site.setRoute(path, pages.cards(direction));
      for (const pagination of [SCROLL, NONE])
        expect((await read(path, pagination)).names).toEqual(lamps(120));
    }
  });

  test.concurrent("in a frame", async () => {
    const [path, frame] = [site.newPath(), site.newPath()];
    site.setRoute(frame, pages.translated({ count: 80 }));
    site.setRoute(path, `<iframe src="${frame}" style="width:600px;height:500px"></iframe>`);
    for (const selector of [".row", ".row:has-text('Lamp')"]) {
      for (const pagination of [SCROLL, NONE])
        expect((await read(path, pagination, { frame: "iframe", selector })).names).toEqual(lamps(80));
    }
  });

  test.concurrent.each([".row", ".row:visible"])("on each page of a url_template: %s", async (selector) => {
    const path = site.newPath();
    site.setRoute(path, (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      const text = `"Lamp " + (${page - 1} * 50 + n + 1)`;
      sendHtml(response, page <= 3 ? pages.translated({ count: 50, text }) : "<p>No more</p>");
    });
    const told = await read(
      path,
      { type: "url_template", url: `${site.origin}${path}?page={page}` },
      { selector, timeout_ms: 5_000 },
    );
    expect(told.names).toEqual(lamps(150));
  });

  test.concurrent("that grows by a button", async () => {
    const path = site.newPath();
    site.setRoute(path, pages.loadingMore());
    const more = { type: "load_more" as const, selector: "#more" };
    expect((await read(path, more)).names).toEqual(lamps(120));
    expect((await read(path, { ...more, max_pages: 2 })).names).toEqual(lamps(80));
    expect((await read(path, { ...more, selector: "text=More" })).names).toEqual(lamps(120));
  });

  test.concurrent.each<[string, (page: { count: number; text: string }) => string]>([
    ["placed by transforms", pages.translated],
    ["padded for the rest", pages.padded],
    ["with heights that are measured as they come", pages.measured],
    ["in elements that get other texts", pages.swapped],
    ["without a row more than is in view", pages.tight],
  ])("equal neighbors are kept: %s", async (_, page) => {
    const path = site.newPath();
    const text = "n % 30 < 20 ? 'In stock' : 'Lamp ' + Math.floor(n / 3)";
    const expected = Array.from({ length: 100 }, (_, n) =>
      n % 30 < 20 ? "In stock" : `Lamp ${Math.floor(n / 3)}`,
    );
    site.setRoute(path, page({ count: 100, text }));
    expect((await read(path, NONE)).names).toEqual(expected);
  });

  test.concurrent.each([{}, { frames: 10 }, { ignored: 2 }, { ignored: 3 }])(
    "with columns that exist only in view: %j",
    async (page) => {
      const path = site.newPath();
      site.setRoute(path, pages.wide(page));
      const fields = [0, 3, 7].map((column) => ({ name: `c${column}`, selector: `.c${column}` }));
      expect((await read(path, NONE, { fields })).rows).toEqual(
        Array.from({ length: 60 }, (_, n) => ({ c0: `0/${n + 1}`, c3: `3/${n + 1}`, c7: `7/${n + 1}` })),
      );
    },
  );

  test.concurrent("on each page of a paged one", async () => {
    const path = site.newPath();
    site.setRoute(path, pages.paged());
    expect((await read(path, { type: "next_button", selector: "#next" })).names).toEqual(lamps(150));
  });
});

describe("a windowed list warns", () => {
  test.concurrent("of rows that came already", async () => {
    const path = site.newPath();
    site.setRoute(path, pages.translated({ text: '"Lamp " + (n % 50 + 1)' }));
    for (const pagination of [SCROLL, NONE]) {
      const { names, codes } = await read(path, pagination);
      expect(names).toHaveLength(200);
      expect(codes).toEqual(["rows_repeated"]);
    }
  });

  test.concurrent("of rows at its top that are drawn too late", async () => {
    const path = site.newPath();
    site.setRoute(path, scrolled(pages.late("/rows.json", { count: 60, lateMs: 60_000 })));
    expect((await read(path, SCROLL)).codes).toEqual(["rows_may_be_missing"]);
  });

  test.concurrent("of rows that were never shown", async () => {
    const path = site.newPath();
    site.setRoute(path, pages.leaping());
    for (const pagination of [SCROLL, NONE]) {
      const { names, codes } = await read(path, pagination);
      expect(names).not.toContain("Lamp 30");
      expect(codes).toEqual(["rows_may_be_missing"]);
    }
  });
});

test.concurrent("scrolling costs nothing unless the page asks the server for rows", async () => {
  site.setRoute("/local", pages.padded());
  expect((await read("/local", SCROLL)).loads).toBe(1);
  site.setRoute("/asking", pages.fetched("/rows.json"));
  const { loads } = await read("/asking", SCROLL);
  expect(loads).toBeGreaterThan(1);
  expect(loads).toBeLessThanOrEqual(1 + 120 / 20);
});

test.concurrent("a windowed list that is resumed in the middle has each row once", async () => {
  const path = site.newPath();
  site.setRoute(path, pages.translated());
  const job = {
    steps: [{ type: "visit" as const, url: site.url(path) }, list],
    pagination: SCROLL,
  };
  const { batches } = await engine.run(job);
  expect(batches.length).toBeGreaterThan(3);
  for (const stop of [0, 2, batches.length - 2]) {
    const before = batches.slice(0, stop + 1).flatMap(({ rows }) => rows);
    const checkpoint = JSON.parse(JSON.stringify(batches[stop]?.checkpoint));
    const rest = await engine.run({ ...job, from: { checkpoint, rowCount: before.length } });
    expect([...before, ...rest.rows].map(({ name }) => name)).toEqual(lamps(200));
  }
});

test.concurrent("where space is kept free and nothing comes, the rows are those that are there", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<div style="height:4000px;position:relative"><p class=row><b>One</b></p><p class=row hidden><b>Two</b></p></div><script>1</script>`,
  );
  expect((await read(path, NONE)).rows).toHaveLength(2);
  expect((await read(path, SCROLL)).rows).toHaveLength(2);
});

describe("infinite_scroll with load_more", () => {
  /** Grows by itself up to 20 rows, then by a button, which ten more rows by scrolling follow each time. */
  const page = `<style>.row{height:120px}</style><div id=list></div><button id=more hidden>More lamps</button><script>
    let count = 0, most = 20; const list = document.getElementById("list"), more = document.getElementById("more");
    const add = () => { for (let i = 0; i < 10; i++) list.insertAdjacentHTML("beforeend", "<p class=row><b>Lamp " + ++count + "</b></p>"); more.hidden = count < most || count >= 60; };
    more.onclick = () => { add(); most = count + 10; more.hidden = true; };
    addEventListener("scroll", () => { if (count < most && scrollY + innerHeight > document.documentElement.scrollHeight - 100) add(); }); add();</script>`;

  test.concurrent.each([{ selector: "#more" }, { field_name: "More lamps" }])("%j", async (load_more) => {
    const path = site.newPath();
    site.setRoute(path, page);
    expect((await read(path, { type: "infinite_scroll", load_more })).names).toEqual(lamps(60));
  });

  test.concurrent("without the button in the scraper, the list ends at it, with a warning", async () => {
    const path = site.newPath();
    site.setRoute(path, page);
    const told = await read(path, SCROLL);
    expect(told.names).toEqual(lamps(20));
    expect(told.warnings).toMatchObject([
      { code: "rows_may_be_missing", message: expect.stringContaining('"more lamps"') },
    ]);
    expect((await read(path, { ...SCROLL, load_more: { selector: "#more" } })).codes).toEqual([]);
  });
});

describe("key", () => {
  const pageOf = (numbers: number[], next: string) =>
    `${numbers.map((n) => `<p class=row><b>Lamp ${n}</b></p>`).join("")}${next}`;

  test.concurrent("rows with equal keys are taken once, on all pages and after a resume", async () => {
    site.setRoute("/k1", pageOf([1, 2, 2, 3], '<a id=next href="/k2">Next</a>'));
    site.setRoute("/k2", pageOf([3, 4, 1, 5], '<a id=next href="/k3">Next</a>'));
    site.setRoute("/k3", pageOf([5, 6, 2, 7], ""));
    const job = {
      steps: [
        { type: "visit" as const, url: site.url("/k1") },
        { ...list, key: ["name"] },
      ],
      pagination: { type: "next_button" as const, selector: "#next" },
    };
    const { rows, batches } = await engine.run(job);
    expect(rows.map(({ name }) => name)).toEqual(lamps(7));
    for (const stop of [0, 1]) {
      const before = batches.slice(0, stop + 1).flatMap((batch) => batch.rows);
      const checkpoint = JSON.parse(JSON.stringify(batches[stop]?.checkpoint));
      const rest = await engine.run({ ...job, from: { checkpoint, rowCount: before.length } });
      expect([...before, ...rest.rows].map(({ name }) => name)).toEqual(lamps(7));
    }
    expect((await engine.run({ ...job, rowsLimit: 5 })).rows.map(({ name }) => name)).toEqual(lamps(5));
  });
});
