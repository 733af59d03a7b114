import assert from "node:assert/strict";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { cardList, cards, lamps, type Page, type Pages, visit } from "../page.ts";
import { answer, firstThen } from "../parts/documents.ts";

/* Pages that get in the way. What they take from a browser: test/functions/scraping/page/hogs.slow.test.ts. */

const script = (text: string) => `<script>${text}</script>`;
/** A browser that no other page uses, because these disturb or end it. */
const own = { own: { ownBrowsers: true } };

const flooding = (flood: string): Page => ({
  ...own,
  html: `${cards(1, 2)}${script(`onload = () => { ${flood} }`)}`,
  steps: [visit(), { type: "wait", value: 1_000 }, { ...cardList, timeout_ms: 60_000 }],
  rows: lamps(1, 2),
  slow: "What floods a browser takes a core for as long as its run.",
});

const OVERRIDE = script(`
  Array.prototype.map = () => [1]; JSON.stringify = () => "no"; String.prototype.trim = () => "no";
  Array.prototype[Symbol.iterator] = function* () { yield 1; }; Document.prototype.querySelectorAll = () => [];
  Object.defineProperty(HTMLElement.prototype, "innerText", { get: () => "no" });
  Object.defineProperty(Object.prototype, "cells", { set() { throw 1; } });
  window.setTimeout = window.requestAnimationFrame = () => {};`);
const OWN_ELEMENT = script(`customElements.define("x-a", class extends HTMLElement {
  get innerText() { return "no"; } get textContent() { return "no"; } getAttribute() { return "no"; } })`);
const NAMES =
  "querySelectorAll readyState scripts styleSheets body documentElement parentNode getAttribute matches";
const clobbering = (tag: string) =>
  NAMES.split(" ")
    .map((name) => `<${tag} name=${name} id=${name}></${tag}>`)
    .join("");
const unusable: Pick<Page, "failure"> = { failure: { code: "element_unusable", step: 1 } };

const FIELDS = [
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "__defineGetter__",
  "then",
  "\0",
  "\u202e",
];
const text = (field_name: string): Step => ({ type: "get_text", field_name, selector: "b" });

const CHARACTERS = {
  "right to left": "\u05e9\u05dc\u05d5\u05dd \u202eabc\u202c \u0645\u0631\u062d\u0628\u0627",
  "a family": "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}",
  "many marks": `a${"\u0301".repeat(100_000)}`,
  "half a pair": "a\ud800b\udfff",
  "not characters": "\ufffe\uffff\u{10ffff}",
  controls: "a\u0001\u0007\u001b\u007f\u0085b",
  "a zero": "a\0b",
  "line ends": "a\u2028b\u2029c",
};
/** The page itself says what it shows of each text, once it is laid out. */
const characters = `<main></main><script>
  for (const value of ${JSON.stringify(Object.values(CHARACTERS))}) {
    const row = document.createElement("p");
    row.title = value;
    row.textContent = value;
    document.querySelector("main").append(row);
  }
  setTimeout(() => {
    for (const row of document.querySelectorAll("p")) { row.dataset.text = row.innerText.trim(); row.className = "card"; }
  }, 50);</script>`;

/** Rows whose text a script makes. */
const made = (count: number, text: string) => `<body><script>
  for (let n = 0; n < ${count}; n += 1) {
    const row = document.createElement("p");
    row.className = "card";
    row.textContent = ${text};
    document.body.append(row);
  }</script>`;
const tooLarge = (message = ""): Pick<Page, "failure"> => ({
  failure: { code: "too_large", step: 1, message },
});
const LARGE = "Tens of megabytes take their time, and much memory.";

