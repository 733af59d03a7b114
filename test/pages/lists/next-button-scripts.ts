import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Handler, sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Pages, pageOf, type Routes, SITE, visit } from "../page.ts";
import { inParts } from "../parts/documents.ts";
import { listOf } from "../parts/linked-pages.ts";

/** Lists whose next page is made by a script, or whose control is. */

const bySelector = { type: "next_button", selector: ".next" } as const;

/** A button that runs the next of these steps with each press, and is disabled after the last one. */
const pressing = (steps: readonly string[], atEnd = "next.disabled = true;") => `
  <ul id=list>${cards(1, 3)}</ul><button class=next>Next</button><script>
  let page = 1; const list = document.getElementById("list"), next = document.querySelector(".next");
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const card = (n) => '<li class="card"><a href="/p/' + n + '">Lamp ' + n + "</a></li>";
  const numbers = () => [2, 1, 0].map((i) => page * 3 - i);
  const show = () => { list.innerHTML = numbers().map(card).join(""); };
  const steps = [${steps.map((step) => `async () => { ${step} }`).join(",\n")}];
  next.onclick = async () => { page += 1; await steps.shift()?.(); if (steps.length === 0) { ${atEnd} } };</script>`;

/** A slider of `to` slides, of which two are shown. It gets ten more near its end, and goes round where it has all. */
const slider = (
  to: number,
) => `<div style="width:400px;overflow:hidden"><div id=strip style="display:flex"></div></div>
  <button class=next>Next</button><script>
  const strip = document.getElementById("strip"); let count = 0, at = 0;
  const add = () => { for (const end = count + 10; count < end;) strip.insertAdjacentHTML("beforeend", "<div class=card style='flex:0 0 200px'>Lamp " + (count += 1) + "</div>"); };
  add();
  document.querySelector(".next").onclick = () => { at += 2; if (at + 2 > count) at = 0;
    strip.style.transform = "translate3d(" + -200 * at + "px,0,0)"; if (at + 2 === count && count < ${to}) setTimeout(add, 100); };</script>`;

/** The cards of a page as a part of a document, and an empty response, both late. */
const parts: Routes = {
  "/part": async (request, response) => {
    await sleep(100);
    sendHtml(response, cards(pageOf(request) * 3 - 2, pageOf(request) * 3));
  },
  "/silence": async (_, response) => {
    await sleep(400);
    response.end();
  },
};
const SHOW_PART = 'list.innerHTML = await (await fetch("/part?page=" + page)).text();';
const DRAFTS = 'list.innerHTML = "<li class=card>&zwnj;</li>".repeat(3);';

const waysToShow = [
  "await sleep(300); show();",
  "await sleep(50); [...list.children].forEach((item, index) => { item.textContent = 'Lamp ' + numbers()[index]; });",
  `${DRAFTS} await sleep(300); show();`,
  'list.innerHTML = ""; for (const n of numbers()) { await sleep(110); list.insertAdjacentHTML("beforeend", card(n)); }',
  "next.disabled = true; show(); await sleep(1000); next.disabled = false;",
  `list.innerHTML = ""; ${SHOW_PART}`,
  `list.innerHTML = "<li class=card></li><li class=card></li>"; ${SHOW_PART}`,
  `${DRAFTS} await fetch("/silence"); show();`,
  "show();",
];

/** A link to the page after the one of a request. */
const linkAfter = (request: IncomingMessage) => `<a class=next href="/?page=${pageOf(request) + 1}">Next</a>`;

const fading = (page: number) =>
  `<ul>${cards(page * 3 - 2, page * 3)}</ul>${page < 3 ? "<button>Next</button>" : ""}`;

