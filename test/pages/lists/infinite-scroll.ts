import type { StepOf } from "../../../functions/contract/steps/steps.ts";
import { cardList, cards, lamps, type Page, type Pages, visit } from "../page.ts";

/* Lists that grow when they are scrolled. */

const tall = "<style>.card{display:block;height:120px}</style>";
const pagination = { type: "infinite_scroll" } as const;
const reading = (list: Partial<StepOf<"get_list">>, path = "/") => [visit(path), { ...cardList, ...list }];

/** Adds as many rows as there are at first while the end is in view. */
const observed = ({ first = 10, most = 50, ms = 40, more = "" }): Page => ({
  html: `${tall}${more}<ul id=list>${cards(1, first)}</ul><div id=end>…</div><script>
    let shown = ${first}, coming = false; const end = document.getElementById("end"), list = document.getElementById("list");
    const watch = new IntersectionObserver((entries) => { if (coming || shown >= ${most} || !entries.some((entry) => entry.isIntersecting)) return;
      coming = true;
      setTimeout(() => { for (let i = 0; i < ${first}; i++) { shown++; list.insertAdjacentHTML("beforeend", '<li class="card new"><b>Lamp ' + shown + '</b></li>'); }
        coming = false; watch.unobserve(end); watch.observe(end); }, ${ms}); }); watch.observe(end);</script>`,
  pagination,
  rows: lamps(1, most),
});

/** Gets ten more rows, up to `most`, whenever `box` (an expression) is scrolled to its end. */
const onScroll = (box: string, add: string, most = 50) => `<script>
  let shown = 10, busy = false; const list = document.getElementById("list"), box = ${box};
  const rows = () => Array.from({ length: 10 }, () => '<li class="card">Lamp ' + ++shown + '</li>').join("");
  (box === document.scrollingElement ? window : box).addEventListener("scroll", async () => {
    if (busy || shown >= ${most} || box.scrollTop + box.clientHeight < box.scrollHeight - 150) return;
    busy = true; await new Promise((done) => setTimeout(done, 100)); ${add} busy = false; });</script>`;
const append = 'list.insertAdjacentHTML("beforeend", rows());';
const inWindow = (add: string, css = ""): Page => ({
  html: `${tall}<style>${css}</style><ul id=list>${cards(1, 10)}</ul>${onScroll("document.scrollingElement", add)}`,
  pagination,
  rows: lamps(1, 50),
});

/** Of its rows only those in view exist, in elements that are used again. */
const recycling = (text: string, extra = "") => `
  <style>#box{height:400px;overflow:auto;position:relative}.card{position:absolute;height:40px;left:0;right:0;margin:0}</style>
  <div id=box><div id=space style="height:2400px;position:relative"></div></div><script>
  const box = document.getElementById("box"), space = document.getElementById("space"), pool = [];
  for (let i = 0; i < 16; i++) { const item = document.createElement("p"); item.className = "card"; space.append(item); pool.push(item); }
  const draw = () => { ${extra} const first = Math.max(0, Math.min(60 - 16, Math.floor(box.scrollTop / 40) - 2));
    for (let i = 0; i < 16; i++) { const n = first + i, item = pool[n % 16]; item.style.top = n * 40 + "px"; item.textContent = ${text}; } };
  box.onscroll = () => requestAnimationFrame(draw); draw();</script>`;

/** The same with the sizes in a style sheet, and rows that stay in view and get other texts. */
const sticky = `
  <style>#box{height:400px;overflow:auto}#space{height:2400px}#view{position:sticky;top:0}.card{height:40px;margin:0}</style>
  <div id=box><div id=space><div id=view></div></div></div><script>
  const box = document.getElementById("box"), view = document.getElementById("view");
  for (let i = 0; i < 10; i++) view.append(Object.assign(document.createElement("p"), { className: "card" }));
  const draw = () => { const first = Math.min(50, Math.floor(box.scrollTop / 40));
    for (let i = 0; i < 10; i++) view.children[i].textContent = "Lamp " + (first + i + 1); };
  box.onscroll = () => requestAnimationFrame(draw); draw();</script>`;

