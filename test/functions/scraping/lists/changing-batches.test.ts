import { expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import { startEngineAndSite } from "../engine-and-site.ts";
import { cards, numbers, startCardSite } from "./card-site.ts";

/** Lists whose batches change rows that are there already, or that come otherwise than at the end. */

const { site, scrape } = await startCardSite();
const { engine, site: pictures } = await startEngineAndSite();
const button: Pagination = { type: "load_more", selector: "#more" };
const scrolling: Pagination = { type: "infinite_scroll" };

/** Runs `step` at each press of a button, until 16 rows have come. */
const onPress = (step: string) => `<ul id=list>${cards(1, 4)}</ul><button id=more>More</button><script>
  const list = document.getElementById("list"), more = document.getElementById("more"); let shown = 4;
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const card = (n) => '<li class="card">Lamp ' + n + "</li>";
  const cards = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => card(from + index)).join("");
  more.onclick = async () => { ${step}; if (shown >= 16) more.remove(); };</script>`;

/** Runs `step` whenever the window is scrolled to its end, until 40 rows have come. */
const onScroll = (step: string, { html = "", css = "" } = {}) => `<style>.card{height:100px}${css}</style>
  <ul id=list>${cards(1, 10)}</ul>${html}<script>
  const list = document.getElementById("list"); let shown = 10, busy = false;
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const cards = () => Array.from({ length: 10 }, () => '<li class="card">Lamp ' + ++shown + "</li>").join("");
  const grow = async () => { if (busy || shown >= 40) return; busy = true; ${step}; busy = false; };
  const atEnd = () => { if (innerHeight + scrollY > document.documentElement.scrollHeight - 100) grow(); };</script>`;

test.concurrent("rows that only say that more come, in place of which these come", async () => {
  const path = site.newPath();
  const loading = "<li class='card soon'>Loading…</li>";
  site.setRoute(
    path,
    onScroll(
      `list.insertAdjacentHTML("beforeend", "${loading}".repeat(3)); await sleep(200);
      for (const row of document.querySelectorAll(".soon")) row.remove(); list.insertAdjacentHTML("beforeend", cards())`,
    ).replace("</script>", 'addEventListener("scroll", atEnd);</script>'),
  );
  const told = await scrape(path, scrolling);
  expect(told).toMatchObject({ warnings: [], names: numbers(1, 40) });
});

test.concurrent("a row that says that more come, and goes with the last of them", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    onScroll(
      `await sleep(50); soon.insertAdjacentHTML("beforebegin", cards()); if (shown >= 40) soon.remove()`,
    ).replace(
      "</script>",
      `const soon = document.createElement("li"); soon.className = "card"; soon.textContent = "Loading…"; list.append(soon);
      new IntersectionObserver(([seen]) => { if (seen.isIntersecting) grow(); }).observe(soon);</script>`,
    ),
  );
  const told = await scrape(path, scrolling);
  expect(told.warnings).toEqual([]);
  expect(told.names.filter((name) => name !== "Loading…")).toEqual(numbers(1, 40));
});

test.concurrent("rows that the page takes away again because it has them already", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    onPress(`await sleep(50); list.insertAdjacentHTML("beforeend", cards(shown, shown + 4)); shown += 4; await sleep(50);
      const known = new Set(); for (const row of [...list.children]) if (known.has(row.textContent)) row.remove(); else known.add(row.textContent)`),
  );
  const told = await scrape(path, button);
  expect(told).toMatchObject({ warnings: [], names: numbers(1, 16) });
});

test.concurrent("a list that is made anew in another order", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    onPress(`await sleep(50); shown += 4;
      list.innerHTML = Array.from({ length: shown }, (_, index) => shown - index).map(card).join("")`),
  );
  const told = await scrape(path, button);
  expect(told.warnings).toEqual([]);
  expect(told.names.toSorted()).toEqual(numbers(1, 16).toSorted());
});

test.concurrent("a list that is made anew, where one of its rows has another text", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    onPress(
      `await sleep(50); shown += 4; list.innerHTML = cards(1, shown).replace("Lamp 2<", "Lamp 2, sold<")`,
    ),
  );
  const told = await scrape(path, button);
  expect(told).toMatchObject({ warnings: [], names: numbers(1, 16) });
});

/** After `ms`, the last `count` rows are made anew. */
const remake = (count: number, ms: number) =>
  `const came = [...list.children].slice(-${count});
  setTimeout(() => { for (const row of came) row.replaceWith(row.cloneNode(true)); }, ${ms})`;

