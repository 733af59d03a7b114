import { setTimeout as sleep } from "node:timers/promises";
import type { ListField, Step, StepOf } from "../../../functions/contract/steps/steps.ts";
import { sendHtml } from "../../site/site.ts";
import { lamps, type Page, type Pages, pageOf, SITE, visit } from "../page.ts";

/* Rows that get their values once they come into view. */

const image = { name: "image", selector: "img", attribute: "src" };
const reading = (fields: ListField[], list: Partial<StepOf<"get_list">> = {}): Step[] => [
  visit(),
  { type: "get_list", selector: ".item", fields, ...list },
];
const times = (count: number, of: (n: number) => string, from = 0) =>
  Array.from({ length: count }, (_, index) => of(from + index)).join("");

/** Rows with an image, whose address stands elsewhere until the page shows it. */
const lazyItems = (count: number, style: string, { from = 0, between = "", start = 0 } = {}) =>
  times(
    count,
    (n) =>
      `<div class=item style="${style}"><b>Item ${n}</b>${between}<img ${n < from ? "" : "data-"}src="/${n}.png"></div>`,
    start,
  );
const images = (count: number, start = 0) =>
  Array.from({ length: count }, (_, n) => ({ name: `Item ${start + n}`, image: `${SITE}/${start + n}.png` }));
const lazy = (html: string, count: number, more: Page = {}): Page => ({
  html,
  steps: reading([{ name: "name", selector: "b" }, image]),
  rows: images(count),
  ...more,
});

/** Shows an image once it is in view. */
const SHOW = `<script>const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all)
  if (isIntersecting && target.dataset.src) target.src = target.dataset.src; });
  for (const image of document.images) seeing.observe(image);</script>`;
/** Shows the images in view once nobody has scrolled for a while. */
const showAtRest = (ms: number, atOnce = "") => `<script>
  let timer; const load = () => { clearTimeout(timer); timer = setTimeout(() => {
    for (const image of document.querySelectorAll("img:not([src])")) { const { top, bottom } = image.getBoundingClientRect();
      if (top < innerHeight && bottom > 0) image.src = image.dataset.src; } }, ${ms}); };
  addEventListener("scroll", load); ${atOnce}</script>`;

/** Hides elements until they are scrolled into view, as WOW.js does. */
const HIDE = `<script>addEventListener("load", () => { let hasScrolled = true;
  const boxes = new Set(document.querySelectorAll(".wow")); for (const box of boxes) box.style.visibility = "hidden";
  addEventListener("scroll", () => { hasScrolled = true; });
  setInterval(() => { if (hasScrolled) for (const box of boxes) { const { top, bottom } = box.getBoundingClientRect();
    if (top < innerHeight && bottom > 0) { box.style.visibility = "visible"; boxes.delete(box); } } hasScrolled = false; }, 50);
  });</script>`;
const NAMES = ["Ann", "Bob", "Cyd", "Dan"];
const people = (rowClass: string, textClass: string) =>
  NAMES.map(
    (name) =>
      `<div class="item ${rowClass}" style="height:200px"><b>${name}</b><p class="${textClass}">Role of ${name}</p></div>`,
  ).join("");
const hiddenTexts = (html: string): Page => ({
  html: `<!doctype html>${html}<footer>End</footer>${HIDE}`,
  steps: reading([{ name: "name", selector: "b" }, { name: "role", selector: "p" }, { name: "text" }]),
  rows: NAMES.map((name) => ({ name, role: `Role of ${name}`, text: `${name}\n\nRole of ${name}` })),
});

/** Scripts that fill an element once it is in view. */
const byObserver = (fill: string) => `const seeing = new IntersectionObserver((all) => {
    for (const { isIntersecting, target: element } of all) if (isIntersecting) { ${fill}; seeing.unobserve(element); } });
  for (const element of document.querySelectorAll(".fill")) seeing.observe(element);`;
