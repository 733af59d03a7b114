import { expect, test } from "@jest/globals";
import { MARK } from "../../../../functions/scraping/page-script/protocol.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/* Elements of selectors that only Playwright can evaluate are marked, then read. A page may change between the two. */

const { engine, site } = await startEngineAndSite();

/** A page that changes once, as soon as something is marked. */
const onMark = (html: string, change: string) => `${html}<script>
  new MutationObserver((_, observer) => { observer.disconnect(); ${change} })
    .observe(document, { subtree: true, attributeFilter: ["${MARK}"] });</script>`;

test("a row that comes", async () => {
  const path = site.newPath();
  const row = (n: number) => `<p class=item>Item ${n}</p>`;
  site.setRoute(
    path,
    onMark(`<main>${row(1)}${row(2)}</main>`, `document.querySelector("main").innerHTML += "${row(3)}";`),
  );
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: ".item:visible", fields: [{ name: "name" }] },
    ],
  });
  expect(told.warnings).toEqual([]);
  expect(told.rows).toEqual([1, 2, 3].map((n) => ({ name: `Item ${n}` })));
});

test("an element of a detail page that is replaced", async () => {
  const [path, detail] = [site.newPath(), site.newPath()];
  site.setRoute(path, `<p class=item>Lamp <a href="${detail}">more</a></p>`);
  site.setRoute(
    detail,
    onMark(
      "<h1>Lamp</h1><b>5 EUR</b>",
      'const price = document.querySelector("b"); price.replaceWith(Object.assign(document.createElement("b"), { textContent: "5 EUR" }));',
    ),
  );
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      {
        type: "get_list",
        selector: ".item",
        fields: [{ name: "url", selector: "a", attribute: "href" }],
        details: {
          url_field: "url",
          fields: [
            { name: "title", selector: "h1" },
            { name: "price", selector: "b:visible" },
          ],
        },
      },
    ],
  });
  expect(told.warnings).toEqual([]);
  expect(told.rows).toEqual([{ url: site.url(detail), title: "Lamp", price: "5 EUR" }]);
});
