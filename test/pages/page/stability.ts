import type { Step } from "../../../functions/contract/steps/steps.ts";
import { cardList, cards, lamps, type Pages, type Routes, SITE, visit } from "../page.ts";
import { answer, eachDocument, times } from "../parts/documents.ts";

/* Pages that show something first, and what is right later. */

const OLD = cards(1, 3, (n) => `Old ${n}`);
const showing = (html: string) => `document.body.innerHTML = ${JSON.stringify(html)};`;
const visibleList: Step = { ...cardList, selector: ".card:visible" };
/** What brings the right content, given the script that shows it. */
const WAYS: Record<string, (show: string) => string> = {
  "a timer": (show) => `setTimeout(() => { ${show} }, 2000)`,
  "a chain of timers": (show) =>
    `let count = 0; const next = () => { if (++count < 10) setTimeout(next, 150); else { ${show} } }; next();`,
  "an idle moment": (show) => `setTimeout(() => requestIdleCallback(() => { ${show} }), 200)`,
  "an idle moment between frames": (show) =>
    `const draw = () => requestAnimationFrame(draw); draw(); setTimeout(() => requestIdleCallback(() => { ${show} }), 200)`,
  "a request that a timer makes": (show) =>
    `setTimeout(async () => { const text = await (await fetch("/price")).text(); ${show} }, 800)`,
  "a message of a stream": (show) => `new EventSource("/events").onmessage = () => { ${show} }`,
  "a request": (show) => `fetch("/price").then((answer) => answer.text()).then((text) => { ${show} })`,
  "a script that has removed its own element": (show) =>
    `setTimeout(() => { ${showing(OLD)} setTimeout(() => { ${show} }, 2000) }, 200)`,
};
const ways = Object.entries(WAYS);
const ANSWERS: Routes = {
  "/price": answer("5 EUR", { ms: 300 }),
  "/events": (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    setTimeout(() => response.write("data: 1\n\n"), 100);
  },
};
const page = (body: string, script: string) => `<body>${body}<script>${script}</script>`;
const changing = Object.fromEntries(
  ways.map(([name, later]) => [name, page(OLD, later(showing(cards(1, 3))))]),
);
const inFrames = Object.fromEntries(
  Object.keys(changing).map((name) => [
    `framed ${name}`,
    `<iframe src="/${name.replaceAll(" ", "-")}"></iframe>`,
  ]),
);
const addressed = Object.fromEntries(
  Object.entries(changing).map(([name, html]) => [`/${name.replaceAll(" ", "-")}`, html]),
);

/** The same for an element alone. */
const price = (n: number) =>
  `document.querySelector("b").textContent = "${n} EUR"; document.querySelector("p").innerHTML = "<i>New</i>";`;
const priced = Object.fromEntries(
  ways
    .slice(0, -1)
    .map(([, later], n) => [
      `/p/${n + 1}`,
      page(`<h1>Item ${n + 1}</h1><b>Loading</b><p></p>`, later(price(n + 1))),
    ]),
);
const details = {
  url_field: "url",
  fields: ["h1", "b", "i"].map((selector) => ({ name: selector, selector })),
};

const SHOW = `list.innerHTML = ${JSON.stringify(cards(1, 40))};`;
const add = (from: string) => `list.insertAdjacentHTML("beforeend", "<p class=card>Lamp " + ${from});`;
const workerOf = (code: string) => `new Worker(URL.createObjectURL(new Blob(["${code}"])))`;
const ENDS = {
  "a timer of four seconds": `setTimeout(() => { ${SHOW} }, 4000)`,
  "a row in each frame": `list.innerHTML = ""; let count = 0;
    const next = () => { ${add("++count")} if (count < 40) requestAnimationFrame(next); }; next();`,
  "some rows after each of many requests": `list.innerHTML = ""; let count = 0;
    const next = async () => { await fetch("/answer"); for (let n = 0; n < 10; n += 1) { ${add("++count")} }
      if (count < 40) setTimeout(next, 800); }; next();`,
  "a script that a timer inserts": `setTimeout(() => document.head.append(Object.assign(document.createElement("script"), { src: "/late.js" })), 300)`,
  "the end of an animation": `list.animate([{ opacity: 0 }, { opacity: 1 }], 1500).onfinish = () => { ${SHOW} }`,
  "a rule that is removed": `document.body.insertAdjacentHTML("beforeend", "<style>.late { display: none }</style>");
    list.innerHTML = ${JSON.stringify(cards(1, 40).replaceAll("Lamp ", "Lamp <span class=late>"))};
    setTimeout(() => document.styleSheets[0].deleteRule(0), 1000)`,
  "a sheet that is adopted": `list.innerHTML = ${JSON.stringify(cards(1, 40).replaceAll("Lamp", "<span class=old>Old</span>Lamp"))};
    const sheet = new CSSStyleSheet(); sheet.replaceSync(".old { display: none }");
    setTimeout(() => document.adoptedStyleSheets.push(sheet), 1000)`,
  "the end of a transition": `list.style.transition = "opacity 1.5s"; setTimeout(() => { list.style.opacity = 0;
    list.ontransitionend = () => { ${SHOW} list.style.opacity = 1; }; }, 3000)`,
};
const LIVE = {
  "a message of a WebSocket": `new WebSocket("ws://" + location.host + "/socket").onmessage = () => { ${SHOW} }`,
  "a worker": `${workerOf("setTimeout(() => postMessage(1), 500)")}.onmessage = () => { ${SHOW} }`,
  "a worker that a timer starts": `setTimeout(() => ${workerOf("setTimeout(() => postMessage(1), 500)")}.onmessage = () => { ${SHOW} }, 1000)`,
  "a busy worker": `${workerOf("const end = Date.now() + 800; while (Date.now() < end); postMessage(1)")}.onmessage = () => { ${SHOW} }`,
};
const listed = (scripts: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(scripts).map(([name, script]) => [
      name,
      page("<div id=list><p class=card>Old</div>", script),
    ]),
  );

