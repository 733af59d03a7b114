import type { Step } from "../../../functions/contract/steps/steps.ts";
import { sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Page, type Pages, pageOf, type Routes, SITE, visit } from "../page.ts";
import { answer, STUCK } from "../parts/documents.ts";

/* The time of pages, which jumps ahead while the engine waits for them. */

/** The timers of each page. Together, those of a run would take longer than it may. */
const LATE_MS = 55_000;
/** Such timers can't be waited for in real time: no list is found then. */
const clock = "page";

const rows = JSON.stringify(cards(1, 3));
const show = `document.body.insertAdjacentHTML("beforeend", ${rows});`;
/** Rows that differ from those of other pages, which would end the list. */
const showOwn = `document.body.insertAdjacentHTML("beforeend", ${rows}.replaceAll("Lamp", location.pathname));`;

const ROUTES: Routes = {
  "/rows": answer(cards(1, 3), { ms: 100 }),
  "/late": answer(cards(1, 3), { ms: 1_200 }),
  "/events": (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
  },
  "/never": () => {},
};

const LONG: Record<string, string> = {
  timer: `setTimeout(() => { ${showOwn} }, ${LATE_MS})`,
  "timers-and-requests": `let count = 0;
    const next = async () => {
      const text = await (await fetch("/rows")).text();
      if (++count < 5) setTimeout(next, ${LATE_MS / 5});
      else document.body.innerHTML = text.replaceAll("Lamp", location.pathname);
    };
    next();`,
  "timer-and-frame": `setTimeout(() => requestAnimationFrame(() => { ${showOwn} }), ${LATE_MS})`,
  "timer-and-idle-moment": `setTimeout(() => requestIdleCallback(() => { ${showOwn} }), ${LATE_MS})`,
  "timer-of-a-frame": `const frame = document.createElement("iframe");
    frame.srcdoc = '<script>setTimeout(() => parent.show(), ${LATE_MS})<' + '/script>';
    document.body.append(frame);
    function show() { ${showOwn} }`,
  "ticking-clock": `let shown = 0;
    const clock = document.body.appendChild(document.createElement("time"));
    setInterval(() => { clock.textContent = Date.now(); if (++shown === ${LATE_MS / 1_000}) { ${showOwn} } }, 1_000);`,
  "requests-again-and-again": `setInterval(() => fetch("/rows"), ${LATE_MS / 5}); setTimeout(() => { ${showOwn} }, ${LATE_MS})`,
};
const patient: Step = { ...cardList, timeout_ms: 60_000 };
/** Some of these pages, one after another. */
function longTimers(from: number, to: number): Page {
  const pages = Object.entries(LONG).slice(from, to);
  return {
    routes: {
      ...ROUTES,
      ...Object.fromEntries(pages.map(([name, script]) => [`/${name}`, `<body><script>${script}</script>`])),
    },
    clock,
    steps: pages.flatMap(([name]) => [visit(`/${name}`), patient]),
    rows: pages.flatMap(([name]) => [1, 2, 3].map((n) => ({ name: `/${name} ${n}` }))),
  };
}

/** Opens another document by a timer. That one waits for a script, and ignores presses until the rows of the last one are there. */
const LEFT: Routes = {
  "/": `<button id=open onclick="setTimeout(() => { location = '/list' }, 300)">Open</button>`,
  "/list": `<ul>${cards(1, 3)}</ul><button id=more>More</button><script src="/slow.js"></script><script>
    const texts = ${JSON.stringify([cards(4, 6), cards(7, 9), cards(10, 12)])}; let isBusy = false;
    document.getElementById("more").onclick = () => {
      if (!isBusy) setTimeout(() => { isBusy = false; document.querySelector("ul").innerHTML += texts.shift(); }, 1_000);
      isBusy = true;
    };</script>`,
  "/slow.js": answer("", { ms: 600, type: "text/javascript" }),
};
const more: Step = { type: "click", selector: "#more" };

