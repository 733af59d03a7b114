import { cards, lamps, type Page, type Pages, SITE, visit } from "../page.ts";
import { moreButton, times } from "../parts/more-button.ts";

/** Lists whose batches change rows that are there already, or that come otherwise than at the end. */

const button = { type: "load_more", selector: "#more" } as const;
const scrolling = { type: "infinite_scroll" } as const;

/** A list with the cards 1 to 10. `grow()` runs the next of these steps; by default, scrolling to the end does. */
const scrolled = (
  steps: readonly string[],
  { html = "", css = "", start = 'addEventListener("scroll", atEnd);' } = {},
) => `<style>.card{height:100px}${css}</style>
  <ul id=list>${cards(1, 10)}</ul>${html}<script>
  const list = document.getElementById("list"); let shown = 10, busy = false;
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const next = () => Array.from({ length: 10 }, () => '<li class="card">Lamp ' + ++shown + "</li>").join("");
  const add = () => list.insertAdjacentHTML("beforeend", next());
  const steps = [${steps.map((step) => `async () => { ${step} }`).join(",\n")}];
  const grow = async () => { if (busy || steps.length === 0) return; busy = true; await steps.shift()(); busy = false; };
  const atEnd = () => { if (innerHeight + scrollY > document.documentElement.scrollHeight - 100) grow(); };
  ${start}</script>`;

/** After `ms`, the rows that came are made anew. */
const remade = (ms: number) => `add(); const came = [...list.children].slice(-10);
  setTimeout(() => { for (const row of came) row.replaceWith(row.cloneNode(true)); }, ${ms});`;

const waysToChange = [
  `list.insertAdjacentHTML("beforeend", "<li class='card soon'>Loading…</li>".repeat(3)); await sleep(1500);
   for (const row of document.querySelectorAll(".soon")) row.remove(); add();`,
  ...[0, 16, 700].map(remade),
];

/** While the batch after them is read, or after that, the page changes rows of earlier batches. */
const later = (change: string) => `add(); setTimeout(() => { ${change} }, 2000);`;
const sold = (count: number) =>
  `for (const row of [...list.children].slice(0, ${count})) row.textContent += ", sold";`;
const STILL = "await sleep(50); add();";
const changed = (count: number) => [{ code: "rows_changed", step: 1, count }];
const EARLIER = "li:nth-child(-n+12){text-transform:uppercase}";
const restyled = (css: string, change: string): Page => ({
  html: `<style>${css}</style><p id=flag></p>${moreButton([STILL, STILL, later(change)])}`,
  pagination: button,
  rows: lamps(1, 16),
  warnings: changed(12),
});

const seen = (step: string, page: { html?: string; css?: string }) =>
  scrolled(times(3, `await sleep(50); add(); ${step}`), {
    ...page,
    start: `const seeing = new IntersectionObserver(([seen]) => { if (seen.isIntersecting) grow(); });
      const watch = () => { seeing.disconnect(); seeing.observe(list.lastElementChild); }; watch();`,
  });

const EMPTY = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
/** A list whose pictures get their address, and whose texts are filled in, once they come into view. */
const lazy = (control: string, start: string) => `<ul id=list></ul>${control}<script>
  const list = document.getElementById("list"); let shown = 0, busy = false;
  const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all) if (isIntersecting) {
    target.querySelector("img").src = "/picture-" + target.id; target.querySelector("b").textContent = "Lamp " + target.id; } });
  const add = () => { for (let count = 0; count < 8; count += 1) { shown += 1;
    list.insertAdjacentHTML("beforeend", '<li class=card style="height:300px" id=' + shown + '><b>…</b><img src="${EMPTY}"></li>');
    seeing.observe(list.lastElementChild); } };
  const grow = () => { if (busy || shown >= 32) return; busy = true; setTimeout(() => { add(); busy = false;
    if (shown >= 32) document.getElementById("more")?.remove(); }, 50); };
  const atEnd = () => { if (innerHeight + scrollY > document.documentElement.scrollHeight - 100) grow(); };
  add(); ${start}</script>`;