/** Rows that a script fills when they come into view, and a row that it adds at the end. */
const inView = `<style>.card { height: 200px }</style><div id=list></div><p id=end>End</p><script>
  for (let n = 1; n <= 30; n += 1) list.insertAdjacentHTML("beforeend",
    \`<div class=card data-n=\${n}><b>Loading</b><img src='data:image/gif;base64,R0'></div>\`);
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target: row } of entries) if (isIntersecting) setTimeout(() => {
      if (row.dataset.n) row.innerHTML = "<b>Lamp " + row.dataset.n + "</b><img src='/" + row.dataset.n + ".png'>";
    }, 200);
  });
  for (const row of document.querySelectorAll(".card")) seen.observe(row);
  let more = 0;
  new IntersectionObserver(([entry]) => {
    if (entry.isIntersecting && more++ < 1) list.insertAdjacentHTML("beforeend", "<div class=card><b>More</b></div>");
  }).observe(end);</script>`;

export default {
  "lists that something brings later": {
    ...eachDocument(changing, { also: ANSWERS }),
    rows: times(ways.length, lamps(1, 3)),
  },
  "lists that something brings later, by a selector that a style sheet decides": {
    ...eachDocument(changing, { also: ANSWERS, list: visibleList }),
    rows: times(ways.length, lamps(1, 3)),
  },
  "lists in frames that something brings later": {
    ...eachDocument(inFrames, {
      also: { ...ANSWERS, ...addressed },
      list: { ...cardList, frame: "iframe" },
    }),
    rows: times(ways.length, lamps(1, 3)),
  },
  "pages of a list that something brings later": {
    routes: {
      ...ANSWERS,
      ...Object.fromEntries(
        ways.map(([, later], n) => [
          `/page/${n + 1}`,
          page(OLD, later(showing(cards(1, 3, (row) => `Page ${n + 1}, lamp ${row}`)))),
        ]),
      ),
    },
    steps: [cardList],
    pagination: { type: "url_template", url: `${SITE}/page/{page}`, max_pages: ways.length },
    rows: ways.flatMap((_, n) => [1, 2, 3].map((row) => ({ name: `Page ${n + 1}, lamp ${row}` }))),
  },
  "details that something brings later": {
    html: cards(1, 7),
    routes: { ...ANSWERS, ...priced },
    steps: [visit(), { ...cardList, fields: [{ name: "url", selector: "a", attribute: "href" }], details }],
    rows: [1, 2, 3, 4, 5, 6, 7].map((n) => ({
      url: `${SITE}/p/${n}`,
      h1: `Item ${n}`,
      b: `${n} EUR`,
      i: "New",
    })),
  },
  "texts that something brings later": {
    routes: { ...ANSWERS, ...priced },
    steps: Object.keys(priced).flatMap((path): Step[] => [
      visit(path),
      { type: "get_text", field_name: path, selector: "b" },
    ]),
    rows: [Object.fromEntries(Object.keys(priced).map((path, n) => [path, `${n + 1} EUR`]))],
  },
  "a list in the end: after timers, frames, requests, animations and style sheets": {
    ...eachDocument(listed(ENDS), {
      also: {
        "/late.js": answer(SHOW, { ms: 700, type: "text/javascript" }),
        "/answer": answer("x", { ms: 200 }),
      },
    }),
    rows: times(Object.keys(ENDS).length, lamps(1, 40)),
  },
  "a list in the end: after a message, and after workers": {
    ...eachDocument(listed(LIVE)),
    routes: (site) => {
      site.onSocket((_, socket) => {
        // A text frame: "1".
        setTimeout(() => socket.write(Buffer.from([0x81, 1, 0x31])), 200);
      });
      return eachDocument(listed(LIVE)).routes as Routes;
    },
    rows: times(Object.keys(LIVE).length, lamps(1, 40)),
  },
  "rows that a script fills when they come into view": {
    html: inView,
    steps: [
      visit(),
      {
        ...cardList,
        fields: [
          { name: "name", selector: "b" },
          { name: "image", selector: "img", attribute: "src" },
        ],
      },
    ],
    rows_limit: 30,
    rows: lamps(1, 30).map((row, n) => ({ ...row, image: `${SITE}/${n + 1}.png` })),
  },
  "rows that a click hides at the end of a transition": {
    html: `<button>Few</button><ul>${cards(1, 6)}</ul><script>document.querySelector("button").onclick = () => {
      for (const row of [...document.querySelectorAll(".card")].slice(3)) {
        row.style.transition = "opacity .4s"; row.offsetHeight; row.style.opacity = 0;
        row.addEventListener("transitionend", () => { row.style.display = "none"; }); } };</script>`,
    steps: [visit(), { type: "click", field_name: "Few" }, visibleList],
    rows: lamps(1, 3),
  },
  "a value that its name identifies, after what a click has started, long after the page was loaded": {
    html: `<dl><dt>Total</dt><dd>Old</dd></dl>
      <button onclick="setTimeout(() => { document.querySelector('dd').textContent = 'Right' }, 700)">Show</button>`,
    clock: "real",
    steps: [
      visit(),
      { type: "wait", value: 1_500 },
      { type: "click", field_name: "Show" },
      { type: "get_text", field_name: "Total" },
    ],
    rows: [{ Total: "Right" }],
  },
} satisfies Pages;
