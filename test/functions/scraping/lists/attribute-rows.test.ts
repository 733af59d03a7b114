import { describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/** Lists whose rows differ only in attributes: their texts are the same on each page. */

const { engine, site } = await startEngineAndSite();
const PAGES = 4;
const ROWS = 3;
const numbers = (page: number) => Array.from({ length: ROWS }, (_, index) => (page - 1) * ROWS + index + 1);

const run = async (path: string, attribute: string, pagination: Pagination, engineName?: "auto") => {
  const { failure, rows, warnings } = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: ".card", fields: [{ name: "value", selector: ".it", attribute }] },
    ],
    pagination,
    ...(engineName && { engine: engineName }),
  });
  return { failure, warnings, values: rows.map(({ value }) => value) };
};

const all = (value: (number: number) => string) =>
  Array.from({ length: PAGES * ROWS }, (_, index) => value(index + 1));

/** An element whose attribute has the number; an address leads to the site itself. */
const item = (attribute: string, number: number) =>
  attribute === "src"
    ? `<img class=it src=/lamp-${number}.png width=10 height=10>`
    : `<b class=it ${attribute}="Lamp ${number}">Buy</b>`;
const expected = (attribute: string) =>
  all((number) => (attribute === "src" ? site.url(`/lamp-${number}.png`) : `Lamp ${number}`));

const attributes = ["title", "data-name", "aria-label", "style", "src"];

describe("pages whose rows differ only in an attribute", () => {
  test.concurrent.each(
    attributes.flatMap((attribute) => [
      [attribute, "replaced", 300],
      [attribute, "kept", 0],
      [attribute, "kept", 300],
    ]) as [string, "replaced" | "kept", number][],
  )("%s, by a script that leaves the rows %s, after %i ms", async (attribute, rows, delayMs) => {
    const path = site.newPath();
    const cards = (page: number) =>
      numbers(page)
        .map((number) => `<li class=card>${item(attribute, number)}</li>`)
        .join("");
    const pages = Array.from({ length: PAGES }, (_, index) => cards(index + 1));
    const show =
      rows === "replaced"
        ? "list.innerHTML = pages[page];"
        : `const next = document.createElement("ul"); next.innerHTML = pages[page];
           document.querySelectorAll(".it").forEach((it, index) => it.setAttribute("${attribute}", next.querySelectorAll(".it")[index].getAttribute("${attribute}")));`;
    site.setRoute(
      path,
      `<ul>${pages[0]}</ul><button>Next</button><script>
        const pages = ${JSON.stringify(pages)}, list = document.querySelector("ul"), button = document.querySelector("button");
        let page = 0;
        button.onclick = () => setTimeout(() => { page += 1; ${show} if (page === ${PAGES - 1}) button.disabled = true; }, ${delayMs});
      </script>`,
    );
    const told = await run(path, attribute, { type: "next_button", selector: "button" });
    expect(told).toEqual({ failure: undefined, warnings: [], values: expected(attribute) });
  });

  test.concurrent.each(
    attributes.flatMap((attribute) => [
      [attribute, "browser"],
      [attribute, "auto"],
    ]) as [string, "browser" | "auto"][],
  )("%s, on documents of their own, by a link and by addresses, in %s", async (attribute, engineName) => {
    const path = site.newPath();
    for (let page = 1; page <= PAGES + 1; page += 1)
      site.setRoute(
        `${path}/${page}`,
        page > PAGES
          ? "<p>No more."
          : `<ul>${numbers(page)
              .map((number) => `<li class=card>${item(attribute, number)}</li>`)
              .join("")}</ul>${page < PAGES ? `<a href=${page + 1}>Next</a>` : ""}`,
      );
    const mode = engineName === "auto" ? engineName : undefined;
    const right = { failure: undefined, warnings: [], values: expected(attribute) };
    const paginations: Pagination[] = [
      { type: "next_button", selector: "a" },
      { type: "url_template", url: site.url(`${path}/{page}`) },
    ];
    for (const pagination of paginations)
      expect(await run(`${path}/1`, attribute, pagination, mode)).toEqual(right);
  });
});
