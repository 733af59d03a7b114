import { expect, test } from "@jest/globals";
import { cards, numbers, startCardSite } from "./card-site.ts";

const { site, scrape } = await startCardSite();

test.concurrent("a list that grows when its end comes into view", async () => {
  site.setRoute(
    "/grow",
    `<style>.card{height:120px}</style><ul id=list>${cards(1, 10)}</ul><div id=end>…</div><script>
    let shown = 10; const end = document.getElementById("end"), list = document.getElementById("list");
    const watch = new IntersectionObserver((entries) => { if (!entries[0].isIntersecting || shown >= 50) return;
      setTimeout(() => { for (let i = 0; i < 10; i++) { shown++; list.insertAdjacentHTML("beforeend", '<li class="card">Lamp ' + shown + '</li>'); }
        watch.unobserve(end); watch.observe(end); }, 40); }); watch.observe(end);</script>`,
  );
  const told = await scrape("/grow", { type: "infinite_scroll" });
  expect(told.names).toEqual(numbers(1, 50));
});

/** A list that gets ten more rows, up to 50, whenever `box` (an expression) is scrolled to its end. */
const onScroll = (box: string, add: string) => `<script>
  let shown = 10, busy = false; const list = document.getElementById("list"), box = ${box};
  const rows = () => Array.from({ length: 10 }, () => '<li class="card">Lamp ' + ++shown + '</li>').join("");
  (box === document.scrollingElement ? window : box).addEventListener("scroll", async () => {
    if (busy || shown >= 50 || box.scrollTop + box.clientHeight < box.scrollHeight - 150) return;
    busy = true; await new Promise((done) => setTimeout(done, 100)); ${add} busy = false; });</script>`;
const tall = "<style>.card{display:block;height:120px}</style>";
const append = 'list.insertAdjacentHTML("beforeend", rows());';

test.concurrent.each([
  ["a body that scrolls itself", "html{height:100%;overflow:hidden}body{height:100%;margin:0;overflow:auto}"],
  ["a window that its body speaks for", "body{overflow-y:scroll}"],
])("%s", async (_, css) => {
  const box = css.startsWith("html") ? "document.body" : "document.scrollingElement";
  const path = site.newPath();
  site.setRoute(path, `${tall}<style>${css}</style><ul id=list>${cards(1, 10)}</ul>${onScroll(box, append)}`);
  expect((await scrape(path, { type: "infinite_scroll" })).names).toEqual(numbers(1, 50));
});

test.concurrent("a page that takes notice of one scroll in a second", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `${tall}<ul id=list>${cards(1, 10)}</ul><script>let noticed = 0;
    addEventListener("scroll", (event) => {
      if (Date.now() < noticed + 1_000) event.stopImmediatePropagation();
      else noticed = Date.now();
    });</script>${onScroll("document.scrollingElement", append)}`,
  );
  expect((await scrape(path, { type: "infinite_scroll" })).names).toEqual(numbers(1, 50));
});

test.concurrent("a list in the slot of a shadow root that scrolls", async () => {
  site.setRoute(
    "/slot",
    `${tall}<x-box id=list>${cards(1, 10)}</x-box><script>document.getElementById("list").attachShadow({ mode: "open" }).innerHTML =
    "<div style='height:400px;overflow:auto'><slot></slot></div>";</script>${onScroll('document.getElementById("list").shadowRoot.firstChild', append)}`,
  );
  expect((await scrape("/slot", { type: "infinite_scroll" })).names).toEqual(numbers(1, 50));
});

test.concurrent.each([
  ["loses rows at its top", `${append} while (list.children.length > 30) list.firstChild.remove();`],
  [
    "shows placeholder rows first",
    `const draft = "<li class=card></li>".repeat(10); list.insertAdjacentHTML("beforeend", draft);
    await new Promise((done) => setTimeout(done, 200)); [...list.children].slice(-10).forEach((row) => row.remove()); ${append}`,
  ],
  [
    "fills in placeholder rows",
    `const draft = "<li class=card></li>".repeat(10); list.insertAdjacentHTML("beforeend", draft);
    await new Promise((done) => setTimeout(done, 200)); [...list.children].slice(-10).forEach((row) => { row.textContent = "Lamp " + ++shown; });`,
  ],
  [
    "has rows put in between",
    `${append} list.children[3].insertAdjacentHTML("afterend", "<li class=card></li>");`,
  ],
])("a list that %s", async (_, add) => {
  const path = site.newPath();
  site.setRoute(path, `${tall}<ul id=list>${cards(1, 10)}</ul>${onScroll("document.scrollingElement", add)}`);
  const told = await scrape(path, { type: "infinite_scroll" });
  expect(told.names.filter((name) => name !== "")).toEqual(numbers(1, 50));
});

