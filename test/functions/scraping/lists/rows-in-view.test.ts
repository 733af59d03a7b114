import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { sendHtml } from "../../../site/site.ts";
import { items, names, startItemSite } from "../page/item-site.ts";

/* Rows that get their values once they come into view. */

const { engine, site, scrape } = await startItemSite();

const get: Step = {
  type: "get_list",
  selector: ".item",
  fields: [
    { name: "name", selector: "b" },
    { name: "image", selector: "img", attribute: "src" },
  ],
};

/** Rows with an image, whose address stands elsewhere until the page shows it. */
const lazyItems = (count: number, style: string, { from = 0, between = "" } = {}) =>
  Array.from(
    { length: count },
    (_, index) =>
      `<div class=item style="${style}"><b>Item ${index}</b>${between}<img ${index < from ? "" : "data-"}src="/${index}.png"></div>`,
  ).join("");

/** Shows an image once it is in view. */
const SHOW = `<script>const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all)
  if (isIntersecting && target.dataset.src) target.src = target.dataset.src; });
  for (const image of document.images) seeing.observe(image);</script>`;

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Item ${index}`, image: site.url(`/${index}.png`) }));

function scrapeImages(html: string, step = get) {
  const path = site.newPath();
  site.setRoute(path, html);
  return engine.run({ steps: [{ type: "visit", url: site.url(path) }, step] });
}

test.concurrent("rows that are only visible once they came into view", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<style>.item{height:90px;visibility:hidden}.in{visibility:inherit}</style>${items(30)}<script>
    const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all)
      if (isIntersecting) target.classList.add("in"); });
    for (const row of document.querySelectorAll(".item")) seeing.observe(row);</script>`,
  );
  expect(await scrape(path)).toMatchObject({ rows: names(30), warnings: [] });
});

/** Hides elements until they are scrolled into view, as WOW.js does. */
const HIDE = `<script>addEventListener("load", () => { let hasScrolled = true;
  const boxes = new Set(document.querySelectorAll(".wow")); for (const box of boxes) box.style.visibility = "hidden";
  addEventListener("scroll", () => { hasScrolled = true; });
  setInterval(() => { if (hasScrolled) for (const box of boxes) { const { top, bottom } = box.getBoundingClientRect();
    if (top < innerHeight && bottom > 0) { box.style.visibility = "visible"; boxes.delete(box); } } hasScrolled = false; }, 50);
  });</script>`;
const people = (rowClass: string, textClass: string) =>
  ["Ann", "Bob", "Cyd", "Dan"]
    .map(
      (name) =>
        `<div class="item ${rowClass}" style="height:200px"><b>${name}</b><p class="${textClass}">Role of ${name}</p></div>`,
    )
    .join("");

test.concurrent.each([
  ["as rows, all of them below the window", `<div style="height:1500px"></div>${people("wow", "")}`],
  ["as a part of each row", `<div style="height:1500px"></div>${people("", "wow")}`],
  ["as a part of the last rows", `<div style="height:300px"></div>${people("", "wow")}`],
  [
    "as a whole, with space around them",
    `<div style="height:1500px"></div><div class=wow style="padding:150px 0">${people("", "")}</div>`,
  ],
])("texts that are hidden %s until they come into view", async (_, html) => {
  const fields = [{ name: "name", selector: "b" }, { name: "role", selector: "p" }, { name: "text" }];
  const told = await scrapeImages(`<!doctype html>${html}<footer>End</footer>${HIDE}`, { ...get, fields });
  const wanted = ["Ann", "Bob", "Cyd", "Dan"].map((name) => ({
    name,
    role: `Role of ${name}`,
    text: `${name}\n\nRole of ${name}`,
  }));
  expect(told).toMatchObject({ rows: wanted, warnings: [] });
});

test.concurrent("parts of one text that are hidden until they come into view", async () => {
  const parts = ["One", "Two", "Three", "Four"];
  const path = site.newPath();
  site.setRoute(
    path,
    `<!doctype html><main>${parts.map((part) => `<p class=wow style="height:700px">${part}</p>`).join("")}</main>${HIDE}`,
  );
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_text", field_name: "text", selector: "main" },
    ],
  });
  expect(told).toMatchObject({ rows: [{ text: parts.join("\n\n") }], failure: undefined });
});