export default {
  "each batch of a scrolled list is changed after it came": {
    html: scrolled(waysToChange),
    pagination: scrolling,
    rows: lamps(1, 10 + 10 * waysToChange.length),
  },
  "a row that says that more come, and goes with the last of them": {
    html: scrolled(
      times(
        3,
        'await sleep(50); soon.insertAdjacentHTML("beforebegin", next()); if (shown === 40) soon.remove();',
      ),
      {
        start: `const soon = document.createElement("li"); soon.className = "card"; soon.textContent = "Loading…"; list.append(soon);
        new IntersectionObserver(([seen]) => { if (seen.isIntersecting) grow(); }).observe(soon);`,
      },
    ),
    pagination: scrolling,
    // The row was there when the first rows were read.
    rows: [...lamps(1, 10), { name: "Loading…" }, ...lamps(11, 40)],
  },
  "rows that change after they were read": {
    variants: {
      "some of them, by a button": {
        html: moreButton([STILL, STILL, later(sold(3))]),
        pagination: button,
        rows: lamps(1, 16),
        warnings: changed(3),
      },
      "those of several batches, by scrolling": {
        html: scrolled([STILL, STILL, later(sold(30))]),
        pagination: scrolling,
        rows: lamps(1, 40),
        warnings: changed(30),
      },
      "and are as many as the limit": {
        html: moreButton([STILL, STILL, later(sold(8)), STILL]),
        pagination: button,
        rows_limit: 16,
        rows: lamps(1, 16),
        warnings: changed(8),
      },
      "by a class of what is around them": restyled(`.sale ${EARLIER}`, 'list.classList.add("sale");'),
      "by an attribute of what is beside them": restyled(
        `.sale~ul ${EARLIER}`,
        'flag.classList.add("sale");',
      ),
      "by a rule of a style sheet": restyled("", `document.styleSheets[0].insertRule("${EARLIER}");`),
    },
  },
  "rows whose values go on changing have no final ones": {
    html: moreButton([
      STILL,
      STILL,
      later(`setInterval(() => { for (const row of [...list.children].slice(0, 12))
        row.textContent = 1000 - Math.floor(performance.now() / 100) + " s left"; }, 100);`),
    ]),
    pagination: button,
    rows: lamps(1, 16),
  },
  "a list that grows once its last row is seen": {
    pagination: scrolling,
    rows: lamps(1, 40),
    variants: {
      "far above the end of the page": {
        html: seen("watch();", { html: "<footer style='height:3000px'>Contact</footer>" }),
      },
      "at the top of a box that is drawn upwards": {
        html: seen("watch();", {
          css: "#list{height:300px;overflow:auto;display:flex;flex-direction:column-reverse}.card{flex:none}",
        }),
      },
    },
  },
  "a row that comes after a press while others are filled, and that is the last": {
    html: `<ul id=list></ul><button id=more>More</button><script>
      const list = document.getElementById("list"), more = document.getElementById("more");
      const card = (n) => '<li class="card"><b>' + (n ? "Lamp " + n : "") + "</b><a href=/p>more</a></li>";
      const add = async (from, to) => { for (let n = from; n <= to; n += 1) {
        list.insertAdjacentHTML("beforeend", card(0)); await new Promise((done) => setTimeout(done, 50));
        list.lastElementChild.outerHTML = card(n); } };
      add(1, 2); more.onclick = async () => { await add(3, 4); more.remove(); };</script>`,
    steps: [visit(), { type: "get_list", selector: ".card", fields: [{ name: "name", selector: "b" }] }],
    pagination: button,
    rows: lamps(1, 4),
  },
  "rows that are filled once they come into view": {
    steps: [
      visit(),
      {
        type: "get_list",
        selector: ".card",
        fields: [
          { name: "name", selector: "b" },
          { name: "picture", selector: "img", attribute: "src" },
        ],
      },
    ],
    rows: lamps(1, 32).map((row, index) => ({ ...row, picture: `${SITE}/picture-${index + 1}` })),
    variants: {
      "added by a button": {
        html: lazy("<button id=more>More</button>", 'document.getElementById("more").onclick = grow;'),
        pagination: button,
      },
      "added by scrolling": { html: lazy("", 'addEventListener("scroll", atEnd);'), pagination: scrolling },
    },
  },
} satisfies Pages;