test.concurrent.each([0, 16, 700])("rows of a press that are made anew after %i ms", async (ms) => {
  const path = site.newPath();
  site.setRoute(
    path,
    onPress(
      `list.insertAdjacentHTML("beforeend", cards(shown + 1, shown + 4)); shown += 4; ${remake(4, ms)}`,
    ),
  );
  const told = await scrape(path, button);
  expect(told).toMatchObject({ warnings: [], names: numbers(1, 16) });
});

test.concurrent.each([0, 16, 700])("rows of a scroll that are made anew after %i ms", async (ms) => {
  const path = site.newPath();
  site.setRoute(
    path,
    onScroll(`list.insertAdjacentHTML("beforeend", cards()); ${remake(10, ms)}`).replace(
      "</script>",
      'addEventListener("scroll", atEnd);</script>',
    ),
  );
  const told = await scrape(path, scrolling);
  expect(told).toMatchObject({ warnings: [], names: numbers(1, 40) });
});

test.concurrent("a longer list of other texts, which may be the same rows: the run says so", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    onPress(
      `await sleep(50); shown += 4; list.innerHTML = cards(1, shown).replaceAll("<", " of " + shown + "<")`,
    ),
  );
  const told = await scrape(path, button);
  expect(told.warnings.map(({ code }) => code)).toContain("rows_may_be_missing");
});

/** After 0.7 s, the first `count` rows say something else. */
const sellLater = (count: number) =>
  `setTimeout(() => { for (const row of [...list.children].slice(0, ${count})) row.textContent += ", sold"; }, 700)`;
/** How many of them are as they were. On a slow machine, the last rows may be read after the change. */
const unsold = (names: unknown[], count: number) =>
  names.slice(0, count).filter((name) => !/, sold$|^LAMP /.test(String(name))).length;
const press = (step: string) =>
  onPress(
    `await sleep(50); list.insertAdjacentHTML("beforeend", cards(shown + 1, shown + 4)); shown += 4; ${step}`,
  );
const scroll = (step: string) =>
  onScroll(`await sleep(50); list.insertAdjacentHTML("beforeend", cards()); ${step}`).replace(
    "</script>",
    'addEventListener("scroll", atEnd);</script>',
  );

test.concurrent.each([
  [
    "three rows, with a batch after two that changed nothing, by a button",
    button,
    press(`if (shown === 12) ${sellLater(3)}`),
    3,
    16,
  ],
  ["all rows, with the last batch, by a button", button, press(`if (shown === 16) ${sellLater(16)}`), 16, 16],
  [
    "all rows, with the last batch, by scrolling",
    scrolling,
    scroll(`if (shown === 40) ${sellLater(40)}`),
    40,
    40,
  ],
  [
    "all rows, by a class of what is around them",
    button,
    `<style>.sale{text-transform:uppercase}</style>${press('if (shown === 16) setTimeout(() => list.classList.add("sale"), 700)')}`,
    16,
    16,
  ],
  [
    "all rows, by an attribute of what is beside them",
    button,
    `<style>.sale~ul{text-transform:uppercase}</style><p id=flag></p>${press('if (shown === 16) setTimeout(() => flag.classList.add("sale"), 700)')}`,
    16,
    16,
  ],
  [
    "all rows, by a rule of a style sheet",
    button,
    `<style></style>${press('if (shown === 16) setTimeout(() => document.styleSheets[0].insertRule("li{text-transform:uppercase}"), 700)')}`,
    16,
    16,
  ],
] as const)("a timer changes %s: the run says so", async (_, pagination, html, changed, count) => {
  const path = site.newPath();
  site.setRoute(path, html);
  const told = await scrape(path, pagination);
  expect(told.names).toHaveLength(count);
  expect(told.warnings).toMatchObject([
    { code: "rows_changed", step: 1, count: unsold(told.names, changed) },
  ]);
});

test.concurrent("rows whose values go on changing have no final ones", async () => {
  const path = site.newPath();
  const tick = `setInterval(() => { for (const row of list.children)
    row.textContent = 1000 - Math.floor(performance.now() / 100) + " s left"; }, 100)`;
  site.setRoute(path, press(`if (shown === 12) ${tick}`));
  const told = await scrape(path, button);
  expect(told.names).toHaveLength(16);
  expect(told.warnings).toEqual([]);
});