test.concurrent("a window of rows of which some are yet to come", async () => {
  const page = recycling(60, "n < come ? 'Lamp ' + (n + 1) : ''").replace(
    "const draw = () => {",
    "let come = 16; const draw = () => { if (!pool.asked && box.scrollTop / 40 + 16 > come) { pool.asked = true; setTimeout(() => { pool.asked = false; come += 16; draw(); }, 200); }",
  );
  site.setRoute("/yet-to-come", page);
  expect((await scrape("/yet-to-come", { type: "infinite_scroll" })).names).toEqual(numbers(1, 60));
});

/** A list of which only the rows in view exist, in elements that are used again. */
const recycling = (count: number, text: string) => `
  <style>#box{height:400px;overflow:auto;position:relative}.card{position:absolute;height:40px;left:0;right:0;margin:0}</style>
  <div id=box><div id=space style="height:${count * 40}px;position:relative"></div></div><script>
  const box = document.getElementById("box"), space = document.getElementById("space"), pool = [];
  for (let i = 0; i < 16; i++) { const item = document.createElement("p"); item.className = "card"; space.append(item); pool.push(item); }
  const draw = () => { const first = Math.max(0, Math.min(${count} - 16, Math.floor(box.scrollTop / 40) - 2));
    pool.forEach((item) => {}); for (let i = 0; i < 16; i++) { const n = first + i, item = pool[n % 16]; item.style.top = n * 40 + "px"; item.textContent = ${text}; } };
  box.onscroll = () => requestAnimationFrame(draw); draw();</script>`;

test.concurrent("a list that uses its elements again", async () => {
  site.setRoute("/recycle", recycling(120, '"Lamp " + (n + 1)'));
  expect((await scrape("/recycle", { type: "infinite_scroll" })).names).toEqual(numbers(1, 120));
});

test.concurrent("equal rows in a list that uses its elements again", async () => {
  site.setRoute("/recycle-equal", recycling(90, '"In stock"'));
  expect((await scrape("/recycle-equal", { type: "infinite_scroll" })).names).toHaveLength(90);
});

/** A box whose content a script moves by the wheel, at once or bit by bit, and that gets more rows at its end. */
const wheeled = (
  ease: number,
) => `${tall}<div id=box style="height:400px;overflow:hidden"><ul id=list>${cards(1, 10)}</ul></div>
  <script>let shown = 10, at = 0, wanted = 0, busy = false;
  const rows = () => Array.from({ length: 10 }, () => '<li class="card">Lamp ' + ++shown + '</li>').join("");
  const move = async () => {
    at = Math.abs(wanted - at) < 1 ? wanted : at + (wanted - at) * ${ease};
    list.style.transform = "translateY(" + -at + "px)";
    if (at !== wanted) requestAnimationFrame(move);
    if (busy || shown >= 50 || at < list.offsetHeight - 550) return;
    busy = true; await fetch("/more-rows"); ${append} busy = false; };
  box.addEventListener("wheel", (event) => { event.preventDefault();
    wanted = Math.max(0, Math.min(list.offsetHeight - 400, wanted + event.deltaY)); move(); }, { passive: false });
  </script>`;

test.concurrent.each([
  ["at once", wheeled(1)],
  ["bit by bit", wheeled(0.1)],
  ["in a page that scrolls", `${wheeled(1)}<p style="height:3000px">More</p>`],
])("a list that a script moves by the wheel, %s", async (_, html) => {
  const path = site.newPath();
  site.setRoute(path, html);
  site.setRoute("/more-rows", "{}");
  const told = await scrape(path, { type: "infinite_scroll" });
  expect(told.names).toEqual(numbers(1, 50));
});

test.concurrent("a list whose script leaves the wheel to the browser at the end", async () => {
  const path = site.newPath();
  const wheel = `box.addEventListener("wheel", (event) => { box.scrollTop += event.deltaY;
    if (box.scrollTop + box.clientHeight < box.scrollHeight) event.preventDefault(); }, { passive: false });`;
  site.setRoute(
    path,
    `${tall}<div id=box style="height:700px;overflow:hidden"><ul id=list>${cards(1, 10)}</ul></div>
    ${onScroll("document.getElementById('box')", append).replace("</script>", `${wheel}</script>`)}`,
  );
  const told = await scrape(path, { type: "infinite_scroll" });
  expect(told.names).toEqual(numbers(1, 50));
});
