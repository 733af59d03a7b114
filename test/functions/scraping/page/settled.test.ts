import { describe, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { items, names, startItemSite } from "./item-site.ts";

/* Pages that show something first, and what is right later. */

const { engine, site } = await startItemSite();

site.setRoute("/price", (_, response) => {
  setTimeout(() => response.writeHead(200, { "content-type": "text/plain" }).end("5 EUR"), 300);
});

const OLD = items(3).replaceAll("Item", "Old");
/** What brings the right content, given the script that shows it. */
const WAYS = {
  "a timer": (show: string) => `setTimeout(() => { ${show} }, 2000)`,
  "a chain of timers": (show: string) =>
    `let count = 0; const next = () => { if (++count < 10) setTimeout(next, 150); else { ${show} } }; next();`,
  "an idle moment": (show: string) => `setTimeout(() => requestIdleCallback(() => { ${show} }), 200)`,
  "a request that a timer makes": (show: string) =>
    `setTimeout(async () => { const text = await (await fetch("/price")).text(); ${show} }, 800)`,
  "a request": (show: string) =>
    `fetch("/price").then((answer) => answer.text()).then((text) => { ${show} })`,
};

const list: Step = { type: "get_list", selector: ".item", fields: [{ name: "name" }] };

describe.each(Object.entries(WAYS))(
  "what is shown by %s is read, and not what was there before",
  (_, later) => {
    const setPage = (path: string, body: string, show: string) =>
      site.setRoute(path, `<body>${body}<script>${later(show)}</script>`);
    const showItems = `document.body.innerHTML = ${JSON.stringify(items(3))};`;

    test.concurrent("in a list", async () => {
      const path = site.newPath();
      setPage(path, OLD, showItems);
      for (const selector of [".item", ".item:visible"]) {
        const told = await engine.run({
          steps: [
            { type: "visit", url: site.url(path) },
            { ...list, selector },
          ],
        });
        expect(told.rows).toEqual(names(3));
      }
    });

    test.concurrent("on each page of a list", async () => {
      const path = site.newPath();
      for (const page of [1, 2, 3, 4, 5])
        setPage(path + page, OLD, showItems.replaceAll("Item", `Page ${page}, item`));
      const pagination = { type: "url_template", url: `${site.url(path)}{page}`, max_pages: 5 } as const;
      const told = await engine.run({ steps: [list], pagination });
      expect(told.rows.map(({ name }) => name)).toEqual(
        [1, 2, 3, 4, 5].flatMap((page) => [1, 2, 3].map((item) => `Page ${page}, item ${item}`)),
      );
    });

    test.concurrent("in a frame", async () => {
      const [path, frame] = [site.newPath(), site.newPath()];
      setPage(frame, OLD, showItems);
      site.setRoute(path, `<iframe src="${frame}"></iframe>`);
      const told = await engine.run({
        steps: [
          { type: "visit", url: site.url(path) },
          { ...list, frame: "iframe" },
        ],
      });
      expect(told.rows).toEqual(names(3));
    });

    test.concurrent("in details", async () => {
      const path = site.newPath();
      const numbers = [1, 2, 3, 4, 5, 6];
      site.setRoute(path, numbers.map((n) => `<a class=item href="${path}${n}">Item ${n}</a>`).join(""));
      for (const n of numbers)
        setPage(
          `${path}${n}`,
          `<h1>Item ${n}</h1><b>Loading</b><p></p>`,
          `document.querySelector("b").textContent = "${n} EUR"; document.querySelector("p").innerHTML = "<i>New</i>";`,
        );
      const details = {
        url_field: "url",
        fields: [
          { name: "title", selector: "h1" },
          { name: "price", selector: "b" },
          { name: "state", selector: "i" },
        ],
      };
      const fields = [{ name: "url", attribute: "href" }];
      const told = await engine.run({
        steps: [{ type: "visit", url: site.url(path) }, { ...list, fields, details } as Step],
      });
      expect(told.rows).toMatchObject(
        numbers.map((n) => ({ title: `Item ${n}`, price: `${n} EUR`, state: "New" })),
      );
    });

    test.concurrent("as a text", async () => {
      const path = site.newPath();
      setPage(path, "<b>Loading</b>", 'document.querySelector("b").textContent = "5 EUR";');
      const told = await engine.run({
        steps: [
          { type: "visit", url: site.url(path) },
          { type: "get_text", field_name: "price", selector: "b" },
        ],
      });
      expect(told.rows).toEqual([{ price: "5 EUR" }]);
    });
  },
);