export default {
  "a page that fills the history": flooding(
    'for (let n = 0; n < 5000; n += 1) history.pushState(n, "", "?" + n)',
  ),
  "a page that opens sockets": flooding(
    'for (let n = 0; n < 10000; n += 1) new WebSocket("ws://" + location.host + "/socket?" + n)',
  ),
  "a page that makes frames": flooding(
    'for (let n = 0; n < 200; n += 1) document.documentElement.append(document.createElement("iframe"))',
  ),
  "a page that prints": flooding("setInterval(() => print(), 50)"),
  "a page that opens windows": flooding(
    'setInterval(() => { for (let n = 0; n < 5; n += 1) window.open("about:blank"); }, 50)',
  ),
  "a page that shows dialogs": flooding(
    'for (let n = 0; n < 300; n += 1) alert("no"); setInterval(() => alert("no"), 10)',
  ),
  "a page with an endless address is read, and its failure is short enough to be stored": {
    html: `${cards(1, 2)}${script('history.pushState(0, "", "?" + "x".repeat(1e6))')}`,
    steps: [visit(), cardList, { ...cardList, selector: ".none", timeout_ms: 500 }],
    rows: lamps(1, 2),
    failure: { code: "element_not_found", step: 2 },
    check: ({ failure }) => {
      assert.ok((failure?.message.length ?? 0) < 2_100);
      assert.ok((failure?.evidence?.url.length ?? 0) < 2_100);
    },
  },
  "a page that changes what every function of its world does": {
    html: `${OVERRIDE}${OWN_ELEMENT}<p class=card>Lamp 1</p><x-a class=card>Lamp 2</x-a>`,
    steps: [visit(), { type: "click", selector: "p" }, cardList],
    rows: lamps(1, 2),
  },
  "what has to be asked for in the page's own world is refused, and not believed": {
    html: `${OVERRIDE}<p>One</p>`,
    steps: [visit(), { type: "get_text", field_name: "One" }],
    ...unusable,
  },
  "a page that names elements like what a document, a window or a form has": {
    html: `${clobbering("form")}${clobbering("img")}<a id=__gleaner></a><form>${clobbering("input")}<p class=card>Lamp 1</p></form>`,
    steps: [visit(), cardList],
    rows: lamps(1, 1),
  },
  "a row that names a control like its text is refused": {
    html: '<form id=f class=card style="text-transform: uppercase">One</form><input form=f name=innerText>',
    steps: [visit(), cardList],
    ...unusable,
  },
  "characters that are no letters": {
    html: characters,
    steps: [
      visit(),
      {
        ...cardList,
        fields: [
          { name: "title", attribute: "title" },
          { name: "text" },
          { name: "shown", attribute: "data-text" },
        ],
      },
    ],
    rows: Object.values(CHARACTERS).map((title) => ({ title, text: title, shown: title })),
  },
  "fields that are called as every object's own": {
    html: "<p class=card>One</p><b>Two</b>",
    steps: [
      visit(),
      ...FIELDS.map((name) => text(`${name}2`)),
      text("__proto__"),
      { ...cardList, fields: FIELDS.slice(1).map((name) => ({ name })) },
    ],
    rows: [
      Object.fromEntries([
        ...FIELDS.map((name) => [`${name}2`, "Two"]),
        ["__proto__", "Two"],
        ...FIELDS.slice(1).map((name) => [name, "One"]),
      ]),
    ],
  },
  "a list of large values goes on to its next page": {
    html: `${made(8, `"x".repeat(1e6)`)}<a class=next href="/next">Next</a>`,
    routes: { "/next": "<p class=card>last</p>" },
    steps: [visit(), cardList],
    pagination: { type: "next_button", selector: ".next" },
    rows: [...Array(8).fill({ name: "x".repeat(1e6) }), { name: "last" }],
    slow: LARGE,
  },
  "a value of 20 MB is refused by its name, its page and its size; rows before it are kept": {
    html: `<p class=card>small</p><a class=next href="/huge">Next</a>`,
    routes: { "/huge": made(3, `n === 1 ? "x".repeat(2e7) : "x"`) },
    steps: [visit(), { ...cardList, fields: [{ name: "class", attribute: "class" }, { name: "text" }] }],
    pagination: { type: "next_button", selector: ".next" },
    rows: [{ class: "card", text: "small" }],
    failure: {
      code: "too_large",
      step: 1,
      message: /The field text of row 2 on http:\S+\/huge holds 20000000 characters/,
    },
  },
  "texts that are too large to be added to each row of a list": {
    html: `<div id=text>${"x".repeat(60_000)}</div><p class=card>One</p>`,
    steps: [visit(), { type: "get_text", field_name: "all", selector: "#text" }, cardList],
    ...tooLarge("all"),
  },
  "the same text alone": {
    html: `<div id=text>${"x".repeat(60_000)}</div>`,
    steps: [visit(), { type: "get_text", field_name: "all", selector: "#text" }],
    rows: [{ all: "x".repeat(60_000) }],
  },
  "a value of 10 MB, and one of characters that are long on their way": {
    routes: {
      "/latin": made(2, `n + "x".repeat(1e7)`),
      "/wide": made(1, `"\\u4e2d".repeat(1e6) + "\\u0001".repeat(1e6)`),
    },
    steps: [visit("/latin"), cardList, visit("/wide"), cardList],
    rows: [0, 1]
      .map((n) => ({ name: n + "x".repeat(1e7) }))
      .concat({ name: "\u4e2d".repeat(1e6) + "\u0001".repeat(1e6) }),
    slow: LARGE,
  },
  "a list of 60 MB comes in its order": {
    ...own,
    html: made(60, `n + "x".repeat(1e6)`),
    steps: [visit(), cardList],
    rows: Array.from({ length: 60 }, (_, n) => ({ name: n + "x".repeat(1e6) })),
    slow: LARGE,
  },
  "a list of 500 MB is refused": {
    ...own,
    html: made(500, `n + "x".repeat(1e6)`),
    steps: [visit(), cardList],
    ...tooLarge(),
    slow: LARGE,
  },
  "a text of 20 MB is refused where it is taken alone": {
    html: made(1, `"x".repeat(2e7)`),
    steps: [visit(), { ...text("it"), selector: ".card", timeout_ms: 60_000 } as Step],
    ...tooLarge(),
    slow: LARGE,
  },
  "a value of 20 MB is refused where it is taken alone": {
    html: `<label>Size <input id=size></label><script>size.value = "x".repeat(2e7)</script>`,
    steps: [visit(), { type: "get_text", field_name: "Size", timeout_ms: 60_000 }],
    ...tooLarge(),
    slow: LARGE,
  },
  "a page that nests its elements deeper than anything can follow": {
    ...own,
    html: `<body>${script(`let at = document.body;
      for (let n = 0; n < 50000; n += 1) { const inner = document.createElement("div"); at.append(inner); at = inner; }
      at.innerHTML = "<p class=card>One";`)}`,
    steps: [visit(), cardList],
    // The layout of the page exhausts the stack of its process, or reading it does.
    failure: { code: "page_crashed", step: 1 },
    slow: "The page crashes its process.",
  },
  "a page that allocates without end crashes alone, and is tried in a new browser": {
    ...own,
    routes: {
      "/": firstThen(
        answer(script("const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));")),
        answer(cards(1, 2)),
      ),
    },
    steps: [visit(), { ...cardList, timeout_ms: 60_000 }],
    rows: lamps(1, 2),
    loads: 1,
    slow: "How long it takes to crash is up to the machine.",
  },
  "a page that hangs the browser ends by its time-out": {
    ...own,
    html: `<p>x</p>${script("for (;;) {}")}`,
    steps: [visit(), { ...cardList, timeout_ms: 300 }],
    failure: { code: "timeout", step: 1 },
    slow: "Its loop takes a whole core for as long as its run.",
  },
} satisfies Pages;
