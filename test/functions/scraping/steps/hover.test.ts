import { expect, test } from "@jest/globals";
import { startOnPage } from "./on-page.ts";

const { engine, onPage, site } = await startOnPage();

const cssMenu = `<style>nav ul { display: none } nav:hover ul { display: block }</style>
  <nav><a href="#" aria-label="Departments">☰</a><ul><li><a href="#" onclick="note('lamps')">Lamps</a></ul></nav>`;
const scriptedMenu = `<div id=menu><button>Departments</button><div id=list hidden><p onclick="note('lamps')">Lamps</p></div></div>
  <script>
    let timer;
    menu.onmouseenter = () => { clearTimeout(timer); timer = setTimeout(() => { list.hidden = false; }, 200); };
    menu.onmouseleave = () => { clearTimeout(timer); timer = setTimeout(() => { list.hidden = true; }, 50); };
  </script>`;

test.concurrent.each([
  ["styles", cssMenu],
  ["scripts", scriptedMenu],
])("a menu that %s open under the pointer stays open for the click that follows", async (_, html) => {
  const click = { type: "click", field_name: "Lamps", timeout_ms: 5_000 } as const;
  expect((await onPage(html, click)).failure).toMatchObject({ code: "element_not_found" });
  const told = await onPage(html, { type: "hover", field_name: "Departments" }, click);
  expect(told.failure).toBeUndefined();
  expect(told.log).toBe("lamps;");
});

test.concurrent("by selector, in a frame", async () => {
  site.setRoute("/menu", `<b onmouseenter="this.textContent = 'Open'">Menu</b>`);
  const told = await onPage(
    `<iframe src="/menu"></iframe>`,
    { type: "hover", selector: "b", frame: "iframe" },
    { type: "get_text", field_name: "menu", selector: "b", frame: "iframe" },
  );
  expect(told.rows).toEqual([{ menu: "Open", log: "" }]);
});

test.concurrent("an old list is not taken for the one that is loaded under the pointer", async () => {
  site.setRoute(
    "/tabs",
    `<b>Lamps</b><ul id=out><li>Old</li></ul><script>
    document.querySelector("b").onmouseenter = () => setTimeout(async () => {
      out.innerHTML = await (await fetch("/lamps")).text(); }, 200);</script>`,
  );
  site.setRoute("/lamps", (_, response) => {
    setTimeout(() => response.end("<li>New</li>"), 200);
  });
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url("/tabs") },
      { type: "hover", selector: "b" },
      { type: "get_list", selector: "li", fields: [{ name: "name" }] },
    ],
  });
  expect(told.rows).toEqual([{ name: "New" }]);
});

test.concurrent("what is not there is reported, or skipped where it is optional", async () => {
  const hover = { type: "hover", field_name: "Menu", timeout_ms: 1_500 } as const;
  expect((await onPage("", hover)).failure).toMatchObject({
    code: "element_not_found",
    step: 1,
    message: expect.stringContaining('no element to hover over called "Menu"'),
  });
  expect((await onPage("", { ...hover, optional: true })).failure).toBeUndefined();
});
