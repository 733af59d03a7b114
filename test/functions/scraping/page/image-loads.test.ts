import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import type { ScrapeJob } from "../../../../functions/scraping/job.ts";
import { items, list, names, startItemSite } from "./item-site.ts";

/* Pages that wait for their images. The engine loads none, unless a scraper asks for it. */

const { engine, site } = await startItemSite();

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"></svg>';
site.setRoute("/image.svg", async (_, response) => {
  await sleep(700);
  response.writeHead(200, { "content-type": "image/svg+xml" }).end(SVG);
});

const show = `document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(items(3))})`;
const scrape = (html: string, job: Partial<ScrapeJob> = {}) => {
  const path = site.newPath();
  site.setRoute(path, html);
  return engine.run({ steps: [{ type: "visit", url: site.url(path) }, list], ...job });
};

const waits = Object.entries({
  "a handler": `const image = new Image(); image.onload = () => { ${show} }; image.src = "/image.svg";`,
  "a handler that is set later": `const image = new Image(); image.src = "/image.svg"; image.onload = () => { ${show} };`,
  "a listener": `const image = document.createElement("img");
    image.addEventListener("load", () => { ${show} }); image.setAttribute("src", "/image.svg");`,
  "a listener for a set of sources": `const image = document.body.appendChild(document.createElement("img"));
    image.addEventListener("load", () => { ${show} }); image.srcset = "/image.svg 2x";`,
  "the second of two sources": `const image = new Image(); let loads = 0;
    image.onload = () => { loads += 1; if (loads === 2) { ${show} } else image.src = "/image.svg?large"; };
    image.src = "/image.svg";`,
  decoding: `const image = new Image(); image.src = "/image.svg"; image.decode().then(() => { ${show} });`,
  "a look at it now and then": `const image = new Image(); image.src = "/image.svg";
    const timer = setInterval(() => { if (image.complete) { clearInterval(timer); ${show} } }, 100);`,
  "its size": `const image = new Image(); image.src = "/image.svg";
    const timer = setInterval(() => { if (image.naturalWidth > 0 && image.height > 0) { clearInterval(timer); ${show} } }, 100);`,
  "the images of what is not in the document": `const box = document.createElement("div");
    box.innerHTML = '<img src="/image.svg">'; const image = box.firstChild;
    if (image.complete) throw new Error("too early");
    image.addEventListener("load", () => { ${show} });`,
});

test.concurrent.each(waits)("rows that a page shows after %s", async (_, script) => {
  const told = await scrape(`<body><script>${script}</script>`);
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(3));
});

test.concurrent("rows that an attribute of an image shows", async () => {
  const html = (source: string) =>
    `<body><script>function show() { ${show} }</script><img src="${source}" onload="show()">`;
  site.setRoute("/own.svg", (_, response) => {
    response.writeHead(200, { "content-type": "image/svg+xml" }).end(SVG);
  });
  expect((await scrape(html("/own.svg"))).rows).toEqual(names(3));
  expect(site.requests).not.toContain("/own.svg");
  expect((await scrape(html("/own.svg"), { loadImages: true })).rows).toEqual(names(3));
  expect(site.requests).toContain("/own.svg");
});

test.concurrent.each(waits)("the same where images are loaded: %s", async (_, script) => {
  const told = await scrape(`<body><script>${script}</script>`, { loadImages: true });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual(names(3));
});

test.concurrent("an address that a script replaces once the large image is there", async () => {
  const path = site.newPath();
  const image = (n: number) =>
    `<p class=item>Item ${n}<img src="/small.svg" data-large="/image.svg?${n}"></p>`;
  site.setRoute(
    path,
    `<body>${[1, 2, 3].map(image).join("")}<script>
    for (const image of document.images) {
      const large = new Image();
      large.onload = () => { image.src = large.src; };
      large.src = image.dataset.large;
    }</script>`,
  );
  const fields = [{ name: "image", selector: "img", attribute: "src" }];
  const told = await engine.run({
    steps: [{ type: "visit", url: site.url(path) }, { ...list, fields } as Step],
  });
  expect(told.rows).toEqual([1, 2, 3].map((n) => ({ image: site.url(`/image.svg?${n}`) })));
  expect(site.requests.filter((asked) => /svg\?\d/.test(asked))).toEqual([]);
});

test.concurrent("what a page can tell of its images", async () => {
  const told = await scrape(`<body><ul id=out></ul><script type=module>
    const say = (...words) => out.insertAdjacentHTML("beforeend", "<li class=item>" + words.join(" "));
    const loaded = (image) => new Promise((resolve) => { image.onload = () => resolve(image); });
    const sizes = ({ complete, width, height, naturalWidth, naturalHeight }) =>
      [complete, width, height, naturalWidth, naturalHeight];
    const image = new Image();
    say("without a source", ...sizes(image));
    image.src = "/image.svg";
    say("loading", ...sizes(image));
    await loaded(image);
    say("loaded", ...sizes(image));
    const sized = new Image(80, 60);
    sized.src = "/image.svg";
    say("sized", ...sizes(await loaded(sized)));
    image.src = "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";
    say("another source", image.complete);
    say("placeholder", ...sizes(await loaded(image)));
    const { set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "onload");
    for (const code of [image.addEventListener, image.decode, set]) say(/\\[native code\\]/.test(code));
    try { image.addEventListener.call({}, "load", () => {}); } catch (error) { say(error.constructor.name); }
    </script>`);
  expect(told.rows.map(({ name }) => name)).toEqual([
    "without a source true 0 0 0 0",
    "loading false 0 0 0 0",
    "loaded true 300 150 300 150",
    "sized true 80 60 80 60",
    "another source false",
    "placeholder true 1 1 1 1",
    "true",
    "true",
    "true",
    "TypeError",
  ]);
});