test.concurrent("images that load once nobody has scrolled for a while", async () => {
  const told = await scrapeImages(`${lazyItems(60, "height:100px")}<script>
    let timer; const load = () => { clearTimeout(timer); timer = setTimeout(() => {
      for (const image of document.querySelectorAll("img:not([src])")) { const { top, bottom } = image.getBoundingClientRect();
        if (top < innerHeight && bottom > 0) image.src = image.dataset.src; } }, 100); };
    addEventListener("scroll", load); load();</script>`);
  expect(told).toMatchObject({ rows: rows(60), warnings: [] });
});

test.concurrent.each([
  ["behind many that need not", lazyItems(60, "height:100px", { from: 45 }), 60],
  ["in a long list", lazyItems(150, "height:500px"), 150],
  [
    "in a list that is scrolled sideways",
    `<div style="display:flex;overflow:auto;width:600px">${lazyItems(30, "flex:0 0 200px;height:300px")}</div>`,
    30,
  ],
  [
    "in a list that only a script moves sideways",
    `<div style="display:flex;overflow:hidden;width:600px">${lazyItems(30, "flex:0 0 200px;height:300px")}</div>`,
    30,
  ],
  [
    "in several lists that are scrolled by themselves",
    `<div style="display:flex">${[0, 1, 2]
      .map(
        (box) =>
          `<div style="overflow:auto;height:300px">${lazyItems(60, "height:90px")
            .split(/(?=<div class=item)/)
            .slice(20 * box, 20 * box + 20)
            .join("")}</div>`,
      )
      .join("")}</div>`,
    60,
  ],
  ["at the end of high rows", lazyItems(8, "", { between: "<p style='height:1500px'>Text</p>" }), 8],
  [
    "in rows without a box of their own",
    lazyItems(40, "display:contents", { between: "<p style='height:200px'>" }),
    40,
  ],
])("images that come into view %s", async (_, html, count) => {
  const told = await scrapeImages(html + SHOW);
  expect(told).toMatchObject({ rows: rows(count), warnings: [] });
});

test.concurrent.each([
  [
    "that replace another one",
    "src",
    'src="/blank.gif" data-src="/N.png"',
    "element.src = element.dataset.src",
  ],
  [
    "that replace one of their own",
    "src",
    'src="/small-N.png" data-src="/N.png"',
    "element.src = element.dataset.src",
  ],
  [
    "that replace one without saying so",
    "src",
    'src="/blank.gif" id=N',
    'element.src = "/" + element.id + ".png"',
  ],
  [
    "with a srcset",
    "srcset",
    'srcset="/s.png 1x" data-srcset="/N.png"',
    "element.srcset = element.dataset.srcset",
  ],
  ["as a text", undefined, "id=N", 'element.textContent = "/" + element.id + ".png"'],
  ["as a text in place of dots", undefined, "id=N", 'element.textContent = "/" + element.id + ".png"', "…"],
  [
    "as a text in place of a word",
    undefined,
    "id=N",
    'element.textContent = "/" + element.id + ".png"',
    "Please wait",
  ],
  [
    "in an element that comes with it",
    undefined,
    "id=N",
    'element.innerHTML = "<i>/" + element.id + ".png</i>"',
    "",
    "i",
  ],
])("values of rows %s once they come into view", async (_, attribute, html, fill, text = "", inside = "") => {
  const tag = attribute === undefined ? "span" : "img";
  const item = (n: number) =>
    `<div class=item style="height:100px"><b>Item ${n}</b><${tag} ${html.replaceAll("N", `${n}`)}>${text && `${text}</${tag}>`}</div>`;
  const told = await scrapeImages(
    `<div>${Array.from({ length: 40 }, (_, n) => item(n)).join("")}</div><script>
    const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target: element } of all)
      if (isIntersecting) { ${fill}; seeing.unobserve(element); } });
    for (const element of document.querySelectorAll("${tag}")) seeing.observe(element);</script>`,
    { ...get, fields: [{ name: "value", selector: `${tag} ${inside}`, attribute }] },
  );
  const shown = (n: number) => (attribute === "src" ? site.url(`/${n}.png`) : `/${n}.png`);
  expect(told.rows).toEqual(Array.from({ length: 40 }, (_, n) => ({ value: shown(n) })));
  expect(told.warnings).toEqual([]);
});