test.concurrent("rows that a limit ends, and that a timer changes after they were read", async () => {
  const path = site.newPath();
  site.setRoute(path, press(`if (shown === 12) ${sellLater(12)}`));
  const told = await scrape(path, button, 12);
  expect(told.warnings).toMatchObject([{ code: "rows_changed", step: 1, count: unsold(told.names, 12) }]);
});

test.concurrent.each([
  ["far above the end of the page", { html: "<footer style='height:3000px'>Contact</footer>" }],
  [
    "at the top of a box that is drawn upwards",
    { css: "#list{height:300px;overflow:auto;display:flex;flex-direction:column-reverse}.card{flex:none}" },
  ],
])("a list that grows once its last row is seen, %s", async (_, page) => {
  const path = site.newPath();
  site.setRoute(
    path,
    onScroll('await sleep(50); list.insertAdjacentHTML("beforeend", cards()); watch()', page).replace(
      "</script>",
      `const seeing = new IntersectionObserver(([seen]) => { if (seen.isIntersecting) grow(); });
      const watch = () => { seeing.disconnect(); seeing.observe(list.lastElementChild); }; watch();</script>`,
    ),
  );
  const told = await scrape(path, scrolling);
  expect(told).toMatchObject({ warnings: [], names: numbers(1, 40) });
});

test.concurrent("a row that comes after a press while others are filled, and that is the last", async () => {
  const path = pictures.newPath();
  pictures.setRoute(
    path,
    `<ul id=list></ul><button id=more>More</button><script>
    const list = document.getElementById("list"), more = document.getElementById("more");
    const card = (n) => '<li class="card"><b>' + (n ? "Lamp " + n : "") + "</b><a href=/p>more</a></li>";
    const add = async (from, to) => { for (let n = from; n <= to; n += 1) {
      list.insertAdjacentHTML("beforeend", card(0)); await new Promise((done) => setTimeout(done, 50));
      list.lastElementChild.outerHTML = card(n); } };
    add(1, 2); more.onclick = async () => { await add(3, 4); more.remove(); };</script>`,
  );
  const fields = [{ name: "name", selector: "b" }];
  const told = await engine.run({
    steps: [
      { type: "visit", url: pictures.url(path) },
      { type: "get_list", selector: ".card", fields },
    ],
    pagination: button,
  });
  expect(told).toMatchObject({ rows: numbers(1, 4).map((name) => ({ name })), warnings: [] });
});

const EMPTY = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
/** A list whose pictures get their address, and whose texts are filled in, once they come into view. */
const lazy = (control: string, step: string) => `<ul id=list></ul>${control}<script>
  const list = document.getElementById("list"); let shown = 0, busy = false;
  const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all) if (isIntersecting) {
    target.querySelector("img").src = "/picture-" + target.id; target.querySelector("b").textContent = "Lamp " + target.id; } });
  const add = () => { for (let count = 0; count < 8; count += 1) { shown += 1;
    list.insertAdjacentHTML("beforeend", '<li class=card style="height:300px" id=' + shown + '><b>…</b><img src="${EMPTY}"></li>');
    seeing.observe(list.lastElementChild); } };
  add(); ${step}</script>`;

test.concurrent.each([
  ["by a button", button, "<button id=more>More</button>", "document.getElementById('more').onclick = grow;"],
  ["by scrolling", scrolling, "", 'addEventListener("scroll", atEnd);'],
])("rows that are filled once they come into view, added %s", async (_, pagination, control, start) => {
  const path = pictures.newPath();
  const step = `const grow = () => { if (busy || shown >= 32) return; busy = true; setTimeout(() => { add(); busy = false;
      if (shown >= 32) document.getElementById("more")?.remove(); }, 50); };
    const atEnd = () => { if (innerHeight + scrollY > document.documentElement.scrollHeight - 100) grow(); }; ${start}`;
  pictures.setRoute(path, lazy(control, step));
  const told = await engine.run({
    steps: [
      { type: "visit", url: pictures.url(path) },
      {
        type: "get_list",
        selector: ".card",
        fields: [
          { name: "name", selector: "b" },
          { name: "picture", selector: "img", attribute: "src" },
        ],
      },
    ],
    pagination,
    rowsLimit: 100,
  });
  const rows = numbers(1, 32).map((name, index) => ({
    name,
    picture: pictures.url(`/picture-${index + 1}`),
  }));
  expect(told).toMatchObject({ warnings: [], rows });
});