const byScrolling = (
  fill: string,
) => `const show = () => { for (const element of document.querySelectorAll(".fill")) {
    const { top, bottom } = element.getBoundingClientRect(); if (top < innerHeight && bottom > 0) { ${fill} } } };
  addEventListener("scroll", show); show();`;

/** Rows of which `fill`, a script, sets the value of an element once it is in view. */
function filled(
  markup: (n: number) => string,
  fill: string,
  field: Partial<ListField>,
  shown = (n: number) => `/${n}.png`,
  watch = byObserver,
): Page {
  return {
    html: `<div>${times(15, (n) => `<div class=item style="height:150px"><b>Item ${n}</b>${markup(n)}</div>`)}</div><script>${watch(fill)}</script>`,
    steps: reading([{ name: "value", selector: ".fill", ...field }]),
    rows: Array.from({ length: 15 }, (_, n) => ({ value: shown(n) })),
  };
}
const absolute = (n: number) => `${SITE}/${n}.png`;

/** Numbers that are counted up in view, and go back to zero when they are out of view. */
const counted = (numbers: number[], delay: number): Page => ({
  html: `${numbers.map((n) => `<div class=item style="height:300px"><b>0</b><i data-n=${n}></i></div>`).join("")}<script>
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
  steps: reading([{ name: "count", selector: "b" }], { timeout_ms: 60_000 }),
  rows: numbers.map((n) => ({ count: `${n}` })),
});
const MIXED = [120, 34, 5600, 7, 81, 2_048];
/** Why a page is slow. */
const SLOW = "it counts by frames, which take real time";
/** The slowest ones stay zero for long. */
const SMALL = [2, 3, 2, 4, 3, 2, 3, 5];
const ZEROS_FIRST = [...Array.from({ length: 14 }, () => 0), 3, 2, 120, 4, 2, 3, 5, 2, 3];

/** Rows whose content the browser skips until they are near the view. TYPE stands for the event that tells of it. */
const laidOut = (script: string, attribute = ""): Page => ({
  html: `<style>.card { content-visibility: auto; contain-intrinsic-height: 300px }</style><script>
    const fill = ({ target, skipped }) => { if (!skipped) target.textContent = "Lamp " + target.id; };</script>
    <ul id=list>${times(15, (n) => `<li class=card id=${n + 1} ${attribute}>Lamp</li>`)}</ul>
    <script>${script}</script>`.replaceAll("TYPE", "contentvisibilityautostatechange"),
});

/** Takes a while on any machine. The page's own time stands still meanwhile. */
const BUSY =
  "<script>let sum = 0; addEventListener('scroll', () => { for (let n = 0; n < 3e7; n += 1) sum += n % 7; });</script>";

/** Of images that the page takes notice of and never shows: how many come into view makes no difference to the rows. */
const tooMany = (script = "", routes: Page["routes"] = {}): Page => ({
  html: lazyItems(150, "height:500px") + SHOW.replace("target.src =", "target.alt =") + BUSY + script,
  routes,
  steps: reading([{ name: "name", selector: "b" }, image], { timeout_ms: 500 }),
  rows: images(150).map(({ name }) => ({ name })),
  warnings: [
    { code: "values_may_be_missing", step: 1, message: "more rows than can be scrolled into view in time" },
    { code: "field_empty", field: "image" },
  ],
});

export default {
  "suggestions that a page behind the last one draws once they come into view are no rows": {
    routes: {
      "/": (request, response) => {
        const page = pageOf(request);
        const rows = lamps(page * 3 - 2, page * 3).map(({ name }) => `<div class=item>${name}</div>`);
        sendHtml(
          response,
          page < 3
            ? rows.join("")
            : `<p style="height: 3000px">That is all.<section style="min-height: 50px"></section>
              <script>new IntersectionObserver(([{ isIntersecting, target }]) => {
                if (isIntersecting) target.innerHTML = "<div class=item>Other</div>";
              }).observe(document.querySelector("section"));</script>`,
        );
      },
    },
    steps: reading([{ name: "name" }]),
    pagination: { type: "url_template", url: `${SITE}/?page={page}` },
    rows: lamps(1, 6),
  },
  "rows that are only visible once they came into view": {
    html: `<style>.item{height:90px;visibility:hidden}.in{visibility:inherit}</style>${times(30, (n) => `<p class=item>Item ${n}</p>`)}<script>
      const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all)
        if (isIntersecting) target.classList.add("in"); });
      for (const row of document.querySelectorAll(".item")) seeing.observe(row);</script>`,
    steps: reading([{ name: "name" }]),
    rows: images(30).map(({ name }) => ({ name })),
  },
  "texts that are hidden until they come into view": {
    variants: {
      "as rows, all of them below the window": hiddenTexts(
        `<div style="height:1500px"></div>${people("wow", "")}`,
      ),
      "as a part of each row": hiddenTexts(`<div style="height:1500px"></div>${people("", "wow")}`),
      "as a part of each row, of which some are wanted": {
        ...hiddenTexts(`<div style="height:1500px"></div>${people("", "wow")}`),
        steps: reading([{ name: "text" }]),
        rows_limit: 2,
        rows: [{ text: "Ann\n\nRole of Ann" }, { text: "Bob\n\nRole of Bob" }],
      },
      "as a part of the last rows": hiddenTexts(`<div style="height:300px"></div>${people("", "wow")}`),
      "as a whole, with space around them": hiddenTexts(
        `<div style="height:1500px"></div><div class=wow style="padding:150px 0">${people("", "")}</div>`,
      ),
      "as parts of one text": {
        html: `<!doctype html><main>${NAMES.map((part) => `<p class=wow style="height:700px">${part}</p>`).join("")}</main>${HIDE}`,
        steps: [visit(), { type: "get_text", field_name: "text", selector: "main" }],
        rows: [{ text: NAMES.join("\n\n") }],
      },
    },
  },
  "images that load once nobody has scrolled for a while": {
    variants: {
      "": lazy(lazyItems(30, "height:100px") + showAtRest(100, "load();"), 30),
      "of a short list": lazy(
        `<header style="height:1200px">Lamps</header>${lazyItems(6, "height:300px")}${showAtRest(250)}`,
        6,
      ),
    },
  },
  "images that come into view": {
    variants: {
      "behind many that need not": lazy(lazyItems(40, "height:100px", { from: 30 }) + SHOW, 40),
      "in a long list": lazy(lazyItems(70, "height:500px") + SHOW, 70),
      "in a list that is scrolled sideways": lazy(
        `<div style="display:flex;overflow:auto;width:600px">${lazyItems(15, "flex:0 0 200px;height:300px")}</div>${SHOW}`,
        15,
      ),
      "in a list that only a script moves sideways": lazy(
        `<div style="display:flex;overflow:hidden;width:600px">${lazyItems(15, "flex:0 0 200px;height:300px")}</div>${SHOW}`,
        15,
      ),
      "in several lists that are scrolled by themselves": lazy(
        `<div style="display:flex">${[0, 1, 2].map((box) => `<div style="overflow:auto;height:300px">${lazyItems(10, "height:90px", { start: 10 * box })}</div>`).join("")}</div>${SHOW}`,
        30,
      ),
      "at the end of high rows": lazy(
        lazyItems(6, "", { between: "<p style='height:1500px'>Text</p>" }) + SHOW,
        6,
      ),
      "in rows without a box of their own": lazy(
        lazyItems(15, "display:contents", { between: "<p style='height:200px'>" }) + SHOW,
        15,
      ),
    },
  },
  "values that come into view": {
    variants: {
      "in place of another image": filled(
        (n) => `<img class=fill src="/blank.gif" data-src="/${n}.png">`,
        "element.src = element.dataset.src",
        { attribute: "src" },
        absolute,
      ),
      "in place of an image of their own": filled(
        (n) => `<img class=fill src="/small-${n}.png" data-src="/${n}.png">`,
        "element.src = element.dataset.src",
        { attribute: "src" },
        absolute,
      ),
      "in place of an image, which does not say so": filled(
        (n) => `<img class=fill src="/blank.gif" id=${n}>`,
        'element.src = "/" + element.id + ".png"',
        { attribute: "src" },
        absolute,
      ),
      "in a srcset": filled(
        (n) => `<img class=fill srcset="/s.png 1x" data-srcset="/${n}.png">`,
        "element.srcset = element.dataset.srcset",
        { attribute: "srcset" },
        absolute,
      ),
      "as a text": filled(
        (n) => `<span class=fill id=${n}></span>`,
        'element.textContent = "/" + element.id + ".png"',
        {},
      ),
      "in place of dots": filled(
        (n) => `<span class=fill id=${n}>…</span>`,
        'element.textContent = "/" + element.id + ".png"',
        {},
      ),
      "in place of a word": filled(
        (n) => `<span class=fill id=${n}>Please wait</span>`,
        'element.textContent = "/" + element.id + ".png"',
        {},
      ),
      "in place of another value of their own": filled(
        (n) => `<span class=fill id=${n}>Item ${n}, from 5 €</span>`,
        'element.textContent = "/" + element.id + ".png"',
        {},
      ),
      "in place of another value, where the page is only told of scrolling": filled(
        (n) => `<span class=fill id=${n}>Item ${n}, from 5 €</span>`,
        'element.textContent = "/" + element.id + ".png"',
        {},
        undefined,
        byScrolling,
      ),
      "in an element that comes with them": filled(
        (n) => `<span class=fill id=${n}></span>`,
        'element.innerHTML = "<i>/" + element.id + ".png</i>"',
        { selector: ".fill i" },
      ),
    },
  },
  "values that come once the browser lays their rows out": {
    rows: lamps(1, 15),
    variants: {
      "by a listener of each": laidOut(
        'for (const row of list.children) row.addEventListener("TYPE", fill);',
      ),
      "by a handler of each": laidOut("for (const row of list.children) row.onTYPE = fill;"),
      "by an attribute of each": laidOut("", 'onTYPE="fill(event)"'),
      "by a listener around them": laidOut('list.addEventListener("TYPE", fill);'),
    },
  },
  "images of a carousel that are loaded on demand": {
    html: `<div style="overflow:hidden;width:600px"><div style="display:flex">${times(
      12,
      (n) =>
        `<div class=item style="flex:0 0 200px"><b>Item ${n}</b><img ${n < 3 ? "src" : "data-lazy"}="/${n}.png"></div>`,
    )}</div></div><script>onkeydown = () => {}</script>`,
    steps: reading([{ name: "name", selector: "b" }, image]),
    rows: images(12).map(({ name }, n) => (n < 3 ? { name, image: `${SITE}/${n}.png` } : { name })),
    warnings: [
      {
        code: "values_may_be_missing",
        step: 1,
        field: "image",
        count: 9,
        message: 'add a field with "attribute": "data-lazy"',
      },
    ],
  },
  "numbers that are counted up in view": {
    variants: {
      once: {
        html: `<div style="height:3000px">Welcome</div>${[120, 34, 5600].map((n) => `<div class=item><b>0 sold</b><i data-n=${n}></i></div>`).join("")}<script>
          const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target: row } of all) if (isIntersecting) {
            seeing.unobserve(row); let start; const end = +row.querySelector("i").dataset.n;
            requestAnimationFrame(function step(now) { start ??= now; const part = Math.min(1, (now - start) / 1500);
              row.querySelector("b").textContent = Math.round(part * end) + " sold"; if (part < 1) requestAnimationFrame(step); }); } });
          for (const row of document.querySelectorAll(".item")) seeing.observe(row);</script>`,
        steps: reading([{ name: "count", selector: "b" }]),
        rows: [{ count: "120 sold" }, { count: "34 sold" }, { count: "5600 sold" }],
      },
      "once, of which most are in view at first": counted(MIXED.slice(0, 5), 100_000),
      "and go back to zero at once": counted(MIXED, 0),
      "and go back to zero soon, and stay zero for long": { ...counted(SMALL, 150), slow: SLOW },
      "behind many that are zero": { ...counted(ZEROS_FIRST, 0), slow: SLOW },
    },
  },
  "images that load once the one in their place has a size": lazy(
    `${times(3, (n) => `<div class=item><b>Item ${n}</b><img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" data-src="/${n}.png"></div>`)}<script>onload = () => setTimeout(() => {
      for (const image of document.images) if (image.offsetWidth > 0 && image.offsetHeight > 0) image.src = image.dataset.src; });</script>`,
    3,
  ),
  // The images of the first pages are in view and never get an address; those of the last one are not in view at first.
  "images of a later page, after pages whose rows lack one anyway": {
    routes: {
      "/": (request, response) => {
        const page = pageOf(request);
        const body =
          page < 3
            ? "<div class=item><b>None</b><img></div><div class=item><b>None</b><img></div>"
            : `<header style="height:2000px">Lamps</header>${lazyItems(10, "height:300px")}`;
        const row = `<div class=item><b>Page ${page}</b><img src="/p.png"></div>`;
        const next = page < 3 ? `<a class=next href="?page=${page + 1}">Next</a>` : "";
        sendHtml(response, `<div>${row}${body}</div>${next}${SHOW}`);
      },
    },
    steps: reading([{ name: "name", selector: "b" }, image]),
    pagination: { type: "next_button", selector: ".next" },
    rows: [
      ...[1, 2].flatMap((page) => [
        { name: `Page ${page}`, image: `${SITE}/p.png` },
        { name: "None" },
        { name: "None" },
      ]),
      { name: "Page 3", image: `${SITE}/p.png` },
      ...images(10),
    ],
  },
  "a list that has more views than there is time for": {
    variants: {
      "from the beginning": tooMany(),
      "where the page takes as long before": tooMany("<script>fetch(`/late`)</script>", {
        "/late": async (_, response) => {
          await sleep(1_500);
          response.end();
        },
      }),
    },
  },
  "rows that come by themselves before others are brought into view": {
    html: `<div id=list></div><script>(async () => { for (let n = 0; n < 40; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, n % 10 ? 10 : 300));
      list.insertAdjacentHTML("beforeend", "<div class=item><b>Item " + n + "</b></div>"); } })();</script>`,
    steps: reading([{ name: "name", selector: "b" }, image]),
    rows: images(40).map(({ name }) => ({ name })),
    warnings: [{ code: "field_empty", field: "image" }],
  },
  "values of a growing list that come once a row is in view": {
    html: `<h1 style="height:100px">Lamps</h1><div id=list></div><p id=end>End</p><script>
      const list = document.getElementById("list");
      const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target: row } of all)
        if (isIntersecting) { row.querySelector("i").textContent = row.dataset.price; seeing.unobserve(row); } });
      const add = async () => { await fetch("/more"); for (let n = list.children.length, to = n + 12; n < to && n < 36; n += 1) {
        list.insertAdjacentHTML("beforeend", \`<div class=item data-price=\${n}.50 style="height:80px"><b>Item \${n}</b><i></i></div>\`);
        seeing.observe(list.lastChild); } };
      new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) add(); }).observe(document.getElementById("end"));</script>`,
    routes: {
      "/more": async (_, response) => {
        await sleep(100);
        response.end();
      },
    },
    steps: reading([
      { name: "name", selector: "b" },
      { name: "price", selector: "i" },
    ]),
    pagination: { type: "infinite_scroll" },
    rows: Array.from({ length: 36 }, (_, n) => ({ name: `Item ${n}`, price: `${n}.50` })),
  },
} satisfies Pages;