/** A box whose content a script moves by the wheel, at once or bit by bit, and that gets more rows at its end. */
const wheeled = (ease: number, below = ""): Page => ({
  html: `${tall}<div id=box style="height:400px;overflow:hidden"><ul id=list>${cards(1, 10)}</ul></div>
  <script>let shown = 10, at = 0, wanted = 0, busy = false;
  const rows = () => Array.from({ length: 10 }, () => '<li class="card">Lamp ' + ++shown + '</li>').join("");
  const move = async () => {
    at = Math.abs(wanted - at) < 1 ? wanted : at + (wanted - at) * ${ease};
    list.style.transform = "translateY(" + -at + "px)";
    if (at !== wanted) requestAnimationFrame(move);
    if (busy || shown >= 30 || at < list.offsetHeight - 550) return;
    busy = true; await fetch("/more-rows"); ${append} busy = false; };
  box.addEventListener("wheel", (event) => { event.preventDefault();
    wanted = Math.max(0, Math.min(list.offsetHeight - 400, wanted + event.deltaY)); move(); }, { passive: false });
  </script>${below}`,
  routes: { "/more-rows": "{}" },
  pagination,
  rows: lamps(1, 30),
});

/** A box whose content a script moves by what it reads of the event. It gets more rows at its end, of which many are equal. */
const wheeledBy = (type: string, delta: string): Page => ({
  html: `<style>#box{height:400px;overflow:hidden}.card{height:40px}</style><div id=box><ul id=list></ul></div>
  <script>let shown = 0, at = 0, busy = false;
  const more = () => { for (let n = 0; n < 20; n++) list.insertAdjacentHTML("beforeend", '<li class="card">Lamp ' + (1 + Math.floor(shown++ / 3)) + '</li>'); busy = false; };
  more();
  box.addEventListener("${type}", (event) => { event.preventDefault();
    at = Math.max(0, Math.min(list.offsetHeight - 400, at + ${delta})); list.style.transform = "translateY(" + -at + "px)";
    if (!busy && shown < 60 && at >= list.offsetHeight - 450) { busy = true; setTimeout(more, 300); } }, { passive: false });</script>`,
  pagination,
  rows: Array.from({ length: 60 }, (_, index) => ({ name: `Lamp ${1 + Math.floor(index / 3)}` })),
});

/** A box whose content a script moves once the wheel is at rest, and that gets more rows each time it is at its end. */
const wheeledAtRest: Page = {
  html: `<style>#box{height:300px;overflow:hidden}.card{height:22px}</style><div id=box><div id=strip><ul id=list>${cards(1, 24)}</ul></div></div>
  <script>let shown = 24, at = 0, timer;
  const box = document.getElementById("box"), strip = document.getElementById("strip"), list = document.getElementById("list");
  const rows = () => Array.from({ length: 12 }, () => '<li class="card">Lamp ' + ++shown + '</li>').join("");
  const rest = async () => { const end = strip.offsetHeight - 300;
    if (shown < 96 && at > end - 40) { await fetch("/more-rows"); ${append} } };
  box.addEventListener("wheel", (event) => { event.preventDefault();
    at = Math.max(0, Math.min(strip.offsetHeight - 300, at + event.deltaY));
    strip.style.transform = "translate(0px, " + -at + "px)"; clearTimeout(timer); timer = setTimeout(rest, 100); }, { passive: false });
  </script>`,
  routes: { "/more-rows": "{}" },
  pagination,
  rows: lamps(1, 96),
};

/** A list of 120 rows that a script moves by the wheel, in 16 elements that are used again. Two neighbours are equal each. */
const wheeledWindow: Page = {
  html: `<style>#box{height:400px;overflow:hidden;position:relative}.card{position:absolute;height:40px;left:0;right:0;top:0;margin:0}</style>
  <div id=box></div><script>
  const box = document.getElementById("box"), pool = [];
  for (let i = 0; i < 16; i++) { const item = document.createElement("p"); item.className = "card"; box.append(item); pool.push(item); }
  let at = 0;
  const draw = () => { const first = Math.max(0, Math.min(120 - 16, Math.floor(at / 40) - 2));
    for (let i = 0; i < 16; i++) { const n = first + i, item = pool[n % 16]; item.style.transform = "translateY(" + (n * 40 - at) + "px)"; item.textContent = "Lamp " + (1 + Math.floor(n / 2)); } };
  box.addEventListener("wheel", (event) => { event.preventDefault();
    at = Math.max(0, Math.min(120 * 40 - 400, at + event.deltaY)); requestAnimationFrame(draw); }, { passive: false });
  draw();</script>`,
  pagination,
  rows: lamps(1, 60).flatMap((row) => [row, row]),
};