/** A page whose script takes over where its links lead to. */
const intercepted =
  (take: string): Handler =>
  (request, response) => {
    const page = pageOf(request);
    const next = page < 4 ? `<a class=next href="/?page=${page + 1}">Next</a>` : "";
    sendHtml(
      response,
      `<main><ul>${cards(page * 3 - 2, page * 3)}</ul>${next}</main><script>
    const show = async (url) => {
      const html = await (await fetch(url)).text();
      document.querySelector("main").replaceWith(new DOMParser().parseFromString(html, "text/html").querySelector("main"));
    };
    navigation.addEventListener("navigate", (event) => { const { url } = event.destination; ${take} });</script>`,
    );
  };

/** Each page has the rows of those before it, too. */
const allSoFar: Routes = {
  "/": (request, response) => {
    const page = pageOf(request);
    sendHtml(response, `<ul>${cards(1, page * 3)}</ul>${page < 3 ? linkAfter(request) : ""}`);
  },
};

/** Three rows, which a button moves by so many. */
const moving = (by: number) =>
  pressing(
    [1, 2, 3].map((turn) => `list.innerHTML = [1, 2, 3].map((n) => card(n + ${turn * by})).join("");`),
  );

export default {
  "links that lead to a page which a script shows in this one": {
    variants: {
      "by intercepting the navigation": {
        routes: { "/": intercepted("event.intercept({ handler: () => show(url) });") },
      },
      "in its place": { routes: { "/": intercepted("event.preventDefault(); show(url);") } },
    },
    pagination: bySelector,
    rows: lamps(1, 12),
  },
  "each press shows the rows in another way": {
    html: pressing(waysToShow),
    routes: parts,
    pagination: bySelector,
    rows: lamps(1, 3 + 3 * waysToShow.length),
  },
  "old rows that stay until the new ones come, with a pause between pages": {
    html: pressing(["await sleep(300); show();", "await sleep(300); show();"]),
    pagination: { ...bySelector, delay_ms: 50 },
    rows: lamps(1, 9),
  },
  "a list that goes round to its first page": {
    html: pressing(["show();", "show();", "page = 1; await sleep(50); show();"], "steps.push(show);"),
    pagination: bySelector,
    rows: lamps(1, 9),
  },
  "a last page in which something that is not read changes all the time, and whose control does nothing": {
    html: `${pressing(["show();", "show();", ""], "steps.push(() => {});")}<script>setInterval(() => {
      for (const item of list.children) item.append(" " + Math.random()); }, 500)</script>`,
    steps: [visit(), { ...cardList, fields: [{ name: "name", selector: "a" }] }],
    pagination: bySelector,
    rows: lamps(1, 9),
    warnings: ["rows_repeated"],
  },
  "a button that is named by its icon, and is disabled at the end": {
    html: pressing(["show();", "show();"]).replace(
      "Next</button>",
      "<svg width=20 height=20><path d='M0 0h20v20z'/></svg></button>",
    ),
    pagination: { type: "next_button", selector: ".next svg" },
    rows: lamps(1, 9),
  },
  "a button that leaves the list empty": {
    pagination: bySelector,
    rows: lamps(1, 6),
    variants: {
      "and can still be pressed": {
        html: pressing(["show();", 'list.innerHTML = "";'], ""),
        warnings: [{ code: "rows_may_be_missing", step: 1, message: "nothing matches .card" }],
      },
      "and is disabled": { html: pressing(["show();", 'list.innerHTML = "";']) },
      "and is gone, such as where a sign-in takes the place of all": {
        html: pressing(["show();", 'document.body.innerHTML = "<h1>Sign in</h1>";']),
        warnings: [{ code: "rows_may_be_missing", step: 1, message: "nothing matches .card" }],
      },
      "which the page tells": {
        html: pressing(["show();", 'list.innerHTML = "<li>No results found.</li>";'], ""),
      },
    },
  },
  "a button that moves the list by less than a page": {
    pagination: bySelector,
    variants: {
      "": {
        html: moving(1),
        rows: [1, 2, 3, 4].flatMap((first) => lamps(first, first + 2)),
        warnings: [{ code: "rows_repeated", step: 1, count: 3 }],
      },
      "so that one row comes again": {
        html: moving(2),
        rows: [1, 3, 5, 7].flatMap((first) => lamps(first, first + 2)),
      },
      "so that one row comes again, by its address": {
        html: moving(2),
        steps: [visit(), { ...cardList, fields: [{ name: "link", selector: "a", attribute: "href" }] }],
        rows: [1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8, 9].map((n) => ({ link: `${SITE}/p/${n}` })),
        warnings: [{ code: "rows_repeated", step: 1, count: 3 }],
      },
    },
  },
  "rows that have no text at all": {
    html: pressing(['list.innerHTML = "<li class=card></li>".repeat(2);']),
    pagination: bySelector,
    rows: [...lamps(1, 3), { name: "" }, { name: "" }],
    warnings: [{ code: "rows_empty", count: 2 }],
  },
  "rows that fade out while the next ones fade in": {
    html: `<style>section{position:absolute;transition:opacity 5s}</style><main><section>${fading(1)}</section></main><script>
      const lists = ${JSON.stringify([fading(2), fading(3)])};
      onclick = (event) => { if (event.target.localName !== "button") return;
        const old = document.querySelector("section"), next = document.createElement("section");
        next.innerHTML = lists.shift(); old.after(next);
        next.animate([{ opacity: 0 }, { opacity: 1 }], 5000);
        requestAnimationFrame(() => { old.style.opacity = 0; old.ontransitionend = () => old.remove(); }); };</script>`,
    pagination: { type: "next_button", field_name: "Next" },
    rows: lamps(1, 9),
  },
  "a control that keeps the rows and adds others": {
    rows: lamps(1, 9),
    variants: {
      "by a script": {
        html: pressing(
          [4, 7].map((from) => `list.insertAdjacentHTML("beforeend", '${cards(from, from + 2)}')`),
        ),
        pagination: bySelector,
      },
      "by a script that renders all of them anew": {
        html: pressing([6, 9].map((to) => `list.innerHTML = '${cards(1, to)}'`)),
        pagination: bySelector,
      },
      "by a link to a document with all of them": {
        routes: allSoFar,
        pagination: bySelector,
        loads: 3,
      },
      "by a link to a document with all of them, up to a limit": {
        routes: allSoFar,
        pagination: bySelector,
        rows_limit: 5,
        rows: lamps(1, 5),
      },
      "up to a limit": {
        html: pressing(
          [4, 7].map((from) => `list.insertAdjacentHTML("beforeend", '${cards(from, from + 2)}')`),
        ),
        pagination: bySelector,
        rows_limit: 5,
        rows: lamps(1, 5),
      },
    },
  },
  "a control that only moves the list, until more of it comes near its end": {
    pagination: bySelector,
    steps: [visit(), { ...cardList, key: ["name"] }],
    variants: {
      "": { html: slider(30), rows: lamps(1, 30) },
      "where all of it is there": { html: slider(10), rows: lamps(1, 10) },
    },
  },
  "a control that comes late": {
    pagination: bySelector,
    rows: lamps(1, 9),
    variants: {
      "by a script": {
        routes: {
          "/": (request, response) => {
            const page = pageOf(request);
            sendHtml(response, `${listOf(page)}<script async src="/pager.js?page=${page}"></script>`);
          },
          "/pager.js": async (request, response) => {
            await sleep(200);
            const add = `document.body.insertAdjacentHTML("beforeend", '${linkAfter(request)}')`;
            response.end(pageOf(request) < 3 ? add : "");
          },
        },
      },
      "with the rest of the document": {
        routes: {
          "/": (request, response) => {
            const rest = pageOf(request) < 3 ? linkAfter(request) : "<p>End";
            return inParts(200, listOf(pageOf(request)), rest)(request, response);
          },
        },
      },
    },
  },
} satisfies Pages;