test.concurrent("images of a carousel that are loaded on demand cause a warning with their attribute", async () => {
  const told = await scrapeImages(
    `<div style="overflow:hidden;width:600px"><div style="display:flex">${Array.from(
      { length: 12 },
      (_, n) =>
        `<div class=item style="flex:0 0 200px"><b>Item ${n}</b><img ${n < 3 ? "src" : "data-lazy"}="/${n}.png"></div>`,
    ).join("")}</div></div><script>onkeydown = () => {}</script>`,
  );
  expect(told.rows.slice(0, 3)).toEqual(rows(3));
  const [warning] = told.warnings;
  expect(told.warnings).toMatchObject([{ code: "values_may_be_missing", step: 1, field: "image", count: 9 }]);
  expect(warning?.message).toContain('add a field with "attribute": "data-lazy"');
});

test.concurrent("numbers that are counted up once they come into view", async () => {
  const told = await scrapeImages(
    `<div style="height:3000px">Welcome</div>${[120, 34, 5600].map((n) => `<div class=item><b>0 sold</b><i data-n=${n}></i></div>`).join("")}<script>
    const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target: row } of all) if (isIntersecting) {
      seeing.unobserve(row); let start; const end = +row.querySelector("i").dataset.n;
      requestAnimationFrame(function step(now) { start ??= now; const part = Math.min(1, (now - start) / 1500);
        row.querySelector("b").textContent = Math.round(part * end) + " sold"; if (part < 1) requestAnimationFrame(step); }); } });
    for (const row of document.querySelectorAll(".item")) seeing.observe(row);</script>`,
    { ...get, fields: [{ name: "count", selector: "b" }] },
  );
  expect(told).toMatchObject({
    rows: [{ count: "120 sold" }, { count: "34 sold" }, { count: "5600 sold" }],
    warnings: [],
  });
});

const mixed = [120, 34, 5600, 7, 81, 2_048, 12, 999];
/** The slowest ones stay zero for long. */
const small = [2, 3, 2, 4, 3, 2, 3, 5];
const zerosFirst = [...Array.from({ length: 14 }, () => 0), 3, 2, 120, 4, 2, 3, 5, 2, 3];

test.concurrent.each([
  { delay: 0, numbers: mixed },
  { delay: 150, numbers: mixed },
  { delay: 0, numbers: small },
  { delay: 150, numbers: small },
  { delay: 0, numbers: zerosFirst },
])(
  "numbers that are counted up in view, and go back to zero $delay ms after they are out of view: $numbers",
  async ({ delay, numbers }) => {
    const told = await scrapeImages(
      `${numbers.map((n) => `<div class=item style="height:300px"><b>0</b><i data-n=${n}></i></div>`).join("")}<script>
    const frames = new Map(), timers = new Map(); const show = (row, n) => { row.querySelector("b").textContent = n; };
    const reset = (row) => { cancelAnimationFrame(frames.get(row)); show(row, 0); };
    const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target: row } of all) {
      clearTimeout(timers.get(row));
      if (!isIntersecting) { timers.set(row, setTimeout(reset, ${delay}, row)); continue; }
      reset(row);
      let start; const end = +row.querySelector("i").dataset.n;
      const step = (now) => { start ??= now; const part = Math.min(1, (now - start) / 2500); show(row, Math.round(part * end));
        if (part < 1) frames.set(row, requestAnimationFrame(step)); };
      frames.set(row, requestAnimationFrame(step)); } });
    for (const row of document.querySelectorAll(".item")) seeing.observe(row);</script>`,
      { ...get, timeout_ms: 60_000, fields: [{ name: "count", selector: "b" }] },
    );
    expect(told).toMatchObject({ rows: numbers.map((n) => ({ count: `${n}` })), warnings: [] });
  },
);

