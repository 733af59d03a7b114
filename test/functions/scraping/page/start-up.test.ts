import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

const list: Step = { type: "get_list", selector: ".row", fields: [{ name: "name" }] };
const names = async (path: string, step: Step = list) => {
  const { rows, failure } = await engine.run({ steps: [{ type: "visit", url: site.url(path) }, step] });
  expect(failure).toBeUndefined();
  return rows.map(({ name }) => name);
};
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => `<p class=row>row ${index + 1}</p>`).join("");
const FIRST_TEN = Array.from({ length: 10 }, (_, index) => `row ${index + 1}`);

/** What a table library does with the rows that came with the document: it shows ten of them. */
const PAGINATE = `document.querySelectorAll(".row").forEach((row, index) => index < 10 || row.remove());`;

describe("rows are read after the page's own start-up", () => {
  test.concurrent.each([
    ["DOMContentLoaded", `document.addEventListener("DOMContentLoaded", () => { ${PAGINATE} });`],
    [
      "jQuery's ready, which runs in tasks of its own",
      `document.addEventListener("DOMContentLoaded", () =>
         setTimeout(() => setTimeout(() => { ${PAGINATE} })));`,
    ],
    ["load", `addEventListener("load", () => { ${PAGINATE} });`],
  ])("by a handler of %s", async (_, script) => {
    const path = site.newPath();
    site.setRoute(path, `<script>${script}</script>${rows(57)}`);
    expect(await names(path)).toEqual(FIRST_TEN);
    expect(await names(path, { ...list, selector: ".row:visible" })).toEqual(FIRST_TEN);
  });

  test.concurrent.each(["", "async", "defer", "type=module"])("by a slow script %s", async (kind) => {
    const path = site.newPath();
    site.setRoute("/slow.js", async (_request, response) => {
      await sleep(300);
      response.setHeader("content-type", "text/javascript").end(PAGINATE);
    });
    site.setRoute(path, `${rows(57)}<script src=/slow.js ${kind}></script>`);
    expect(await names(path)).toEqual(FIRST_TEN);
  });

  test.concurrent("by a script that the page adds", async () => {
    site.setRoute("/added.js", async (_request, response) => {
      await sleep(300);
      response.setHeader("content-type", "text/javascript").end(PAGINATE);
    });
    site.setRoute(
      "/adds",
      `${rows(57)}<script>document.head.append(Object.assign(document.createElement("script"), { src: "/added.js" }))</script>`,
    );
    expect(await names("/adds")).toEqual(FIRST_TEN);
  });
});

test.concurrent("a script that blocks the parser for seconds does not end the list", async () => {
  site.setRoute("/blocks.js", async (_request, response) => {
    await sleep(4_000);
    response.setHeader("content-type", "text/javascript").end("");
  });
  site.setRoute("/blocked", `${rows(30)}<script src=/blocks.js></script>${rows(37)}`);
  expect(await names("/blocked")).toHaveLength(67);
});

test.concurrent("a page that changes without end is read all the same", async () => {
  site.setRoute(
    "/ticker",
    `<b id=time></b>${rows(10)}<script>setInterval(() => { time.textContent = performance.now() })</script>`,
  );
  expect(await names("/ticker")).toEqual(FIRST_TEN);
});

describe("addresses that differ in their fragment alone", () => {
  const app = (shows: string) => `<h1></h1><p class=row></p><script>
    const show = () => { const id = location.hash.slice(2); ${shows} };
    addEventListener("hashchange", show); show();</script>`;
  const slowly = `setTimeout(() => { document.querySelector("h1").textContent = document.querySelector("p").textContent = "item " + id; }, 150)`;

  test.concurrent("are pages of their own for details", async () => {
    const path = site.newPath();
    site.setRoute(
      "/items",
      Array.from({ length: 10 }, (_, id) => `<p class=row><a href="${path}#/${id}">${id}</a></p>`).join(""),
    );
    site.setRoute(path, app(slowly));
    const details = { url_field: "url", fields: [{ name: "title", selector: "h1" }] };
    const fields = [{ name: "url", selector: "a", attribute: "href" }];
    const { rows, failure } = await engine.run({
      steps: [
        { type: "visit", url: site.url("/items") },
        { type: "get_list", selector: ".row", fields, details },
      ],
    });
    expect(failure).toBeUndefined();
    expect(rows.map(({ title }) => title)).toEqual(Array.from({ length: 10 }, (_, id) => `item ${id}`));
  });

  test.concurrent("are pages of their own for a later visit", async () => {
    const path = site.newPath();
    site.setRoute(path, app(slowly));
    const { rows, failure, loads } = await engine.run({
      steps: [
        { type: "visit", url: site.url(`${path}#/1`) },
        { type: "get_text", field_name: "first", selector: "h1" },
        { type: "visit", url: site.url(`${path}#/2`) },
        { type: "get_text", field_name: "second", selector: "h1" },
      ],
    });
    expect(failure).toBeUndefined();
    expect(rows).toEqual([{ first: "item 1", second: "item 2" }]);
    expect(loads).toBe(2);
  });
});
