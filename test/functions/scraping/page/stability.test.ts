import { describe, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { items, names, startItemSite } from "./item-site.ts";

/* Pages that show something first, and what is right later. */

const { engine, site } = await startItemSite();

site.setRoute("/price", (_, response) => {
  setTimeout(() => response.writeHead(200, { "content-type": "text/plain" }).end("5 EUR"), 300);
});

site.setRoute("/events", (_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  setTimeout(() => response.write("data: 1\n\n"), 100);
});
const OLD = items(3).replaceAll("Item", "Old");
/** What brings the right content, given the script that shows it. */
const WAYS = {
  "a timer": (show: string) => `setTimeout(() => { ${show} }, 2000)`,
  "a chain of timers": (show: string) =>
    `let count = 0; const next = () => { if (++count < 10) setTimeout(next, 150); else { ${show} } }; next();`,
  "an idle moment": (show: string) => `setTimeout(() => requestIdleCallback(() => { ${show} }), 200)`,
  "an idle moment between frames": (show: string) =>
    `const draw = () => requestAnimationFrame(draw); draw(); setTimeout(() => requestIdleCallback(() => { ${show} }), 200)`,
  "a request that a timer makes": (show: string) =>
    `setTimeout(async () => { const text = await (await fetch("/price")).text(); ${show} }, 800)`,
  "a message of a stream": (show: string) => `new EventSource("/events").onmessage = () => { ${show} }`,
  "a request": (show: string) =>
    `fetch("/price").then((answer) => answer.text()).then((text) => { ${show} })`,
};

const list: Step = { type: "get_list", selector: ".item", fields: [{ name: "name" }] };

describe.each(Object.entries(WAYS))(
  "what is shown by %s is read, and not what was there before",
  (_, later) => {
    const setPage = (path: string, body: string, show: string) =>
      site.setRoute(path, `<body>${body}<script>${later(show)}</script>`);
    const showItems = `document.body.innerHTML = ${JSON.stringify(items(3))};`;

    test.concurrent("in a list", async () => {
      const path = site.newPath();
      setPage(path, OLD, showItems);
      for (const selector of [".item", ".item:visible"]) {
        const told = await engine.run({
          steps: [
            { type: "visit", url: site.url(path) },
            { ...list, selector },
          ],
        });
        expect(told.rows).toEqual(names(3));
      }
    });

    test.concurrent("on each page of a list", async () => {
      const path = site.newPath();
      for (const page of [1, 2, 3, 4, 5])
        setPage(path + page, OLD, showItems.replaceAll("Item", `Page ${page}, item`));
      const pagination = { type: "url_template", url: `${site.url(path)}{page}`, max_pages: 5 } as const;
      const told = await engine.run({ steps: [list], pagination });
      expect(told.rows.map(({ name }) => name)).toEqual(
        [1, 2, 3, 4, 5].flatMap((page) => [1, 2, 3].map((item) => `Page ${page}, item ${item}`)),
      );
    });

    test.concurrent("in a frame", async () => {
      const [path, frame] = [site.newPath(), site.newPath()];
      setPage(frame, OLD, showItems);
      site.setRoute(path, `<iframe src="${frame}"></iframe>`);
      const told = await engine.run({
        steps: [
          { type: "visit", url: site.url(path) },
          { ...list, frame: "iframe" },
        ],
      });
      expect(told.rows).toEqual(names(3));
    });

    test.concurrent("in details", async () => {
      const path = site.newPath();
      const numbers = [1, 2, 3, 4, 5, 6];
      site.setRoute(path, numbers.map((n) => `<a class=item href="${path}${n}">Item ${n}</a>`).join(""));
      for (const n of numbers)
        setPage(
          `${path}${n}`,
          `<h1>Item ${n}</h1><b>Loading</b><p></p>`,
          `document.querySelector("b").textContent = "${n} EUR"; document.querySelector("p").innerHTML = "<i>New</i>";`,
        );
      const details = {
        url_field: "url",
        fields: [
          { name: "title", selector: "h1" },
          { name: "price", selector: "b" },
          { name: "state", selector: "i" },
        ],
      };
      const fields = [{ name: "url", attribute: "href" }];
      const told = await engine.run({
        steps: [{ type: "visit", url: site.url(path) }, { ...list, fields, details } as Step],
      });
      expect(told.rows).toMatchObject(
        numbers.map((n) => ({ title: `Item ${n}`, price: `${n} EUR`, state: "New" })),
      );
    });

    test.concurrent("as a text", async () => {
      const path = site.newPath();
      setPage(path, "<b>Loading</b>", 'document.querySelector("b").textContent = "5 EUR";');
      const told = await engine.run({
        steps: [
          { type: "visit", url: site.url(path) },
          { type: "get_text", field_name: "price", selector: "b" },
        ],
      });
      expect(told.rows).toEqual([{ price: "5 EUR" }]);
    });
  },
);

const SHOW = `list.innerHTML = ${JSON.stringify(items(40))};`;
const add = (from: string) => `list.insertAdjacentHTML("beforeend", "<p class=item>Item " + ${from});`;
site.setRoute("/late.js", (_, response) => {
  setTimeout(() => response.writeHead(200, { "content-type": "text/javascript" }).end(SHOW), 900);
});
site.onSocket((_, socket) => {
  // A text frame: "1".
  setTimeout(() => socket.write(Buffer.from([0x81, 1, 0x31])), 200);
});
site.setRoute("/answer", (_, response) => {
  setTimeout(() => response.end("x"), 300);
});

test.concurrent.each(
  Object.entries({
    "a timer of four seconds": `setTimeout(() => { ${SHOW} }, 4000)`,
    "a row in each frame": `list.innerHTML = ""; let count = 0;
      const next = () => { ${add("++count")} if (count < 40) requestAnimationFrame(next); }; next();`,
    "some rows after each of many requests": `list.innerHTML = ""; let count = 0;
      const next = async () => { await fetch("/answer"); for (let n = 0; n < 5; n += 1) { ${add("++count")} }
        if (count < 40) setTimeout(next, 800); }; next();`,
    "a script that a timer inserts": `setTimeout(() => document.head.append(Object.assign(document.createElement("script"), { src: "/late.js" })), 300)`,
    "a message of a WebSocket": `new WebSocket("ws://" + location.host + "/socket").onmessage = () => { ${SHOW} }`,
    "the end of an animation": `list.animate([{ opacity: 0 }, { opacity: 1 }], 1500).onfinish = () => { ${SHOW} }`,
    "a worker": `new Worker(URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), 500)"]))).onmessage = () => { ${SHOW} }`,
    "a worker that a timer starts": `setTimeout(() => new Worker(URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), 500)"]))).onmessage = () => { ${SHOW} }, 1000)`,
    "a rule that is removed": `document.body.insertAdjacentHTML("beforeend", "<style>.late { display: none }</style>");
      list.innerHTML = ${JSON.stringify(items(40).replaceAll("Item ", "Item <span class=late>"))};
      setTimeout(() => document.styleSheets[0].deleteRule(0), 1000)`,
    "a sheet that is adopted": `list.innerHTML = ${JSON.stringify(items(40).replaceAll("<p class=item>", "<p class=item><span class=old>Old</span>"))};
      const sheet = new CSSStyleSheet(); sheet.replaceSync(".old { display: none }");
      setTimeout(() => document.adoptedStyleSheets.push(sheet), 1000)`,
    "a busy worker": `new Worker(URL.createObjectURL(new Blob(["const end = Date.now() + 1500; while (Date.now() < end); postMessage(1)"]))).onmessage = () => { ${SHOW} }`,
    "the end of a transition": `list.style.transition = "opacity 1.5s"; setTimeout(() => { list.style.opacity = 0;
      list.ontransitionend = () => { ${SHOW} list.style.opacity = 1; }; }, 3000)`,
  }),
)("a list is read as it is in the end: %s", async (_, code) => {
  const path = site.newPath();
  site.setRoute(path, `<div id=list><p class=item>Old</div><script>${code}</script>`);
  const told = await engine.run({ steps: [{ type: "visit", url: site.url(path) }, list] });
  expect(told.rows).toEqual(names(40));
});

test.concurrent.each([
  ["texts", "row.textContent = 'Item ' + row.dataset.n", ""],
  [
    "images",
    "row.querySelector('img').src = '/' + row.dataset.n + '.png'",
    "<img src='data:image/gif;base64,R0'>",
  ],
])("rows that a script fills when they come into view have their %s", async (what, fill, inside) => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<style>.item { height: 200px }</style><div id=list></div><p id=end>End</p><script>
    for (let n = 1; n <= 30; n += 1) list.insertAdjacentHTML("beforeend", \`<div class=item data-n=\${n}>${inside || "Loading"}</div>\`);
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target: row } of entries) if (isIntersecting) setTimeout(() => { ${fill}; }, 200);
    });
    for (const row of document.querySelectorAll(".item")) seen.observe(row);
    let more = 0;
    new IntersectionObserver(([entry]) => { if (entry.isIntersecting && more++ < 1) list.insertAdjacentHTML("beforeend", "<div class=item>More</div>"); }).observe(end);</script>`,
  );
  const image = { name: "name", selector: "img", attribute: "src" };
  const told = await engine.run({
    steps: [{ type: "visit", url: site.url(path) }, what === "images" ? { ...list, fields: [image] } : list],
  });
  const expected = names(30).map(({ name }, index) => ({
    name: what === "images" ? site.url(`/${index + 1}.png`) : name,
  }));
  expect(told.rows.slice(0, 30)).toEqual(expected);
});

test("a value that its name identifies is read after what a click has started, also long after the page was loaded", async () => {
  const path = site.newPath();
  const show = "document.querySelector('dd').textContent = 'Right'";
  site.setRoute(
    path,
    `<dl><dt>Total</dt><dd>Old</dd></dl><button onclick="setTimeout(() => { ${show} }, 700)">Show</button>`,
  );
  const told = await engine.run({
    clock: "real",
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "wait", value: 2000 },
      { type: "click", field_name: "Show" },
      { type: "get_text", field_name: "Total" },
    ],
  });
  expect(told.rows).toEqual([{ Total: "Right" }]);
});

test("what a script shows later is read, also after the script has removed its own element", async () => {
  const path = site.newPath();
  const show = (html: string) => `document.body.innerHTML = ${JSON.stringify(html)};`;
  site.setRoute(
    path,
    `<body><script>setTimeout(() => { ${show(OLD)} setTimeout(() => { ${show(items(3))} }, 2000) }, 200)</script>`,
  );
  const told = await engine.run({ steps: [{ type: "visit", url: site.url(path) }, list] });
  expect(told.rows).toEqual(names(3));
});
