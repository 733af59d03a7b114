import type { Step } from "../../../functions/contract/steps/steps.ts";
import { lamps, type Page, type Pages, visit } from "../page.ts";

/* Pages whose scripts ask for a frame after each frame, as libraries for animations do, and what else is shown by frames. */

const list = (selector: string, ...names: string[]) =>
  ({
    type: "get_list",
    selector,
    fields: names.length === 0 ? [{ name: "name" }] : names.map((name) => ({ name, selector: `.${name}` })),
  }) as const satisfies Step;

const NUMBERS = [1250, 98, 4300, 17, 560, 23];
const numbers = `const numbers = ${JSON.stringify(NUMBERS)}, shown = [...document.querySelectorAll(".count")];`;
const counted = (script: string): Page => ({
  html: `<!doctype html><style>p{margin:0;height:440px}</style>${NUMBERS.map((_, n) => `<p class=row><i class=name>Lamp ${n + 1}</i> <b class=count>0</b></p>`).join("")}<script>${numbers}${script}</script>`,
  // Slowed down, the frames of all views take longer than a list is given by default.
  steps: [visit(), { ...list(".row", "name", "count"), timeout_ms: 120_000 }],
  rows: lamps(1, NUMBERS.length).map((row, index) => ({ ...row, count: String(NUMBERS[index]) })),
});

/** A loop that tells how much time has passed since its last frame; of a longer pause, it takes only a part. */
const loop = (onFrame: string) => `let last = performance.now();
  requestAnimationFrame(function next() { const now = performance.now(), ms = now - last > 500 ? 33 : now - last;
    last = now; ${onFrame}; requestAnimationFrame(next); });`;

const inShadow = (css: string, show: string): Page => ({
  html: `<ul><li><x-count n=101></x-count><li><x-count n=202></x-count></ul><script>
    customElements.define("x-count", class extends HTMLElement { connectedCallback() {
      this.attachShadow({ mode: "open" }).innerHTML = "<style>${css}</style><b>0</b>";
      const number = this.shadowRoot.querySelector("b"), end = () => { number.textContent = this.getAttribute("n"); };
      ${show} } });</script>`,
  steps: [visit(), list("li")],
  rows: [{ name: "101" }, { name: "202" }],
});

export default {
  "rows that an endless loop removes some frames after a click": {
    html: `<button>Even</button>${[1, 2, 3, 4].map((n) => `<p class=card>Lamp ${n}</p>`).join("")}<script>let left = -1;
      ${loop(`document.body.dataset.at = now; if (left > 0 && --left === 0) for (const card of document.querySelectorAll(".card:nth-of-type(n + 3)")) card.remove();`)}
      document.querySelector("button").onclick = () => { left = 40; };</script>`,
    steps: [visit(), { type: "click", selector: "button" }, list(".card")],
    rows: lamps(1, 2),
  },
  "numbers that an endless loop counts up once they come into view": counted(`const counting = new Map();
    ${loop("for (const [box, at] of counting) { counting.set(box, at + ms); box.textContent = Math.round(numbers[shown.indexOf(box)] * Math.min(1, at / 1000)); }")}
    const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all) if (isIntersecting && !counting.has(target)) counting.set(target, 0); });
    for (const box of shown) seeing.observe(box);`),
  "a number that an endless loop counts for three seconds": {
    html: `<p class=card>0</p><script>let at = 0; ${loop(`at += ms; document.querySelector(".card").textContent = Math.round(4300 * Math.min(1, at / 3000))`)}</script>`,
    steps: [visit(), list(".card")],
    rows: [{ name: "4300" }],
  },
  "numbers that are shown in the second frame after a scroll, and not later than half a second": counted(`
    const look = () => shown.forEach((box, n) => { const { top, bottom } = box.getBoundingClientRect(); if (top < innerHeight && bottom > 0) box.textContent = numbers[n]; });
    look(); let start, isOn = false;
    const next = () => { const ms = performance.now() - start; isOn = ms <= 500; if (!isOn) return; if (ms > 0) look(); requestAnimationFrame(next); };
    addEventListener("scroll", () => { start = performance.now(); if (!isOn) requestAnimationFrame(next); isOn = true; });`),
  "animations in shadow trees": {
    variants: {
      "by a script": inShadow(
        "",
        "number.animate([{ opacity: 0 }, { opacity: 1 }], 900).finished.then(end);",
      ),
      "by a style": inShadow(
        "@keyframes fade{from{opacity:0}}b{animation:fade .9s}",
        'number.addEventListener("animationend", end);',
      ),
      "by a transition": inShadow(
        "b{opacity:0;transition:opacity .9s}b.on{opacity:1}",
        'number.addEventListener("transitionend", end); setTimeout(() => number.classList.add("on"), 100);',
      ),
    },
  },
} satisfies Pages;