const BUSY = "const end = Date.now() + 300; while (Date.now() < end);";

export default {
  "rows that come after long timers and what follows them do not take the time that they say": longTimers(
    0,
    4,
  ),
  "rows that come beside work that repeats do not take the time that their timers say": longTimers(4, 7),
  "the same on pages that are loaded side by side": {
    routes: Object.fromEntries([1, 2, 3].map((n) => [`/${n}`, `<body><script>${LONG.timer}</script>`])),
    clock,
    steps: [patient],
    pagination: { type: "url_template", url: `${SITE}/{page}`, max_pages: 3 },
    rows: [1, 2, 3].flatMap((page) => [1, 2, 3].map((n) => ({ name: `/${page} ${n}` }))),
  },
  "rows that come after events of a stream that never ends": {
    html: `<body><script>new EventSource("/events").onmessage = () => setTimeout(() => { ${show} }, 1500);</script>`,
    routes: ROUTES,
    steps: [visit(), cardList],
    rows: lamps(1, 3),
  },
  "rows that come when the browser has connected a stream again": {
    html: `<body><script>new EventSource("/ended").onmessage = ({ data }) => { if (data === "2") { ${show} } };</script>`,
    routes: () => {
      let count = 0;
      return {
        "/ended": (_, response) => {
          count += 1;
          response
            .writeHead(200, { "content-type": "text/event-stream" })
            .end(`retry: 2000\ndata: ${count}\n\n`);
        },
      };
    },
    steps: [visit(), cardList],
    rows: lamps(1, 3),
  },
  "each press has its time in a document that a timer has opened": {
    routes: LEFT,
    steps: [visit(), { type: "click", selector: "#open" }, more, more, more, cardList],
    rows: lamps(1, 12),
  },
  "rows that come beside a request that is never answered": {
    html: `<body><script>fetch("/never"); setTimeout(() => { ${show} }, 1500);</script>`,
    routes: ROUTES,
    steps: [visit(), cardList],
    rows: lamps(1, 3),
    warnings: [{ code: "rows_may_be_missing", message: "/never, and had no answer in time" }],
  },
  "rows that a script shows after a loop that waits for the time to pass": {
    html: `<body><script>setTimeout(() => { ${BUSY} ${show} }, 200)</script>`,
    steps: [visit(), cardList],
    rows: lamps(1, 3),
    loads: 1,
    slow: STUCK,
  },
  "rows that such a script replaces after three seconds": {
    html: `<main>${cards(1, 2)}</main><script>
      setTimeout(() => { ${BUSY} document.querySelector("main").innerHTML = '${cards(1, 3)}'; }, 3000);</script>`,
    steps: [visit(), cardList],
    rows: lamps(1, 3),
    slow: STUCK,
  },
  "the time of a page is left alone where the scraper says so": {
    html: `<body><script>setTimeout(() => { ${show} }, ${LATE_MS})</script>`,
    steps: [visit(), { ...cardList, timeout_ms: 1_000 }],
    clock: "real",
    failure: "element_not_found",
  },
  "rows that timers add within some seconds, where the scraper says that the time is real": {
    html: `<body>${cards(1, 3)}<script>setTimeout(() => setTimeout(() => {
      document.body.insertAdjacentHTML("beforeend", '${cards(4, 6)}'); }, 1_600), 1_600)</script>`,
    clock: "real",
    rows: lamps(1, 6),
    slow: "Real time passes.",
  },
  "responses that take their time are waited for at their own speed": {
    html: `<body><script>setTimeout(() => { document.body.innerHTML = "<p>Too late"; }, 60_000);
      fetch("/late").then((response) => response.text()).then((text) => { document.body.innerHTML = text; });</script>`,
    routes: ROUTES,
    steps: [visit(), cardList],
    rows: lamps(1, 3),
  },
  "the time of pages that wait for nothing is not far ahead, after many of them": {
    routes: {
      "/times": (request, response) => {
        const page = pageOf(request);
        sendHtml(
          response,
          `<div class=card></div>${page < 30 ? `<a class=next href="/times?page=${page + 1}">Next</a>` : ""}
          <script>const ahead = Date.now() - ${Date.now()};
          document.querySelector(".card").textContent = "Page ${page} " + (ahead < 60_000 ? "is new" : ahead);</script>`,
        );
      },
    },
    steps: [visit("/times"), cardList],
    pagination: { type: "next_button", selector: ".next" },
    concurrency: 1,
    rows: Array.from({ length: 30 }, (_, index) => ({ name: `Page ${index + 1} is new` })),
  },
  "a page that is signed in for two minutes remains so while its list grows": {
    html: `<ul></ul><button>More</button><script>
      const [list] = document.getElementsByTagName("ul"), [more] = document.getElementsByTagName("button");
      const until = Date.now() + 120_000;
      more.onclick = () => {
        if (Date.now() > until) { more.remove(); return; }
        list.insertAdjacentHTML("beforeend", '<li class=card>Lamp ' + (list.children.length + 1));
        if (list.children.length === 40) more.remove();
      };
      more.click();</script>`,
    steps: [visit(), cardList],
    pagination: { type: "load_more", selector: "button" },
    rows: lamps(1, 40),
  },
  "presses of which a page takes notice once in a second": {
    html: `<ul>${cards(1, 2)}</ul><button>More</button><script>
      const [list] = document.getElementsByTagName("ul"), [more] = document.getElementsByTagName("button");
      let last = 0;
      more.onclick = () => {
        if (Date.now() - last < 1_000) return;
        last = Date.now();
        list.insertAdjacentHTML("beforeend", '<li class=card>Lamp ' + (list.children.length + 1));
        if (list.children.length === 8) more.remove();
      };</script>`,
    steps: [visit(), cardList],
    pagination: { type: "load_more", selector: "button" },
    rows: lamps(1, 8),
  },
  "rows that come after more requests than the time of a page that waits for nothing has room for": {
    html: `<body><script>
      const ask = async () => { for (let n = 0; n < 100; n += 1) await fetch("/step?" + n); };
      ask().then(() => { ${show} });</script>`,
    routes: { "/step": answer("") },
    steps: [visit(), cardList],
    rows: lamps(1, 3),
  },
  "rows that come by timers of each kind": {
    html: `<body><script>
      const add = (n) => document.body.insertAdjacentHTML("beforeend", '<li class=card>Lamp ' + n);
      setTimeout("add(1)", 1_000);
      const texts = setInterval("add(2); clearTimeout(texts)", 1_500);
      scheduler.postTask(() => add(3), { delay: 2_000 });
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.contentWindow.setTimeout(() => add(4), 2_500);
      const repeated = setInterval((n) => { add(n); clearInterval(repeated); }, 3_000, 5);
      setTimeout(function () { if (this === window) add(6); }, 3_500);
      clearTimeout(setTimeout(add, 100, 0));
      AbortSignal.timeout(4_000).onabort = () => add(7);</script>`,
    steps: [visit(), cardList],
    rows: lamps(1, 7),
  },
  "a page may wait in a loop for the time to pass while it is left": {
    routes: Object.fromEntries(
      [1, 2, 3].map((page) => [
        `/${page}`,
        `${cards(1, 3, (n) => `Page ${page}, lamp ${n}`)}<a class=next href="/${page + 1}">Next</a>
        <script>onpagehide = () => { ${BUSY} };</script>`,
      ]),
    ),
    steps: [visit("/1"), cardList],
    pagination: { type: "next_button", selector: ".next", max_pages: 3 },
    rows: [1, 2, 3].flatMap((page) => [1, 2, 3].map((n) => ({ name: `Page ${page}, lamp ${n}` }))),
    loads: 3,
    slow: STUCK,
  },
} satisfies Pages;
