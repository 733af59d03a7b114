import { singleProcessArgs } from "../../../functions/scraping/browser/browsers.ts";
import { sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Page, type Pages, pageOf, visit } from "../page.ts";

/* Pages whose scripts wait for the first sign of a person: a move of the pointer, or a turn of its wheel. */

const SIGNS = ["keydown", "mousemove", "touchstart", "touchmove", "wheel"];

/** Calls a function once, at the first of these signs. */
const delayed = (then: string, { target = "window", signs = SIGNS } = {}) => `<script>{
  const signs = ${JSON.stringify(signs)};
  const start = ({ isTrusted, type }) => {
    for (const sign of signs) ${target}.removeEventListener(sign, start);
    if (isTrusted || type === "wheel") (${then})();
  };
  for (const sign of signs) ${target}.addEventListener(sign, start, { passive: true });
}</script>`;

const unpriced = `<meta charset=utf-8><ul>${cards(1, 3, () => "…")}</ul>`;
const price = `() => document.querySelectorAll("a").forEach((link, n) => { link.textContent = "Lamp " + (n + 1); })`;

/** A list whose control works once its script is there. It shows the first page again then. */
const paged = `<ul id=list>${cards(1, 3)}</ul><button class=next>Next</button>${delayed(`() => setTimeout(() => {
  let page = 1;
  const draw = () => { list.innerHTML = [2, 1, 0].map((n) => "<li class=card>Lamp " + (page * 3 - n) + "</li>").join(""); };
  draw();
  document.querySelector(".next").onclick = ({ target }) => { page += 1; draw(); if (page === 3) target.remove(); };
}, 300)`)}`;

/** A list that grows when it is scrolled, once a person has shown itself. */
const growing = (signs: string[]) =>
  `<!doctype html><style>.card { height: 200px }</style><ul id=list>${cards(1, 5)}</ul>${delayed(
    `() => {
    let last = 5;
    addEventListener("scroll", () => {
      if (last === 15 || scrollY + innerHeight < document.documentElement.scrollHeight - 100) return;
      for (let n = 0; n < 5; n += 1) list.insertAdjacentHTML("beforeend", "<li class=card>Lamp " + (last += 1) + "</li>");
    });
  }`,
    { signs },
  )}`;

/** A page of a list whose prices come with the first sign. */
const pageWith = (n: number) =>
  `<ul>${cards(n, n, () => "…")}</ul>${n < 4 ? `<a class=next href="/?page=${n + 1}">Next</a>` : ""}${delayed(
    `() => { document.querySelector(".card a").textContent = "Lamp ${n}"; }`,
  )}`;

const inRealTime: Pick<Page, "clock"> = { clock: "real" };
const inOneProcess: Pick<Page, "own"> = { own: { args: singleProcessArgs, ownBrowsers: true } };

export default {
  "values that a script fills at the first sign of a person": {
    html: unpriced + delayed(price),
    rows: lamps(1, 3),
    variants: {
      once: {},
      "in real time": inRealTime,
      "in a single process": inOneProcess,
      "of the body": {
        html: `<style>body { min-height: 100vh }</style>${unpriced}${delayed(price, { target: "document.body" })}`,
      },
      "of the document, by a wheel only": {
        html: unpriced + delayed(price, { target: "document", signs: ["wheel"] }),
      },
      "by a wheel only, in real time": {
        ...inRealTime,
        html: unpriced + delayed(price, { signs: ["wheel"] }),
      },
      "by a file": {
        html: `${unpriced}${delayed(`() => document.head.append(Object.assign(document.createElement("script"), { src: "/prices.js" }))`)}`,
        routes: {
          "/prices.js": (_, response) =>
            void response.writeHead(200, { "content-type": "text/javascript" }).end(`(${price})()`),
        },
      },
      "of a page that asks for frames without end": {
        html: `${unpriced}${delayed(price)}<script>(function next() { requestAnimationFrame(next); })()</script>`,
      },
    },
  },
  "a list that a script draws at the first sign of a person": {
    html: `<div id=list></div>${delayed(`() => { list.innerHTML = ${JSON.stringify(cards(1, 3)).replaceAll("</", "<\\/")}; }`)}`,
    rows: lamps(1, 3),
  },
  "a list whose control works from the first sign of a person on": {
    html: paged,
    pagination: { type: "next_button", selector: ".next" },
    rows: lamps(1, 9),
  },
  "a list that grows from the first sign of a person on": {
    html: growing(SIGNS),
    pagination: { type: "infinite_scroll" },
    rows: lamps(1, 15),
    variants: { any: {}, wheel: { html: growing(["wheel", "touchmove"]) } },
  },
  "each page of a list gets a sign of its own, also one that is loaded ahead": {
    routes: { "/": (request, response) => void sendHtml(response, pageWith(pageOf(request))) },
    pagination: { type: "next_button", selector: ".next" },
    rows: lamps(1, 4),
  },
  "a sign of a person comes once, leaves no menu open, and scrolls nothing": {
    html: `<!doctype html><style>body { margin: 0 } nav, ul { width: 100%; padding: 0 }</style>
      <nav>Products</nav><ul id=list>${cards(1, 20)}</ul><script>
      const say = (text) => list.insertAdjacentHTML("beforeend", "<li class=card>" + text + "</li>");
      addEventListener("mousemove", ({ clientX }) => { if (clientX > 0) say("move"); });
      addEventListener("wheel", () => say("wheel"));
      addEventListener("scroll", () => say("scroll"));
      const nav = document.querySelector("nav");
      nav.onmouseenter = () => nav.insertAdjacentHTML("beforeend", "<b class=card>menu</b>");
      nav.onmouseleave = () => nav.querySelector("b").remove();</script>`,
    steps: [visit(), { type: "wait", value: 10 }, cardList],
    rows: [...lamps(1, 20), { name: "move" }, { name: "wheel" }],
  },
  "a menu that a step has opened by the pointer stays open": {
    html: `<b id=menu>Lamps</b><ul id=list hidden>${cards(1, 3)}</ul><script>
      menu.onmouseenter = () => { list.hidden = false; document.addEventListener("mousemove", () => {}); };
      menu.onmouseleave = () => { list.remove(); };</script>`,
    steps: [visit(), { type: "hover", selector: "#menu" }, cardList],
    rows: lamps(1, 3),
  },
} satisfies Pages;
