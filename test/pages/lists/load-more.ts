import { sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Pages, type Routes, SITE, visit } from "../page.ts";
import { moreButton, times } from "../parts/more-button.ts";

const button = { type: "load_more", selector: "#more" } as const;

/** The last four rows, while they are placeholders. */
const DRAFTS = `list.insertAdjacentHTML("beforeend", "<li class=card></li>".repeat(4));
  const drafts = [...list.children].slice(-4); await sleep(200);`;

/** After `ms`, the rows that came are made anew. */
const remade = (ms: number) => `add(); const came = [...list.children].slice(-4);
  setTimeout(() => { for (const row of came) row.replaceWith(row.cloneNode(true)); }, ${ms});`;

/** The button can't be pressed until a second after the rows came. */
const kept = (before: string, after: string) =>
  `${before}; await sleep(50); add(); await sleep(1000); ${after};`;

/** The page takes away again what it has already. */
const DEDUPE = `await sleep(50); list.insertAdjacentHTML("beforeend", card(shown) + next()); await sleep(50);
  const known = new Set();
  for (const row of [...list.children]) if (known.has(row.textContent)) row.remove(); else known.add(row.textContent);`;

/** Batches that the page does not change after they are read. */
const waysToAdd = [
  ...times(2, "more.disabled = true; await sleep(80); add(); await sleep(60); more.disabled = false;"),
  `${DRAFTS} for (const draft of drafts) draft.remove(); add();`,
  `${DRAFTS} for (const draft of drafts) draft.textContent = "Lamp " + ++shown;`,
  "add(); list.innerHTML = list.innerHTML;",
  'await sleep(50); list.innerHTML = (list.innerHTML + next()).replace("Lamp 2<", "Lamp 2, sold<");',
  kept("more.disabled = true", "more.disabled = false"),
  kept("more.hidden = true", "more.hidden = false"),
  kept('more.textContent = "Loading…"', 'more.textContent = "Show more"'),
];

/** Batches that the page changes after they may have been read. */
const waysToChange = [DEDUPE, remade(0), remade(16), ...times(2, remade(700))];

const AT_END = "scrollY + innerHeight > document.documentElement.scrollHeight - 50";

/** Scrolling does `atEnd` once the button is gone, which is after the first press. */
const scrolledOn = (atEnd: string) =>
  `<style>li{height:150px}</style>${moreButton([
    `add(); let timer; addEventListener("scroll", () => { clearTimeout(timer); timer = setTimeout(() => {
     if (shown < 16 && scrollY + innerHeight > document.documentElement.scrollHeight - 400) fetch("?more").then(${atEnd}); }, 100); });`,
  ])}`;

/** Documents with `count` rows in all, of which those with `all` show all, and others only the last four. */
const documents: Routes = {
  "/": ({ url = "" }, response) => {
    const { searchParams: query } = new URL(url, SITE);
    const count = Number(query.get("count") ?? 4);
    const more =
      count < 16 ? `<a id=more href="?count=${count + 4}${count === 8 ? "" : "&all"}">More</a>` : "";
    sendHtml(response, `<ul>${cards(query.has("all") ? 1 : count - 3, count)}</ul>${more}`);
  },
};

