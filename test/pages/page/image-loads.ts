import assert from "node:assert/strict";
import { cardList, type Page, type Pages, SITE, visit } from "../page.ts";
import { answer } from "../parts/documents.ts";

/* Pages that wait for their images. The engine loads none, unless a scraper asks for it. */

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"></svg>';
const image = { "/image.svg": answer(SVG, { ms: 500, type: "image/svg+xml" }) };

/** How a page waits for an image with the address `src`. `show` shows a row then. */
const WAYS: Record<string, string> = {
  "a handler": "const image = new Image(); image.onload = show; image.src = src;",
  "a handler that is set later": "const image = new Image(); image.src = src; image.onload = show;",
  "a listener": `const image = document.createElement("img");
    image.addEventListener("load", show); image.setAttribute("src", src);`,
  "a listener for a set of sources": `const image = document.body.appendChild(document.createElement("img"));
    image.addEventListener("load", show); image.srcset = src + " 2x";`,
  "the second of two sources": `const image = new Image(); let loads = 0;
    image.onload = () => { loads += 1; if (loads === 2) show(); else image.src = src + "&large"; };
    image.src = src;`,
  decoding: "const image = new Image(); image.src = src; image.decode().then(show);",
  "a look at it now and then": `const image = new Image(); image.src = src;
    const timer = setInterval(() => { if (image.complete) { clearInterval(timer); show(); } }, 100);`,
  "its size": `const image = new Image(); image.src = src;
    const timer = setInterval(() => { if (image.naturalWidth > 0 && image.height > 0) { clearInterval(timer); show(); } }, 100);`,
  "an image of what is not in the document": `const box = document.createElement("div");
    box.innerHTML = '<img src="' + src + '">'; const image = box.firstChild;
    if (image.complete) throw new Error("too early");
    image.addEventListener("load", show);`,
  "an attribute of an image that comes later": `window.showLater = show;
    setTimeout(() => document.body.insertAdjacentHTML("beforeend", '<p><img src="' + src + '" onload="showLater()"></p>'), 300);`,
};
const ways = Object.keys(WAYS);

const waiting: Page = {
  html: `<body><ul>${[...ways, "an attribute"].map((way) => `<li class=card id="${way}">Loading</li>`).join("")}</ul><script>
    const showing = (way) => () => { document.getElementById(way).textContent = way; };
    ${ways
      .map((way, n) => `(() => { const show = showing("${way}"), src = "/image.svg?${n}"; ${WAYS[way]} })();`)
      .join("\n")}
    </script><img src="/image.svg?own" onload="showing('an attribute')()">`,
  routes: image,
  steps: [visit(), cardList],
  rows: [...ways, "an attribute"].map((name) => ({ name })),
};

export default {
  "rows that a page shows after its images": {
    ...waiting,
    check: (_, { requests }) => assert.ok(!requests.some((path) => path.startsWith("/image"))),
  },
  "the same where images are loaded": {
    ...waiting,
    load_images: true,
    check: (_, { requests }) => assert.ok(requests.includes("/image.svg?own")),
  },
  "an address that a script replaces once the large image is there": {
    html: `<body>${[1, 2, 3].map((n) => `<p class=card>Lamp ${n}<img src="/small.svg" data-large="/image.svg?${n}"></p>`).join("")}<script>
      for (const image of document.images) {
        const large = new Image();
        large.onload = () => { image.src = large.src; };
        large.src = image.dataset.large;
      }</script>`,
    routes: image,
    steps: [visit(), { ...cardList, fields: [{ name: "image", selector: "img", attribute: "src" }] }],
    rows: [1, 2, 3].map((n) => ({ image: `${SITE}/image.svg?${n}` })),
    check: (_, { requests }) => assert.ok(!requests.some((path) => path.startsWith("/image"))),
  },
  "what a page can tell of its images": {
    html: `<body><ul id=out></ul><script type=module>
      const say = (...words) => out.insertAdjacentHTML("beforeend", "<li class=card>" + words.join(" "));
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
      </script>`,
    routes: image,
    steps: [visit(), cardList],
    rows: [
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
    ].map((name) => ({ name })),
  },
} satisfies Pages;
