import { describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

// Where scripts fail, all waits of a scroll run to their end, in one answer.
const { engine, site } = await startEngineAndSite({ answerMs: 30_000 });

/** Rows in each answer, and the answer that is HTML instead of JSON, as a page that asks for consent. */
const BATCH = 10;
const BROKEN = 3;

const items = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `<li>Lamp ${from + index + 1}</li>`).join("");

/** A list whose script fails when it loads the third part. */
function setPage(script: string, body: string): string {
  const path = site.newPath();
  for (const part of [1, 2, BROKEN])
    site.setRoute(`${path}/${part}`, (_, response) => {
      if (part === BROKEN) return sendHtml(response, "<h1>Welcome</h1>");
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ html: items(part * BATCH, BATCH) }));
    });
  site.setRoute(
    path,
    `${body}<script>
      let part = 0, loading = false;
      const list = document.querySelector("ul");
      async function next(show) {
        if (loading) return;
        loading = true;
        const answer = await fetch("${path}/" + ++part);
        show((await answer.json()).html);
        loading = false;
      }
      ${script}
    </script>`,
  );
  return path;
}

const run = (path: string, pagination: Pagination) =>
  engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: "li", fields: [{ name: "name" }] },
    ],
    pagination,
  });

const MORE = `document.querySelector("button").onclick = () => next((html) => list.insertAdjacentHTML("beforeend", html));`;
const FIRST = `<ul>${items(0, BATCH)}</ul><button>More</button>`;

/** A list of 400 rows of which only a window exists, and whose script fails behind the first 100. */
const WINDOWED = `
  const box = document.querySelector("div");
  const rows = (from) => Array.from({ length: 15 }, (_, i) =>
    '<li style="top:' + (from + i) * 30 + 'px">Lamp ' + (from + i + 1) + '</li>').join("");
  list.innerHTML = rows(0);
  box.onscroll = () => {
    const from = Math.floor(box.scrollTop / 30);
    if (from > 100) throw new TypeError("rows is undefined");
    list.innerHTML = rows(Math.min(from, 385));
  };`;
const BOX = `<style>
  div { height: 300px; overflow: auto }
  ul { height: 12000px; position: relative; margin: 0 }
  li { position: absolute; height: 30px }
</style><div><ul></ul></div>`;

const NOT_JSON = "is not valid JSON";
type Kind = [string, { script: string; body: string; pagination: Pagination; rows: number; error: string }];
const kinds: Kind[] = [
  [
    "by a button",
    {
      script: MORE,
      body: FIRST,
      pagination: { type: "load_more", selector: "button" },
      rows: 30,
      error: NOT_JSON,
    },
  ],
  [
    "by a button, where the script logs what it catches",
    {
      script: MORE.replace("));", ")).catch((error) => console.error('Sorry:', error));"),
      body: FIRST,
      pagination: { type: "load_more", selector: "button" },
      rows: 30,
      error: NOT_JSON,
    },
  ],
  ...(["load_more", "next_button"] as const).map(
    (type): Kind => [
      `by a button that fails before it requests anything, with ${type}`,
      {
        script: `document.querySelector("button").onclick = () => {
        if (part === 2) rowsOfPart();
        next((html) => { list.${type === "load_more" ? "insertAdjacentHTML('beforeend', html)" : "innerHTML = html"}; });
      };`,
        body: FIRST,
        pagination: { type, selector: "button" },
        rows: 30,
        error: "rowsOfPart is not defined",
      },
    ],
  ),
  [
    "by scrolling",
    {
      script: `addEventListener("scroll", () => {
        if (innerHeight + scrollY > document.body.scrollHeight - 50) next((html) => list.insertAdjacentHTML("beforeend", html));
      });`,
      body: `<style>li { height: 200px }</style>${FIRST.replace(/<button.*/, "")}`,
      pagination: { type: "infinite_scroll" },
      rows: 30,
      error: NOT_JSON,
    },
  ],
  [
    "by a button for the next page",
    {
      script: `document.querySelector("button").onclick = () => next((html) => { list.innerHTML = html; });`,
      body: FIRST,
      pagination: { type: "next_button", selector: "button" },
      rows: 30,
      error: NOT_JSON,
    },
  ],
  [
    "in a window",
    {
      script: WINDOWED,
      body: BOX,
      pagination: { type: "infinite_scroll" },
      rows: 106,
      error: "TypeError: rows is undefined",
    },
  ],
  [
    "in a window, without a pagination",
    { script: WINDOWED, body: BOX, pagination: { type: "none" }, rows: 106, error: "rows is undefined" },
  ],
];

describe("a list whose script fails in the middle has a warning", () => {
  test.concurrent.each(kinds)("%s", async (_, { script, body, pagination, rows, error }) => {
    const { failure, warnings, ...told } = await run(setPage(script, body), pagination);
    expect(failure).toBeUndefined();
    expect(told.rows).toHaveLength(rows);
    expect(warnings).toEqual([
      { code: "rows_may_be_missing", step: 1, message: expect.stringContaining(error) },
    ]);
  });
});

describe("a list that ends, and whose page has errors that tell nothing of it, has no warning", () => {
  const atEnd = `if (part === 2) document.querySelector("button").remove();`;
  const more = (then: string) =>
    `document.querySelector("button").onclick = () =>
      next((html) => { list.insertAdjacentHTML("beforeend", html); ${atEnd} ${then} });`;

  test.concurrent("errors before its last rows", async () => {
    const script = `setTimeout(() => missing(), 0); console.error(new Error("tracker")); ${more("")}`;
    const { rows, warnings } = await run(setPage(script, FIRST), { type: "load_more", selector: "button" });
    expect({ rows: rows.length, warnings }).toEqual({ rows: 30, warnings: [] });
  });

  test.concurrent("an error that each part of it causes", async () => {
    const script = more("setTimeout(() => missing(), 0);");
    const { rows, warnings } = await run(setPage(script, FIRST), { type: "load_more", selector: "button" });
    expect({ rows: rows.length, warnings }).toEqual({ rows: 30, warnings: [] });
  });

  test.concurrent("a page that says that it shows the last rows", async () => {
    const script = more(`if (part === 2) setTimeout(() => missing(), 0);
      document.querySelector("p").textContent = "1–" + (part + 1) * 10 + " of 30";`);
    const { rows, warnings } = await run(setPage(script, `${FIRST}<p>1–10 of 30</p>`), {
      type: "load_more",
      selector: "button",
    });
    expect({ rows: rows.length, warnings }).toEqual({ rows: 30, warnings: [] });
  });
});