/** A list that grows to 60 rows and that a script scrolls by the wheel. At first, it has more rows than later. */
const wheeledWithFewer = (drawn: string): Page => ({
  html: `<style>#box{height:230px;overflow:hidden}.card{height:40px;margin:0}</style><div id=box><div id=list></div></div><script>
  const made = Array.from({ length: 60 }, (_, n) => Object.assign(document.createElement("p"), { className: "card", innerText: "Lamp " + (n + 1) }));
  let loaded = 20;
  const draw = (count) => { const first = Math.max(0, Math.floor(box.scrollTop / 40) - 1), end = Math.min(loaded, first + count);
    list.replaceChildren(...made.slice(first, end)${drawn});
    list.style.padding = first * 40 + "px 0 " + (loaded - end) * 40 + "px"; };
  box.addEventListener("wheel", (event) => { event.preventDefault(); box.scrollTop += event.deltaY;
    if (box.scrollTop + 300 > loaded * 40) loaded = Math.min(60, loaded + 20);
    draw(9); }, { passive: false });
  draw(16);</script>`,
  pagination,
  rows: lamps(1, 60),
});

const box = (css: string, script = "") => `${tall}<style>${css}</style>
  <div id=box class=results><ul id=list>${cards(1, 10)}</ul></div>${onScroll("document.getElementById('box')", append, 30)}<script>${script}</script>`;
const inBox = (selector?: string): Page => ({
  html: box("#box{height:300px;overflow:hidden}.card{height:60px}"),
  pagination: { ...pagination, selector },
  rows: lamps(1, 10),
});

/** Shows its newest rows, at the bottom, as chats do, or those at another position. */
const upward = (css: string, hasOlder: boolean, position = "box.scrollHeight"): Page => ({
  html: `<style>div{height:200px;overflow:auto;${css}}li{height:40px}</style><div><ul></ul></div><script>
    const box = document.querySelector("div"), list = document.querySelector("ul");
    const rows = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => "<li>Lamp " + (from + i) + "</li>").join("");
    let first = 21;
    list.innerHTML = rows(first, 40);
    box.scrollTop = ${position};
    box.onscroll = () => {
      const top = box.scrollHeight - box.clientHeight + (getComputedStyle(box).flexDirection === "column-reverse" ? box.scrollTop : box.scrollTop - box.scrollHeight + box.clientHeight);
      if (${hasOlder} && top < 40 && first > 1) setTimeout(() => { list.insertAdjacentHTML("afterbegin", rows(first - 10, first - 1)); first -= 10; }, 200);
    };</script>`,
  steps: reading({ selector: "li" }),
  pagination,
  rows: lamps(21, 40),
  warnings: hasOlder
    ? [{ code: "rows_may_be_missing", step: 1, message: "older rows when the list is scrolled up" }]
    : [],
});

/** The same, of which only a window exists. It loads ten older rows each time that it is scrolled to its top. */
const upwardWindow: Page = {
  html: `<style>#box{height:200px;overflow:auto}.card{position:absolute;height:40px;left:0;right:0;margin:0}</style>
  <div id=box><div id=space style="position:relative"></div></div><script>
  const box = document.getElementById("box"), space = document.getElementById("space");
  let first = 31, busy = false;
  const draw = () => { const count = 51 - first, from = Math.max(0, Math.floor(box.scrollTop / 40) - 1), to = Math.min(count, from + 7);
    space.style.height = count * 40 + "px";
    space.innerHTML = Array.from({ length: to - from }, (_, i) => '<p class=card style="top:' + (from + i) * 40 + 'px">Lamp ' + (first + from + i) + '</p>').join("");
    if (box.scrollTop > 0 || first === 1 || busy) return;
    busy = true; setTimeout(() => { first -= 10; draw(); box.scrollTop += 400; busy = false; }, 200); };
  space.style.height = "800px"; box.scrollTop = 1e6; draw(); box.addEventListener("scroll", draw);</script>`,
  pagination,
  rows: (rows) => rows.at(-1)?.name === "Lamp 50",
  warnings: [{ code: "rows_may_be_missing", message: "loads older rows" }],
};

