import { type Handler, sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Pages, pageOf, type Routes, visit } from "../page.ts";
import { linkedPages, listOf } from "../parts/linked-pages.ts";

/** Controls that can't be pressed, and pages that do not come. */

const bySelector = { type: "next_button", selector: ".next" } as const;
const link = (href: string) => `<a class=next href="${href}">Next</a>`;
const toFile = `${listOf(1)}${link("/file")}`;

/** The first `times` responses for the second page are only a part of it. */
const second =
  (times: number, part: (response: Parameters<Handler>[1], whole: string) => void): (() => Routes) =>
  () => {
    let asked = 0;
    const { "/a": whole = "", ...pages } = linkedPages([1, 2].map(() => (list, href) => list + link(href)));
    return {
      ...pages,
      "/a": (_, response) => {
        asked += 1;
        if (asked > times) sendHtml(response, whole);
        else part(response, whole);
      },
    };
  };

const breakOff = (response: Parameters<Handler>[1], whole: string) => {
  response.writeHead(200, { "content-type": "text/html", "content-length": String(whole.length) });
  response.write(whole.slice(0, whole.indexOf("</ul>")), () => response.destroy());
};

/** A script shows the next rows if the pointer presses a button, and covers it after the second press. */
const coveredLater = (before: string) => `<ul>${cards(1, 3)}</ul><button class=next>More</button><script>
  let page = 1; const list = document.querySelector("ul");
  document.querySelector(".next").onclick = (event) => {
    if (!event.isTrusted) return;
    page += 1;
    list.innerHTML = ${before} + [2, 1, 0].map((n) => '<li class="card">Lamp ' + (page * 3 - n)).join("");
    if (page === 3) document.body.insertAdjacentHTML("beforeend", '<div style="position:fixed;inset:0">Subscribe!</div>');
  };</script>`;

export default {
  "a page that breaks off is not the end of the list": {
    pagination: bySelector,
    variants: {
      "but loaded again": { routes: second(1, breakOff), rows: lamps(1, 9), loads: 3 },
      "but an error if that happens each time": {
        routes: second(Number.POSITIVE_INFINITY, breakOff),
        rows: lamps(1, 3),
        failure: { code: "navigation_failed", step: 1 },
        slow: "the pauses before the run is repeated take four seconds",
      },
    },
  },
  "a page that comes without the list is opened again": {
    pagination: bySelector,
    variants: {
      "and has it then": {
        routes: second(1, (response) => sendHtml(response, "")),
        rows: lamps(1, 9),
        loads: 3,
      },
      "and has it never": {
        routes: second(9, (response) => sendHtml(response, "<p>We are busy.</p>")),
        rows: lamps(1, 3),
        warnings: [{ code: "rows_may_be_missing", step: 1, message: "/a, where nothing matches .card" }],
      },
    },
  },
  "a page that does not come in time is no end of the list": {
    routes: second(1, (response) => {
      response.writeHead(200, { "content-type": "text/html" }).write("<h1>Lamps</h1>");
    }),
    steps: [visit(), { ...cardList, timeout_ms: 500 }],
    pagination: bySelector,
    rows: lamps(1, 9),
    loads: 3,
  },
  "a control that leads to no page is told at once": {
    html: toFile,
    pagination: bySelector,
    rows: lamps(1, 3),
    loads: 1,
    variants: {
      "but to a file": {
        routes: {
          "/file": (_, response) => {
            const headers = { "content-type": "text/html", "content-disposition": "attachment" };
            response.writeHead(200, headers).end("x");
          },
        },
        failure: { code: "not_html", step: 1, message: "download" },
      },
      "but to nothing": {
        routes: { "/file": (_, response) => void response.writeHead(204).end() },
        failure: { code: "not_html", step: 1, message: "204" },
      },
    },
    deadlineMs: 25_000,
  },
  "a control that is covered is an error, and not the end of the list": {
    html: `${listOf(1)}<a class=next>Next</a><div style="position:fixed;inset:0;background:#fff">Subscribe!</div>
      <script>document.querySelector(".next").onpointerup = (event) => { if (event.isTrusted) location = "/b"; };</script>`,
    pagination: { type: "next_button", selector: "a >> text=Next" },
    rows: lamps(1, 3),
    failure: { code: "element_covered", step: 1 },
  },
  "a control that is covered later ends the list with a warning": {
    rows: lamps(1, 9),
    warnings: [{ code: "rows_may_be_missing", message: "can't be pressed" }],
    slow: "the pointer tries for five seconds to reach a control that is covered",
    variants: {
      next_button: { html: coveredLater('""'), pagination: bySelector },
      load_more: {
        html: coveredLater("list.innerHTML"),
        pagination: { type: "load_more", selector: ".next" },
      },
    },
  },
  "a site that gives its last page for all later ones, too": {
    routes: {
      "/": (request, response) => {
        const page = pageOf(request);
        sendHtml(response, listOf(Math.min(page, 4)) + link(`/?page=${page + 1}`));
      },
    },
    pagination: bySelector,
    rows: [...lamps(1, 12), ...lamps(10, 12), ...lamps(10, 12)],
    warnings: [{ code: "rows_repeated", count: 2 }],
  },
} satisfies Pages;
