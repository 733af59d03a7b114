import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { sendHtml } from "../../../site/site.ts";
import { items, list, names, startItemSite } from "./item-site.ts";

/* Content that is not there when the document is. */

const { engine, site, scrape } = await startItemSite();

test.concurrent("a list that is rendered late", async () => {
  site.setRoute(
    "/late",
    `<div id=root></div><script>setTimeout(() => { root.innerHTML = ${JSON.stringify(items(3))}; }, 700)</script>`,
  );
  expect((await scrape("/late")).rows).toEqual(names(3));
});

test.concurrent("an answer that comes in pieces, with pauses between its rows and before its next link", async () => {
  site.setRoute("/pieces", async (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).write("<p class=item>Item 1</p>");
    await sleep(1_600);
    response.write("<p class=item>Item 2</p>");
    await sleep(3_600);
    response.end("<a class=next href=/pieces2>Next</a>");
  });
  site.setRoute("/pieces2", "<p class=item>Item 3</p>");
  const told = await engine.run({
    steps: [{ type: "visit", url: site.url("/pieces") }, { ...list, timeout_ms: 10_000 } as Step],
    pagination: { type: "next_button", selector: ".next" },
  });
  expect(told).toMatchObject({ failure: undefined, rows: names(3), warnings: [] });
});

test.concurrent("an answer that never ends", async () => {
  site.setRoute("/endless", (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).write(items(5));
  });
  const { rows, warnings } = await scrape("/endless");
  expect(rows).toEqual(names(5));
  expect(warnings).toMatchObject([{ code: "rows_may_be_missing", step: 1 }]);
});

test.concurrent("an old list is not taken for the new one that a step brings", async () => {
  site.setRoute(
    "/search",
    `<input aria-label=Search><div id=out>${items(3)}</div><script>
    document.querySelector("input").oninput = (event) => { clearTimeout(window.t); window.t = setTimeout(async () => {
      const text = await (await fetch("/find?q=" + event.target.value)).text(); document.getElementById("out").innerHTML = text; }, 250); };</script>`,
  );
  site.setRoute("/find", (_, response) => {
    setTimeout(() => sendHtml(response, "<p class=item>Found</p>"), 200);
  });
  const told = await scrape("/search", { type: "write_input", field_name: "Search", value: "lamp" });
  expect(told.rows).toEqual([{ name: "Found" }]);
});

test.concurrent("an old value is not taken for the one that comes with data, or with the page that these lead to", async () => {
  const answers = { "/here-then": "heading.textContent = 'New'", "/there-then": "location = '/new'" };
  site.setRoute("/new", "<h1 id=heading>New</h1>");
  site.setRoute("/data", async (_, response) => {
    await sleep(600);
    sendHtml(response, "{}");
  });
  for (const [path, then] of Object.entries(answers)) {
    site.setRoute(
      path,
      `<h1 id=heading>Old</h1><button onclick="fetch('/data').then(() => { ${then} })">Go</button>`,
    );
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url(path) },
        { type: "click", field_name: "Go" },
        { type: "get_text", field_name: "title", selector: "h1" },
      ],
    });
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual([{ title: "New" }]);
  }
});

test.concurrent("a page that is left at the very end of a wait for its list leaves it to the next page", async () => {
  site.setRoute("/went", items(2));
  site.setRoute(
    "/going",
    `${items(1)}<button onclick="setTimeout(() => { location = '/went'; }, 100)">Go</button><script>
    onpagehide = () => { const end = Date.now() + 1000; while (Date.now() < end); };</script>`,
  );
  const told = await scrape("/going", { type: "click", field_name: "Go" });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(2));
});

test.concurrent("an input that has another name once it has the focus", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<label for=day>Day</label> <input id=day><div id=list></div><script>
    day.onfocus = () => day.setAttribute("aria-label", "Use the arrow keys");
    day.onkeydown = ({ key }) => { if (key === "Enter") list.innerHTML = ${JSON.stringify(items(2))}; };</script>`,
  );
  const told = await scrape(path, { type: "write_input", field_name: "Day", value: "x", submit: true });
  expect(told).toMatchObject({ failure: undefined, rows: names(2) });
});