/** A board with three columns, each of which gets ten more rows at its own end, up to thirty. */
const board: Page = {
  html: `<style>.column{float:left;width:200px;height:300px;overflow:auto}.card{height:40px}</style><body><script>
  for (let column = 0; column < 3; column++) {
    const box = document.body.appendChild(document.createElement("div"));
    box.className = "column";
    let shown = 0;
    const more = () => { for (let n = 0; n < 10 && shown < 30; n++) box.insertAdjacentHTML("beforeend", "<p class=card>Lamp " + (column * 30 + ++shown) + "</p>"); };
    more();
    box.onscroll = () => { if (box.scrollTop + box.clientHeight > box.scrollHeight - 50) setTimeout(more, 200); };
  }</script>`,
  pagination,
  rows: (rows) => new Set(rows.map(({ name }) => name)).size === 90 && rows.length === 90,
};

/** Three lines of forty rows each, of which only those in view exist. */
const lines: Page = {
  html: `<style>.line{width:400px;height:60px;overflow:auto}.card{position:absolute;width:100px;margin:0}</style><body><script>
  for (let line = 0; line < 3; line++) {
    const box = document.body.appendChild(document.createElement("div"));
    box.className = "line";
    box.innerHTML = '<div style="position:relative;width:4000px;height:40px"></div>';
    const draw = () => { const from = Math.floor(box.scrollLeft / 100), to = Math.min(40, from + 5);
      box.firstChild.innerHTML = Array.from({ length: to - from }, (_, i) => '<p class=card style="left:' + (from + i) * 100 + 'px">Lamp ' + (line * 40 + from + i + 1) + '</p>').join(""); };
    box.onscroll = draw; draw();
  }</script>`,
  rows: (rows) => rows.length < 120,
  warnings: [{ code: "rows_may_be_missing", message: "in 3 boxes that scroll by themselves" }],
};

/** What should bring more rows shows three of them, and then a sign-in in place of all. */
const signIn = `<style>.card{height:400px}</style><ul id=list>${cards(1, 3)}</ul><button id=more>More</button><script>
  let count = 3;
  const grow = () => { count += 3;
    if (count > 6) document.body.innerHTML = "<h1>Sign in to see more</h1>";
    else list.insertAdjacentHTML("beforeend", '${cards(4, 6)}'); };
  more.onclick = grow;
  onscroll = () => { if (innerHeight + scrollY > document.body.scrollHeight - 100) grow(); };</script>`;

