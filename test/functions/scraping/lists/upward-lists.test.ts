import { expect, test } from "@jest/globals";
import { startEngineAndSite } from "../engine-and-site.ts";

/** Lists that show their newest rows at the bottom, as chats do. */

const { engine, site } = await startEngineAndSite();

const page = (
  css: string,
  older: boolean,
) => `<style>div{height:200px;overflow:auto;${css}}li{height:40px}</style>
  <div><ul></ul></div><script>
    const box = document.querySelector("div"), list = document.querySelector("ul");
    const rows = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => "<li>Message " + (from + i) + "</li>").join("");
    let first = 21;
    list.innerHTML = rows(first, 40);
    box.scrollTop = box.scrollHeight;
    box.onscroll = () => {
      const top = box.scrollHeight - box.clientHeight + (getComputedStyle(box).flexDirection === "column-reverse" ? box.scrollTop : box.scrollTop - box.scrollHeight + box.clientHeight);
      if (${older} && top < 40 && first > 1) setTimeout(() => { list.insertAdjacentHTML("afterbegin", rows(first - 10, first - 1)); first -= 10; }, 200);
    };
  </script>`;

const run = (html: string) => {
  const path = site.newPath();
  site.setRoute(path, html);
  return engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: "li", fields: [{ name: "text" }] },
    ],
    pagination: { type: "infinite_scroll" },
  });
};

test.concurrent.each([
  ["that is scrolled to its end", ""],
  ["that is reversed", "display:flex;flex-direction:column-reverse"],
])("a list %s and has older rows above: the run says so", async (_, css) => {
  const { failure, rows, warnings } = await run(page(css, true));
  expect(failure).toBeUndefined();
  expect(rows.length).toBeGreaterThanOrEqual(20);
  expect(warnings).toEqual([
    {
      code: "rows_may_be_missing",
      step: 1,
      message: expect.stringContaining("older rows when the list is scrolled up"),
    },
  ]);
});

test.concurrent("a list that is scrolled to its end, and is whole, has no warning", async () => {
  const { failure, rows, warnings } = await run(page("", false));
  expect({ failure, warnings, rows: rows.length }).toEqual({ failure: undefined, warnings: [], rows: 20 });
});
