import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Handler } from "../../site/site.ts";
import { cardList, cards, lamps, type Pages, type Routes, visit } from "../page.ts";
import { answer, times } from "../parts/documents.ts";

/* Steps and pages that lead to another page, or to none. */

const click = (field_name: string): Step => ({ type: "click", field_name });
const redirect =
  (to: string): Handler =>
  (_, response) =>
    void response.writeHead(302, { location: to }).end();
const download: Handler = (_, response) =>
  void response
    .writeHead(200, {
      "content-type": "application/zip",
      "content-disposition": "attachment; filename=a.zip",
    })
    .end("zip");
const zip: Handler = (_, response) =>
  void response.writeHead(200, { "content-type": "application/zip" }).end("zip");
const nothing: Handler = (_, response) => void response.writeHead(204).end();
const cut: Handler = ({ socket }) => void socket.destroy();

const LATE = `<div id=root></div><script>setTimeout(() => { root.innerHTML = '${cards(1, 3)}'; }, 700)</script>`;
const OPENERS: Record<string, string> = {
  "/link": `<a target=_blank href="/late">Open</a>`,
  "/script": `<button onclick="window.open('/late')">Open</button>`,
};
const deadEnds = (routes: Routes) =>
  `${Object.keys(routes)
    .map((path) => `<a target=_blank href="${path}">${path.slice(1)}</a>`)
    .join("")}${cards(1, 2)}`;

const form = "<h1>Form</h1><form action=/answer><input name=q><button>Go</button></form>";
/** Steps that lead to a page, with less time for their elements than its server takes. */
const SENDING: Record<string, Step[]> = {
  click: [{ type: "click", field_name: "Go", timeout_ms: 1_000 }],
  submit: [{ type: "write_input", value: "x", submit: true, timeout_ms: 1_000 }],
  press: [
    { type: "click", selector: "input" },
    { type: "press_key", value: "Enter", timeout_ms: 1_000 },
  ],
};

const consent = (attributes = "") =>
  `<div id=consent style="position:fixed;inset:0;background:#fff" ${attributes}>Cookies? <button onclick="consent.remove()">Accept all</button></div>`;
const covered = { code: "element_covered", step: 1 };
const brief = (field_name: string): Step => ({ type: "click", field_name, timeout_ms: 1_500 });

const INPUTS = {
  "that a script resets": 'setTimeout(() => { q.value = ""; q.oninput = show; }, 800)',
  "that a script replaces":
    "setTimeout(() => { const other = q.cloneNode(); q.replaceWith(other); other.oninput = show; }, 600)",
  "that a script takes care of after data":
    'fetch("/here").then(() => setTimeout(() => { q.oninput = show; }, 500))',
};