export default {
  "a sign-in that takes the place of a list": {
    html: signIn,
    rows: lamps(1, 6),
    warnings: [{ code: "rows_may_be_missing", message: "removed it" }],
    variants: {
      "by scrolling": { pagination },
      "by a button": {
        html: signIn.replace("onscroll", "const unused"),
        pagination: { type: "load_more", field_name: "More" },
      },
    },
  },
  "a page that a person can't scroll any more": {
    variants: {
      "and that keeps the rest of the list back": {
        ...inWindow(`${append} if (shown === 30) { document.body.style.overflow = "hidden"; return; }`),
        rows: lamps(1, 30),
        warnings: [{ code: "rows_may_be_missing", message: "does not let a person scroll the list" }],
      },
      "but whose list goes on": inWindow(
        `${append} if (shown === 30) document.body.style.overflow = "hidden";`,
      ),
    },
  },
  "rows in several boxes": {
    variants: {
      "each of which gets more at its end": board,
      "each of which keeps most of them back": lines,
      "each of which keeps most of them back, scrolled": { ...lines, pagination },
    },
  },
  "rows when the end comes into view": {
    variants: {
      "after 40 ms": observed({}),
      "while it is read for the first time": observed({ first: 5, most: 20, ms: 0 }),
      "just after it was read for the first time": observed({ first: 5, most: 20, ms: 25 }),
      "which alone have to be drawn to be read": {
        ...observed({
          most: 20,
          more: "<style>.new{text-transform:uppercase}</style><object data=none.xyz>Nothing</object>",
        }),
        rows: [...lamps(1, 10), ...lamps(11, 20).map(({ name }) => ({ name: `${name}`.toUpperCase() }))],
      },
      "of a box that is partly below the view": {
        ...observed({ most: 30 }),
        html: `<style>li.card{height:450px}</style><div style="height:600px"></div><div style="height:500px;overflow:auto">${observed({ most: 30 }).html}</div>`,
      },
      "of a frame that is as high as its page": {
        html: "<h1>Lamps</h1><iframe src=/list style='width:100%;border:0'></iframe>",
        routes: {
          "/list": `<!doctype html>${observed({ most: 30 }).html}<script>
            new ResizeObserver(() => { frameElement.style.height = document.documentElement.offsetHeight + "px"; }).observe(document.body);</script>`,
        },
        pagination,
        steps: reading({ frame: "iframe" }),
        rows: lamps(1, 30),
      },
      "by selectors that only Playwright knows": {
        ...observed({ most: 30 }),
        steps: reading({ selector: ".card:visible", fields: [{ name: "name", selector: "text=Lamp" }] }),
      },
    },
  },
  "a body that scrolls itself": {
    html: `${tall}<style>html{height:100%;overflow:hidden}body{height:100%;margin:0;overflow:auto}</style>
      <ul id=list>${cards(1, 10)}</ul>${onScroll("document.body", append, 30)}`,
    pagination,
    rows: lamps(1, 30),
  },
  "a window that its body speaks for": inWindow(append, "body{overflow-y:scroll}"),
  "a page that takes notice of one scroll in a second": {
    html: `${tall}<ul id=list>${cards(1, 10)}</ul><script>let noticed = 0;
      addEventListener("scroll", (event) => {
        if (Date.now() < noticed + 1_000) event.stopImmediatePropagation();
        else noticed = Date.now();
      });</script>${onScroll("document.scrollingElement", append, 30)}`,
    pagination,
    rows: lamps(1, 30),
  },
  "a list in the slot of a shadow root that scrolls": {
    html: `${tall}<x-box id=list>${cards(1, 10)}</x-box><script>document.getElementById("list").attachShadow({ mode: "open" }).innerHTML =
      "<div style='height:400px;overflow:auto'><slot></slot></div>";</script>${onScroll('document.getElementById("list").shadowRoot.firstChild', append, 30)}`,
    pagination,
    rows: lamps(1, 30),
  },
  "a list that": {
    variants: {
      "loses rows at its top": inWindow(
        `${append} while (list.children.length > 30) list.firstChild.remove();`,
      ),
      "is drawn anew with each part": inWindow(
        'rows(); list.innerHTML = Array.from({ length: shown }, (_, index) => "<li class=card>Lamp " + (index + 1) + "</li>").join("");',
      ),
      "shows placeholder rows first":
        inWindow(`const draft = "<li class=card></li>".repeat(10); list.insertAdjacentHTML("beforeend", draft);
        await new Promise((done) => setTimeout(done, 200)); [...list.children].slice(-10).forEach((row) => row.remove()); ${append}`),
      "fills in placeholder rows":
        inWindow(`const draft = "<li class=card></li>".repeat(10); list.insertAdjacentHTML("beforeend", draft);
        await new Promise((done) => setTimeout(done, 200)); [...list.children].slice(-10).forEach((row) => { row.textContent = "Lamp " + ++shown; });`),
      "has rows put in between": {
        ...inWindow(`${append} list.children[3].insertAdjacentHTML("afterend", "<li class=card></li>");`),
        rows: [1, 11, 21, 31, 41].flatMap((from) => [
          ...(from > 1 ? [{ name: "" }] : []),
          ...lamps(from, from + 9),
        ]),
        warnings: [{ code: "rows_empty", count: 4 }],
      },
    },
  },
  "a window of rows in elements that are used again": {
    steps: reading({}),
    pagination,
    variants: {
      "": { html: recycling('"Lamp " + (n + 1)'), rows: lamps(1, 60) },
      "found by Playwright": {
        html: recycling('"Lamp " + (n + 1)'),
        steps: reading({ selector: ".card:visible" }),
        rows: lamps(1, 60),
      },
      "that say nothing of the space that is free": { html: sticky, rows: lamps(1, 60) },
      "that are all equal": { html: recycling('"In stock"'), rows: Array(60).fill({ name: "In stock" }) },
      "some of which are yet to come": {
        html: recycling(
          "n < come ? 'Lamp ' + (n + 1) : ''",
          "if (!pool.asked && box.scrollTop / 40 + 16 > (self.come ??= 16)) { pool.asked = true; setTimeout(() => { pool.asked = false; come += 16; draw(); }, 200); }",
        ),
        rows: lamps(1, 60),
      },
    },
  },
  "placeholders that become rows only while they are in view": {
    html: `${tall}<main></main><script>
      const fill = new IntersectionObserver((entries) => { for (const { isIntersecting, target } of entries) if (isIntersecting) {
        fill.unobserve(target); target.innerHTML = '<p class=card>Lamp ' + target.id + '</p>'; } });
      for (let n = 1; n <= 50; n++) { const place = document.createElement("div"); place.id = n; place.style.minHeight = "120px";
        place.textContent = "Lamps are loading …"; document.querySelector("main").append(place); fill.observe(place); }</script>`,
    pagination,
    rows: lamps(1, 50),
  },
  "blank rows that are filled in view": {
    html: `<main></main><p id=end>…</p><script>
      const fill = new IntersectionObserver((entries) => { for (const { isIntersecting, target } of entries)
        if (isIntersecting) target.textContent = "Lamp " + target.id; });
      let count = 0;
      const add = () => { for (const to = count + 7; count < to; ) { const row = document.createElement("p"); row.className = "card";
        row.id = ++count; row.style.minHeight = "400px"; document.querySelector("main").append(row); fill.observe(row); } };
      const grow = new IntersectionObserver(([{ isIntersecting }]) => { if (!isIntersecting || count === 21) return;
        add(); grow.unobserve(end); grow.observe(end); });
      add(); grow.observe(end);</script>`,
    pagination,
    rows: lamps(1, 21),
  },
  "a list that a script moves by the wheel": {
    variants: {
      "at once, in a page that scrolls": wheeled(1, '<p style="height:3000px">More</p>'),
      "bit by bit": wheeled(0.1),
      "with rows that come once it is at rest": wheeledAtRest,
      "with equal rows": wheeledBy("wheel", "event.deltaY"),
      "by a property of old browsers": wheeledBy("wheel", "-event.wheelDelta"),
      "by an event of old browsers": wheeledBy("mousewheel", "-event.wheelDelta"),
      "and that recycles its rows": wheeledWindow,
      "and that has fewer rows from then on": wheeledWithFewer(""),
      "and that draws all rows anew, fewer from then on": wheeledWithFewer(
        ".map((row) => row.cloneNode(true))",
      ),
    },
  },
  "a list whose script leaves the wheel to the browser at the end": {
    html: `${tall}<div id=box style="height:700px;overflow:hidden"><ul id=list>${cards(1, 10)}</ul></div>
      ${onScroll("document.getElementById('box')", append, 30).replace(
        "</script>",
        `box.addEventListener("wheel", (event) => { box.scrollTop += event.deltaY;
          if (box.scrollTop + box.clientHeight < box.scrollHeight) event.preventDefault(); }, { passive: false });</script>`,
      )}`,
    pagination,
    rows: lamps(1, 30),
  },
  "a box that is made to scroll after its rows came": {
    html: box(
      ".scrolls{height:300px;overflow:auto}",
      "setTimeout(() => { box.className = 'scrolls'; }, 1200);",
    ),
    pagination,
    rows: lamps(1, 30),
  },
  "a box that only the scraper names": {
    variants: {
      "not named": inBox(),
      named: { ...inBox("#box"), rows: lamps(1, 30) },
      "named for Playwright": { ...inBox("div.results:visible"), rows: lamps(1, 30) },
      missing: { ...inBox("#none"), failure: { code: "element_not_found", message: "#none" } },
      invalid: { ...inBox("#none["), failure: { code: "invalid_step", message: /^#none\[ is/ } },
    },
  },
  "a list with its newest rows at the bottom": {
    variants: {
      "and older ones above": upward("", true),
      "and older ones above, reversed": upward("display:flex;flex-direction:column-reverse", true),
      "and older ones above, from its middle": upward("", true, "300"),
      "and older ones above, of which it tells": {
        ...upward("", true),
        html: `<p>21–40 of 40</p>${upward("", true).html}`,
      },
      "that is whole": upward("", false),
      "of which only a window exists, and older ones above": upwardWindow,
    },
  },
} satisfies Pages;
