import type { Step } from "../../../functions/contract/steps/steps.ts";
import { cards, lamps, type Pages, SITE, visit } from "../page.ts";

/* Pages whose scripts look at the layout, or wait for what neither timers nor requests show. */

/** What shows that the layout is right, or that the page's own work is done, and puts the prices into euros then. */
const KINDS = [
  // Reads innerText.
  `for (const price of prices) price.textContent = "€" + price.innerText.slice(1);`,
  // Measures a row, and the body.
  `if (document.querySelector("li").offsetHeight > 0) fix();`,
  `if (document.body.scrollHeight > 10) fix();`,
  // Asks what is visible, and what is at a point.
  `if (prices[0].checkVisibility()) fix();`,
  `const { x, y } = prices[0].getBoundingClientRect(); if (document.elementFromPoint(x + 1, y + 1)) fix();`,
  // Observes sizes, and positions.
  `new ResizeObserver(([{ contentRect }]) => { if (contentRect.height > 0) fix(); }).observe(document.querySelector("ul"));`,
  `new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) fix(); }).observe(document.querySelector("ul"));`,
  // Waits for an animation, for a transition of the body, and for a view transition.
  `document.querySelector("ul").onanimationend = fix;`,
  `document.body.style = "transition: opacity 1s";
    setTimeout(() => { document.body.style.opacity = ".5"; }, 300); document.body.ontransitionend = fix;`,
  `setTimeout(() => document.startViewTransition(fix), 300);`,
  // Reads a database, derives a key, reads a file and a cache.
  `const asked = indexedDB.open("lamps" + Math.random(), 1);
    asked.onupgradeneeded = () => { const lamps = asked.result.createObjectStore("lamps"); for (let n = 0; n < 2000; n += 1) lamps.put({ n }, n); };
    asked.onsuccess = () => { const all = asked.result.transaction("lamps").objectStore("lamps").getAll(); all.onsuccess = fix; };`,
  `(async () => {
    const key = await crypto.subtle.importKey("raw", new Uint8Array(16), "PBKDF2", false, ["deriveBits"]);
    await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(16), iterations: 500000 }, key, 256);
    fix();
  })();`,
  `const reader = new FileReader(); reader.onload = fix; reader.readAsDataURL(new Blob([new Uint8Array(2e7)]));`,
  `(async () => {
    const cache = await caches.open("lamps"); await cache.put("/lamp", new Response("x".repeat(1e7)));
    if (await cache.match("/lamp")) fix();
  })();`,
  // The event of the page script that says that work begins, without any.
  `fix(); document.dispatchEvent(new Event("gleaner-begins"));`,
];

const page = (script: string, n: number) => `<!doctype html>
  <style>@keyframes fade { to { opacity: .5 } } ul { animation: fade 1s }</style>
  <ul>${[1, 2, 3].map((row) => `<li><b>Lamp ${n}.${row}</b> <i>$${row}.00</i></li>`).join("")}</ul>
  <script>
    const prices = [...document.querySelectorAll("i")];
    const fix = () => { for (const price of prices) price.textContent = price.textContent.replace("$", "€"); };
    ${script}
  </script>`;

const list: Step = {
  type: "get_list",
  selector: "li",
  fields: [
    { name: "name", selector: "b" },
    { name: "price", selector: "i" },
  ],
};
const rowsOf = (n: number) => [1, 2, 3].map((row) => ({ name: `Lamp ${n}.${row}`, price: `€${row}.00` }));

/** A list whose end a script observes anew once it has the rows. Nothing else on the page changes then. */
const observedAnew = (Observer: string) => `<ul></ul><p>End</p><script>
  const rows = ${JSON.stringify(cards(1, 3))}, end = document.querySelector("p"); let observer, hasRows = false;
  const show = () => { if (hasRows) document.querySelector("ul").innerHTML = rows; };
  const observe = () => { observer?.disconnect(); observer = new ${Observer}(show); observer.observe(end); };
  observe(); setTimeout(() => { hasRows = true; observe(); }, 300);</script>`;

export default {
  "what is observed anew is told in the next frame": {
    variants: Object.fromEntries(
      ["ResizeObserver", "IntersectionObserver"].map((name) => [
        name,
        { html: observedAnew(name), rows: lamps(1, 3) },
      ]),
    ),
  },
  "the screen is as large as a page": {
    html: `<ul></ul><script>
      if (screen.width >= innerWidth && matchMedia("(min-device-width: 1024px)").matches)
        document.querySelector("ul").innerHTML = ${JSON.stringify(cards(1, 3))};</script>`,
    rows: lamps(1, 3),
  },
  "texts that a script changes once it sees them, or once its own work is done": {
    routes: Object.fromEntries(KINDS.map((script, index) => [`/${index + 1}`, page(script, index + 1)])),
    steps: KINDS.flatMap((_, index) => [visit(`/${index + 1}`), list]),
    rows: KINDS.flatMap((_, index) => rowsOf(index + 1)),
  },
  "the same on the pages of a list": {
    routes: Object.fromEntries(KINDS.map((script, index) => [`/${index + 1}`, page(script, index + 1)])),
    steps: [list],
    pagination: { type: "url_template", url: `${SITE}/{page}`, max_pages: KINDS.length },
    rows: KINDS.flatMap((_, index) => rowsOf(index + 1)),
  },
} satisfies Pages;