export default {
  "each press changes the rows that it has added": {
    html: moreButton(waysToChange),
    pagination: button,
    rows: lamps(1, 4 + 4 * waysToChange.length),
    loads: 1 + waysToChange.length,
  },
  "a press that changes the rows that it has added, after many that did not": {
    html: moreButton([...times(7, "add();"), DEDUPE]),
    pagination: button,
    rows: lamps(1, 4 + 4 * 8),
  },
  "each press adds rows in another way": {
    html: moreButton(waysToAdd),
    rows: lamps(1, 4 + 4 * waysToAdd.length),
    loads: 1 + waysToAdd.length,
    variants: {
      "of a button by its name": { pagination: { type: "load_more", field_name: "Show more" } },
      "of a button by a selector of Playwright's": {
        pagination: { type: "load_more", selector: "button:text-is('Show more')" },
      },
    },
  },
  "a button that takes the rows away again once all are there": {
    html: moreButton([
      ...times(2, "add();"),
      "while (list.children.length > 4) list.lastChild.remove(); steps.push(add, add);",
    ]),
    rows: lamps(1, 12),
    variants: {
      "of its own": { pagination: button },
      "of a list that scrolls": {
        pagination: { type: "infinite_scroll", load_more: { selector: "#more" } },
      },
    },
  },
  "a list that is made anew in another order": {
    html: moreButton(
      times(
        3,
        `await sleep(50); next(); list.innerHTML = "";
      for (let n = shown; n > 0; n -= 1) list.insertAdjacentHTML("beforeend", card(n));`,
      ),
    ),
    pagination: button,
    rows: [...lamps(1, 4), ...[8, 12, 16].flatMap((last) => lamps(last - 3, last).reverse())],
  },
  "a list that is made anew, with something else in each row that is not read": {
    html: `<ul id=list></ul><button id=more>Show more</button><script>let shown = 0;
      more.onclick = () => { shown += 4; more.hidden = shown === 16;
        list.innerHTML = Array.from({ length: shown }, (_, n) => "<li class=card><b>Lamp " + (n + 1) + "</b>, new " + shown + " s ago</li>").join(""); };
      more.click();</script>`,
    steps: [visit(), { ...cardList, fields: [{ name: "name", selector: "b" }] }],
    pagination: button,
    rows: lamps(1, 16),
  },
  "a longer list of other texts, which may be the same rows": {
    html: moreButton(
      times(
        3,
        `await sleep(50); next(); list.innerHTML = "";
      for (let n = 1; n <= shown; n += 1) list.insertAdjacentHTML("beforeend", card(n + " of " + shown));`,
      ),
    ),
    pagination: button,
    rows: [
      ...lamps(1, 4),
      ...[8, 12, 16].flatMap((all) => lamps(1, all).map(({ name }) => ({ name: `${name} of ${all}` }))),
    ],
    warnings: ["rows_may_be_missing"],
  },
  "data that does not come in time is no end of the list": {
    html: moreButton(['await fetch("/data").then((answer) => answer.text()).then(add);']),
    routes: () => {
      let asked = 0;
      // The first answer never comes.
      return { "/data": (_, response) => void (asked++ > 0 && response.end()) };
    },
    steps: [visit(), { ...cardList, timeout_ms: 500 }],
    pagination: button,
    rows: lamps(1, 8),
    slow: "a run that is repeated waits for the timers of each batch in real time",
  },
  "a button that stays but adds nothing any more": {
    html: moreButton([...times(2, "add();"), "await new Promise(() => {});"]),
    pagination: button,
    rows: lamps(1, 12),
  },
  "a script that fails with every second answer": {
    html: moreButton(
      times(
        6,
        'const data = await (await fetch("/data")).json(); if (steps.length % 2) data.rows.forEach(add); add();',
      ),
    ),
    routes: { "/data": (_, response) => void response.end("{}") },
    pagination: button,
    rows: lamps(1, 16),
  },
  "a list that scrolling continues once its button is gone": {
    variants: {
      "is warned of with load_more": {
        html: scrolledOn("add"),
        pagination: button,
        rows: lamps(1, 8),
        warnings: [{ code: "rows_may_be_missing", message: '"infinite_scroll"', step: 1 }],
      },
      "is read in full with infinite_scroll": {
        html: scrolledOn("add"),
        pagination: { type: "infinite_scroll", load_more: { selector: "#more" } },
        rows: lamps(1, 16),
      },
      "is not warned of where scrolling brings other content": {
        html: scrolledOn('() => list.after("Similar lamps")'),
        pagination: button,
        rows: lamps(1, 8),
      },
    },
  },
  "a button that appears, or works, only at the end of the page": {
    html: `<style>li{height:400px}</style>${moreButton(["add(); more.hidden = true;", ...times(2, "add();")])}<script>
      let works = false; more.hidden = true;
      addEventListener("scroll", () => { if (${AT_END}) { works = true; more.hidden = false; } });
      addEventListener("click", (event) => { if (!works) event.stopPropagation(); works = false; }, true);</script>`,
    pagination: button,
    rows: lamps(1, 16),
  },
  max_pages: {
    html: moreButton(times(3, "add();")),
    pagination: { ...button, max_pages: 2 },
    rows: lamps(1, 8),
    loads: 2,
  },
  "a link to another document, with all rows so far or with the next ones only": {
    routes: documents,
    rows: lamps(1, 16),
    variants: {
      "by a selector": { pagination: button },
      "by a selector of Playwright's": { pagination: { type: "load_more", selector: "a >> text=More" } },
      "up to a limit": { pagination: button, rows_limit: 6, rows: lamps(1, 6) },
    },
  },
  "rows that come again and again": {
    html: `<ul id=list>${cards(1, 12)}</ul><button id=more>More</button><script>
      const list = document.getElementById("list"), more = document.getElementById("more"), rows = list.innerHTML; let presses = 0;
      more.onclick = () => { list.insertAdjacentHTML("beforeend", rows); presses += 1; if (presses === 3) more.remove(); };</script>`,
    pagination: button,
    rows: Array.from({ length: 4 }, () => lamps(1, 12)).flat(),
    warnings: [{ code: "rows_repeated", count: 3 }],
  },
} satisfies Pages;