export default {
  "a click that opens a new tab": {
    routes: { "/late": LATE, ...OPENERS },
    steps: Object.keys(OPENERS).flatMap((path) => [visit(path), click("Open"), cardList]),
    rows: times(2, lamps(1, 3)),
    loads: 4,
  },
  "a click that opens a new tab by a timer": {
    html: `<button onclick="fetch('/data').then(() => setTimeout(() => window.open('/late'), 3000))">Open</button>`,
    routes: { "/late": LATE, "/data": answer("", { ms: 300 }) },
    steps: [visit(), click("Open"), cardList],
    rows: lamps(1, 3),
    loads: 2,
  },
  "a click that opens a new tab on a slow server, after the page has opened one for a download by itself": {
    html: `<a target=_blank href="/slow">Open</a>${cards(1, 3)}<script>window.open("/report")</script>`,
    routes: { "/report": zip, "/slow": answer(cards(1, 2), { ms: 1_500 }) },
    steps: [visit(), { type: "wait", value: 1_000 }, click("Open"), cardList],
    rows: lamps(1, 2),
    loads: 2,
  },
  "a click that opens a new tab for a download, for nothing or for mail stays on its page": {
    html: `<a target=_blank href="/archive">Archive</a><a target=_blank href="/nothing">Nothing</a><a target=_blank href="mailto:a@b.test">Mail</a>${cards(1, 2)}`,
    routes: { "/archive": zip, "/nothing": nothing },
    steps: [visit(), click("Archive"), click("Nothing"), click("Mail"), cardList],
    rows: lamps(1, 2),
    loads: 1,
    // Less than the half a minute that a window may take which the browser tells nothing of.
    deadlineMs: 25_000,
  },
  "a click that opens a new tab where no page comes": {
    routes: (site) => {
      const routes = {
        "/broken": cut,
        "/inside": redirect("http://169.254.169.254/"),
        "/secure": redirect(`https://${site.host}/`),
      };
      return { ...routes, "/": deadEnds(routes) };
    },
    variants: {
      "a server that cuts the connection": {
        steps: [visit(), click("broken"), cardList],
        failure: { code: "navigation_failed", step: 1 },
      },
      "an address of the inside": {
        steps: [visit(), click("inside"), cardList],
        failure: { code: "blocked_address", step: 1 },
      },
      "a server without TLS": {
        steps: [visit(), click("secure"), cardList],
        failure: { code: "navigation_failed", step: 1 },
      },
    },
  },
  "a step waits for the page that it leads to, longer than for its element": {
    html: form,
    routes: { "/answer": answer("<h1>Answer</h1>", { ms: 1_500 }) },
    steps: Object.entries(SENDING).flatMap(([name, steps]): Step[] => [
      visit(),
      ...steps,
      { type: "get_text", field_name: name, selector: "h1" },
    ]),
    rows: [{ click: "Answer", submit: "Answer", press: "Answer" }],
    loads: 6,
  },
  "redirects, a meta refresh and a script's redirect": {
    routes: {
      "/here": cards(1, 2),
      "/once-more": redirect("/here"),
      "/redirected": redirect("/once-more"),
      "/refreshed": `<meta http-equiv=refresh content="0;url=/here">`,
      "/replaced": `<script>location.replace("/here")</script>`,
    },
    steps: ["/redirected", "/refreshed", "/replaced"].flatMap((path) => [visit(path), cardList]),
    rows: times(3, lamps(1, 2)),
  },
  "client-side routing is no page load": {
    html: `<a href="/list">List</a><main id=main></main><script>
      document.querySelector("a").onclick = (event) => {
        event.preventDefault();
        history.pushState({}, "", event.target.href);
        setTimeout(() => { main.innerHTML = '${cards(1, 2)}'; }, 100);
      };</script>`,
    steps: [visit(), click("List"), cardList],
    rows: lamps(1, 2),
    loads: 1,
  },
  "dialogs, beforeunload and downloads": {
    html: `<script>alert("hi"); onbeforeunload = (event) => { event.preventDefault(); event.returnValue = "stay"; };</script>
      <button onclick="if (confirm('sure?')) document.body.insertAdjacentHTML('beforeend', '<a href=/here>On</a>')">Ask</button><a href="/file">File</a>`,
    routes: { "/file": download, "/here": cards(1, 2) },
    steps: [visit(), click("File"), click("Ask"), click("On"), cardList],
    rows: lamps(1, 2),
  },
  "a visit that leads to a download": {
    routes: { "/": download },
    steps: [visit()],
    failure: "not_html",
  },
  "a question that a list's control asks is answered with OK": {
    html: `${cards(1, 2)}<button id=next onclick="if (confirm('Leave this page?')) location = '/rest'">Next</button>`,
    routes: { "/rest": cards(3, 5) },
    steps: [visit(), cardList],
    pagination: { type: "next_button", selector: "#next", max_pages: 2 },
    rows: lamps(1, 5),
    loads: 2,
  },
  "a question that no step caused is answered with Cancel, and warned of": {
    html: `${cards(1, 2)}<script>if (confirm("Open our app?")) location = "/elsewhere"; prompt("Your name?");</script>`,
    steps: [visit(), cardList],
    rows: lamps(1, 2),
    warnings: [{ code: "dialog_cancelled", message: '"Open our app?"' }],
  },
  "a step waits for a page's first timers: an input": {
    routes: { "/here": cards(1, 2) },
    variants: Object.fromEntries(
      Object.entries(INPUTS).map(([name, script]) => [
        name,
        {
          html: `<input id=q aria-label=Search><div id=list>${cards(1, 1)}</div>
            <script>const show = ({ target }) => { list.innerHTML = '<p class=card>' + target.value + '</p>'; }; ${script}</script>`,
        },
      ]),
    ),
    steps: [visit(), { type: "write_input", field_name: "Search", value: "lamp" }, cardList],
    rows: [{ name: "lamp" }],
  },
  "an element that another one covers": {
    html: `${consent(`class="${"fixed inset-0 ".repeat(12)}"`)}<button onclick="location = '/here'">Products</button><a href="/here"><b>All products</b></a><a href="#">Menu</a>`,
    routes: { "/here": cards(1, 2) },
    variants: {
      "is told as such, however long the tag that covers it is": {
        steps: [visit(), brief("Products")],
        failure: { ...covered, message: /is covered by <div .{100,120}…\. Close/ },
      },
      "is uncovered by an optional click": {
        steps: [
          visit(),
          { type: "click", field_name: "Accept all", optional: true },
          { type: "click", field_name: "No such banner", optional: true, timeout_ms: 200 },
          click("Products"),
          cardList,
        ],
        rows: lamps(1, 2),
      },
      "is followed by its address": {
        steps: [visit(), brief("All products"), cardList],
        rows: lamps(1, 2),
      },
      "is told as such if its address leads nowhere else": {
        steps: [visit(), brief("Menu")],
        failure: covered,
      },
    },
  },
} satisfies Pages;
