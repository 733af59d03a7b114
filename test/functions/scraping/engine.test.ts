import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Site, startSite } from "../../site/site.ts";
import { type Engine, startEngine } from "./harness.ts";

let engine: Engine;
let site: Site;
beforeAll(async () => {
  site = await startSite();
  engine = await startEngine([site.host, "127.0.0.1:9"]);
});
afterAll(async () => {
  await engine.close();
  await site.close();
});

const products = (from: number, to: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, index) =>
      `<article class="card"><h2><a href="/p/${from + index}">Lamp ${from + index}</a></h2></article>`,
  ).join("");
const fields = [
  { name: "title", selector: "h2" },
  { name: "link", selector: "a", attribute: "href" },
  { name: "price", selector: ".price" },
];

test.concurrent("takes a list over several pages by its next button", async () => {
  site.setRoute("/list", `<main>${products(1, 3)}</main><a class="next" href="/list2">Next</a>`);
  site.setRoute("/list2", `<main>${products(4, 5)}</main><a class="prev" href="/list">Back</a>`);
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url("/list") },
      { type: "get_list", selector: ".card", fields },
    ],
    pagination: { type: "next_button", selector: ".next" },
  });
  expect(told.failure).toBeUndefined();
  expect(told.outcome).toBe("done");
  expect(told.rows.map((row) => row.title)).toEqual(["Lamp 1", "Lamp 2", "Lamp 3", "Lamp 4", "Lamp 5"]);
  expect(told.rows[0]).toEqual({ title: "Lamp 1", link: site.url("/p/1") });
  expect(told.loads).toBe(2);
});

test.concurrent("stops at the limit of rows", async () => {
  site.setRoute("/limit", products(1, 30));
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url("/limit") },
      { type: "get_list", selector: ".card", fields },
    ],
    rowsLimit: 7,
  });
  expect(told.rows).toHaveLength(7);
});

test.concurrent("a selector that matches nothing names the step", async () => {
  site.setRoute("/empty", "<p>Nothing here</p>");
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url("/empty") },
      { type: "get_list", selector: ".card", fields, timeout_ms: 200 },
    ],
  });
  expect(told.failure).toMatchObject({ code: "element_not_found", step: 1 });
});

test.concurrent("a step before any visit is told as such", async () => {
  const told = await engine.run({ steps: [{ type: "click", selector: "a" }] });
  expect(told.failure).toMatchObject({ code: "invalid_step", step: 0 });
  expect(told.loads).toBe(0);
});

test.concurrent("a dead host, an error page and a forbidden address are told apart", async () => {
  const visit = (url: string) => engine.run({ steps: [{ type: "visit", url }] });
  expect((await visit("http://127.0.0.1:9/")).failure).toMatchObject({ code: "navigation_failed", step: 0 });
  expect((await visit(site.url("/missing"))).failure).toMatchObject({ code: "http_error" });
  const blocked = (await visit("http://169.254.169.254/latest/meta-data")).failure;
  expect(blocked).toMatchObject({ code: "blocked_address" });
  expect(blocked?.message).not.toContain("meta-data");
});

test.concurrent("writes, chooses and clicks", async () => {
  site.setRoute(
    "/form",
    `<form action="/found"><label>Search <input name="q"></label>
     <label>Sort <select name="sort"><option value="p">Price</option><option value="n">Newest</option></select></label>
     <button>Go</button></form>`,
  );
  site.setRoute("/found", (request, response) => {
    const query = URL.parse(request.url ?? "", site.origin)?.searchParams;
    response
      .writeHead(200, { "content-type": "text/html" })
      .end(`<div class="card"><h2>${query?.get("q")} ${query?.get("sort")}</h2></div>`);
  });
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url("/form") },
      { type: "write_input", field_name: "Search", value: "lamp" },
      { type: "select_dropdown", value: "Newest" },
      { type: "click", field_name: "Go" },
      { type: "get_list", selector: ".card", fields },
    ],
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual([{ title: "lamp n" }]);
  expect(told.loads).toBe(2);
});
