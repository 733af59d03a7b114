import { expect, test } from "@jest/globals";
import { startEngineAndSite } from "../engine-and-site.ts";

/** Pages whose scripts look at the layout, or wait for what neither timers nor requests show. */

const { engine, site } = await startEngineAndSite();

/** Three lamps; `fix` puts their prices into euros. */
const page = (script: string, css = "") => `<!doctype html><style>${css}</style>
  <ul>${[1, 2, 3].map((n) => `<li><b>Lamp ${n}</b> <i>$${n}.00</i></li>`).join("")}</ul>
  <script>
    const prices = [...document.querySelectorAll("i")];
    const fix = () => { for (const price of prices) price.textContent = price.textContent.replace("$", "€"); };
    ${script}
  </script>`;
const right = [1, 2, 3].map((n) => ({ name: `Lamp ${n}`, price: `€${n}.00` }));

const kinds = {
  "reads innerText": `for (const price of prices) price.textContent = "€" + price.innerText.slice(1);`,
  "measures a row": `if (document.querySelector("li").offsetHeight > 0) fix();`,
  "measures the body": `if (document.body.scrollHeight > 10) fix();`,
  "asks what is visible": `if (prices[0].checkVisibility()) fix();`,
  "asks what is at a point": `const { x, y } = prices[0].getBoundingClientRect();
    if (document.elementFromPoint(x + 1, y + 1)) fix();`,
  "observes sizes": `new ResizeObserver(([{ contentRect }]) => { if (contentRect.height > 0) fix(); }).observe(document.querySelector("ul"));`,
  "observes positions": `new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) fix(); }).observe(document.querySelector("ul"));`,
  "waits for an animation": `document.querySelector("ul").onanimationend = fix;`,
  "waits for a transition of the body": `document.body.style = "transition: opacity 1s";
    setTimeout(() => { document.body.style.opacity = ".5"; }, 300); document.body.ontransitionend = fix;`,
  "changes the page in a view transition": `setTimeout(() => document.startViewTransition(fix), 300);`,
  "reads a database": `const asked = indexedDB.open("lamps" + Math.random(), 1);
    asked.onupgradeneeded = () => { const lamps = asked.result.createObjectStore("lamps"); for (let n = 0; n < 2000; n += 1) lamps.put({ n }, n); };
    asked.onsuccess = () => { const all = asked.result.transaction("lamps").objectStore("lamps").getAll(); all.onsuccess = fix; };`,
  "derives a key": `(async () => {
    const key = await crypto.subtle.importKey("raw", new Uint8Array(16), "PBKDF2", false, ["deriveBits"]);
    await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(16), iterations: 500000 }, key, 256);
    fix();
  })();`,
  "reads a file": `const reader = new FileReader(); reader.onload = fix;
    reader.readAsDataURL(new Blob([new Uint8Array(2e7)]));`,
  "reads a cache": `(async () => {
    const cache = await caches.open("lamps"); await cache.put("/lamp", new Response("x".repeat(1e7)));
    if (await cache.match("/lamp")) fix();
  })();`,
};

test.concurrent.each(Object.entries(kinds))("a page that %s", async (_, script) => {
  const path = site.newPath();
  site.setRoute(path, page(script, "@keyframes fade { to { opacity: .5 } } ul { animation: fade 1s }"));
  const { failure, rows, warnings } = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      {
        type: "get_list",
        selector: "li",
        fields: [
          { name: "name", selector: "b" },
          { name: "price", selector: "i" },
        ],
      },
    ],
  });
  expect({ failure, rows, warnings }).toEqual({ failure: undefined, rows: right, warnings: [] });
});

test.concurrent("work that never ends is not waited for again and again", async () => {
  const path = site.newPath();
  site.setRoute(path, page(`fix(); document.dispatchEvent(new Event("gleaner-begins"));`));
  const { failure, rows } = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: "i", fields: [{ name: "price" }] },
    ],
  });
  expect(failure).toBeUndefined();
  expect(rows).toEqual(right.map(({ price }) => ({ price })));
});
