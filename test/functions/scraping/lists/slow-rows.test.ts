import { describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import type { Step } from "../../../../functions/contract/steps.ts";
import { names, startItemSite } from "../page/item-site.ts";

/* Lists whose pages and batches take their time: their rows come one after another, or are filled later. */

const { engine, site } = await startItemSite();

/** How a page adds the rows `from` to `to` to `list`. */
const ADDS = {
  "come one after another": `setTimeout(() => { list.append(row("Item " + n)); }, (n - from) * 300);`,
  "are filled by a timer": `const added = row("Wait"); list.append(added); setTimeout(() => { added.textContent = "Item " + n; }, 1500);`,
};
const withRows = (add: string) => `<div id=list></div><script>
  const row = (text) => Object.assign(document.createElement("p"), { className: "item", textContent: text });
  const add = (from, to) => { for (let n = from; n <= to; n += 1) { ${add} } };`;

const PAGES: Record<string, { pagination: Pagination; page: (add: string) => string }> = {
  load_more: {
    pagination: { type: "load_more", selector: "#more" },
    page: (add) => `<button id=more>More</button>${withRows(add)} let count = 5; add(1, 5);
      more.onclick = () => { add(count + 1, count + 5); count += 5; if (count === 40) more.remove(); };</script>`,
  },
  infinite_scroll: {
    pagination: { type: "infinite_scroll" },
    page: (
      add,
    ) => `<style>.item { height: 150px }</style>${withRows(add)} let count = 10; add(1, 10); let isBusy = false;
      onscroll = () => {
        if (isBusy || count === 40 || innerHeight + scrollY < document.body.scrollHeight - 50) return;
        isBusy = true;
        setTimeout(() => { add(count + 1, count + 10); count += 10; isBusy = false; }, 300);
      };</script>`,
  },
  next_button: {
    pagination: { type: "next_button", selector: "#next" },
    page: (add) => `<button id=next>Next</button>${withRows(add)} let page = 1; add(1, 5);
      next.onclick = () => { page += 1; list.replaceChildren(); add(page * 5 - 4, page * 5); if (page === 8) next.remove(); };</script>`,
  },
};

const cases = Object.entries(PAGES).flatMap(([type, { pagination, page }]) =>
  Object.entries(ADDS).flatMap(([how, add]) =>
    [".item", ".item:visible"].map((selector) => ({ type, pagination, how, selector, html: page(add) })),
  ),
);

test.concurrent.each(cases)("$type: rows that $how ($selector)", async ({ pagination, selector, html }) => {
  const path = site.newPath();
  site.setRoute(path, html);
  const list: Step = { type: "get_list", selector, fields: [{ name: "name" }] };
  const told = await engine.run({ steps: [{ type: "visit", url: site.url(path) }, list], pagination });
  expect(told.rows).toEqual(names(40));
  expect(told.warnings).toEqual([]);
});

test.concurrent.each([".item", ".item:visible"])(
  "a row that a timer takes away, on a page with a request that never ends (%s)",
  async (selector) => {
    const [path, endless] = [site.newPath(), site.newPath()];
    site.setRoute(endless, () => {});
    const html = `<style>.item { height: 400px }</style>${withRows('list.append(row("Item " + n));')}
      const addTwice = async (from, to) => { add(from, to); add(from, from); const { lastElementChild } = list;
        await new Promise((done) => setTimeout(done, 2500)); lastElementChild.remove(); };
      fetch("${endless}").catch(() => {});
      let isBusy = true; addTwice(1, 3).then(() => { isBusy = false; });
      onscroll = async () => {
        if (isBusy || list.children.length > 3 || innerHeight + scrollY < document.body.scrollHeight - 150) return;
        isBusy = true; await addTwice(4, 6);
      };</script>`;
    site.setRoute(path, html);
    const list: Step = { type: "get_list", selector, fields: [{ name: "name" }] };
    const steps = [{ type: "visit", url: site.url(path) } as const, list];
    const told = await engine.run({ steps, pagination: { type: "infinite_scroll" } });
    expect(told).toMatchObject({ rows: names(6), warnings: [] });
  },
);

describe("rows that were still coming when the list was read for the last time cause a warning", () => {
  const run = async (html: string) => {
    const path = site.newPath();
    site.setRoute(path, html);
    return engine.run({
      steps: [
        { type: "visit", url: site.url(path) },
        { type: "get_list", selector: ".item", fields: [{ name: "name" }], timeout_ms: 3_000 },
      ],
    });
  };
  const warning = {
    code: "rows_may_be_missing",
    message: expect.stringContaining("was still loading when the list was read for the last time"),
  };
  const add = `let n = 0; const add = () => { n += 1;
    document.querySelector("main").insertAdjacentHTML("beforeend", "<p class=item>Item " + n + "</p>"); };`;

  test("by a timer without end", async () => {
    const told = await run(`<main></main><script>${add} setInterval(add, 2000); add();</script>`);
    expect(told.warnings).toMatchObject([warning]);
    expect(told.rows.length).toBeGreaterThan(10);
  });

  test("by an answer that arrives in parts", async () => {
    const stream = site.newPath();
    site.setRoute(stream, (_, response) => {
      response.write("1");
      const parts = setInterval(() => response.write("1"), 500);
      response.on("close", () => clearInterval(parts));
    });
    const told = await run(`<main></main><script type=module>${add}
      const reader = (await fetch("${stream}")).body.getReader();
      for (;;) { await reader.read(); add(); }</script>`);
    expect(told.warnings).toMatchObject([warning]);
    expect(told.rows.length).toBeGreaterThan(3);
  });
});