test.concurrent("images that load once the one in their place has a size", async () => {
  const place = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
  const item = (n: number) =>
    `<div class=item><b>Item ${n}</b><img src="${place}" data-src="/${n}.png"></div>`;
  const told = await scrapeImages(`${[0, 1, 2].map(item).join("")}<script>onload = () => setTimeout(() => {
    for (const image of document.images) if (image.offsetWidth > 0 && image.offsetHeight > 0) image.src = image.dataset.src; });</script>`);
  expect(told).toMatchObject({ rows: rows(3), warnings: [] });
});

test.concurrent("images of a short list that load once nobody has scrolled for a while", async () => {
  const told =
    await scrapeImages(`<header style="height:1200px">Lamps</header>${lazyItems(12, "height:300px")}<script>
    let timer; addEventListener("scroll", () => { clearTimeout(timer); timer = setTimeout(() => {
      for (const image of document.querySelectorAll("img:not([src])")) { const { top, bottom } = image.getBoundingClientRect();
        if (top < innerHeight && bottom > 0) image.src = image.dataset.src; } }, 250); });</script>`);
  expect(told).toMatchObject({ rows: rows(12), warnings: [] });
});

test.concurrent("images of a later page, after pages whose rows lack one anyway", async () => {
  const path = site.newPath();
  // The images of the first pages are in view and never get an address; those of the last one are not in view at first.
  const bodies = [1, 2, 3].map((page) =>
    page < 3
      ? "<div class=item><b>None</b><img></div><div class=item><b>No other</b><img></div>"
      : `<header style="height:2000px">Lamps</header>${lazyItems(20, "height:300px")}`,
  );
  site.setRoute(path, (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const next = page < 3 ? `<a class=next href="?page=${page + 1}">Next</a>` : "";
    const row = `<div class=item><b>Page ${page}</b><img src="/p.png"></div>`;
    sendHtml(response, `<div>${row}${bodies[page - 1]}</div>${next}${SHOW}`);
  });
  const told = await engine.run({
    steps: [{ type: "visit", url: site.url(path) }, get],
    pagination: { type: "next_button", selector: ".next" },
  });
  expect(told.rows.slice(-20)).toEqual(rows(20));
});

test.concurrent("a list that has more views than there is time for causes a warning", async () => {
  const told = await scrapeImages(lazyItems(150, "height:500px") + SHOW, { ...get, timeout_ms: 500 });
  expect(told.rows).toHaveLength(150);
  expect(told.rows.at(-1)).toEqual({ name: "Item 149" });
  expect(told.warnings).toMatchObject([{ code: "values_may_be_missing", step: 1 }]);
});

test.concurrent("rows that come by themselves before others are brought into view", async () => {
  const told = await scrapeImages(`<div id=list></div><script>(async () => { for (let n = 0; n < 40; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, n % 10 ? 10 : 300));
    list.insertAdjacentHTML("beforeend", "<div class=item><b>Item " + n + "</b></div>"); } })();</script>`);
  expect(told.rows).toEqual(Array.from({ length: 40 }, (_, index) => ({ name: `Item ${index}` })));
});

test.concurrent("values of a growing list that come once a row is in view", async () => {
  const path = site.newPath();
  site.setRoute("/more", (_, response) => void setTimeout(() => response.end(), 250));
  site.setRoute(
    path,
    `<h1 style="height:100px">Lamps</h1><div id=list></div><p id=end>End</p><script>
    const list = document.getElementById("list");
    const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target: row } of all)
      if (isIntersecting) { row.querySelector("i").textContent = row.dataset.price; seeing.unobserve(row); } });
    const add = async () => { await fetch("/more"); for (let n = list.children.length, to = n + 12; n < to && n < 48; n += 1) {
      list.insertAdjacentHTML("beforeend", \`<div class=item data-price=\${n}.50 style="height:80px"><b>Item \${n}</b><i></i></div>\`);
      seeing.observe(list.lastChild); } };
    new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) add(); }).observe(document.getElementById("end"));</script>`,
  );
  const fields = [
    { name: "name", selector: "b" },
    { name: "price", selector: "i" },
  ];
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { ...get, fields },
    ],
    pagination: { type: "infinite_scroll" },
  });
  const wanted = Array.from({ length: 48 }, (_, n) => ({ name: `Item ${n}`, price: `${n}.50` }));
  expect(told).toMatchObject({ rows: wanted, warnings: [] });
});
