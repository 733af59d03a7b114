import { setTimeout as sleep } from "node:timers/promises";
import type { StepOf } from "../../../functions/contract/steps/steps.ts";
import { sendHtml } from "../../site/site.ts";
import { cardList, cards, lamps, type Page, type Pages, pageOf, SITE, visit } from "../page.ts";

/* Lists whose rows take their time: they come one after another, are filled later, or their data is late. */

const reading = (list: Partial<StepOf<"get_list">> = {}) => [visit(), { ...cardList, ...list }];
const nextButton = { type: "next_button", field_name: "Next" } as const;

const withRows = (add: string) => `<div id=list></div><script>
  const row = (text) => Object.assign(document.createElement("p"), { className: "card", textContent: text });
  const add = (from, to) => { for (let n = from; n <= to; n += 1) { ${add} } };`;

/** How a page adds the rows `from` to `to` to `list`. */
const ONE_AFTER_ANOTHER = `setTimeout(() => { list.append(row("Lamp " + n)); }, (n - from) * 300);`;
const FILLED = `const added = row("Wait"); list.append(added); setTimeout(() => { added.textContent = "Lamp " + n; }, 1500);`;

const byButton = (add: string): Page => ({
  html: `<button id=more>More</button>${withRows(add)} let count = 5; add(1, 5);
    more.onclick = () => { add(count + 1, count + 5); count += 5; if (count === 20) more.remove(); };</script>`,
  pagination: { type: "load_more", selector: "#more" },
});
const byScrolling = (add: string): Page => ({
  html: `<style>.card { height: 150px }</style>${withRows(add)} let count = 10; add(1, 10); let isBusy = false;
    onscroll = () => {
      if (isBusy || count === 20 || innerHeight + scrollY < document.body.scrollHeight - 50) return;
      isBusy = true;
      setTimeout(() => { add(count + 1, count + 10); count += 10; isBusy = false; }, 300);
    };</script>`,
  pagination: { type: "infinite_scroll" },
});
const byPages = (add: string): Page => ({
  html: `<button id=next>Next</button>${withRows(add)} let page = 1; add(1, 5);
    next.onclick = () => { page += 1; list.replaceChildren(); add(page * 5 - 4, page * 5); if (page === 4) next.remove(); };</script>`,
  pagination: { type: "next_button", selector: "#next" },
});

const visible = { steps: reading({ selector: ".card:visible" }) };

/** Adds a row again and again. The rows have a key, because nobody knows how many there are at the end. */
const endless = (script: string): Page => ({
  html: `<main></main><script type=module>
    const add = () => document.querySelector("main").insertAdjacentHTML("beforeend", "<p class=card>Lamp</p>"); ${script}</script>`,
  steps: reading({ key: ["name"], timeout_ms: 5_000 }),
  rows: [{ name: "Lamp" }],
  warnings: [
    { code: "rows_may_be_missing", message: "was still loading when the list was read for the last time" },
  ],
});

/** What Turbo does with a link: the last listener of the window prevents it and shows the next page. */
const DRIVE = `<script>
  addEventListener("click", () => addEventListener("click", async (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    const html = await (await fetch("/data" + new URL(link.href).search)).text();
    history.pushState({}, "", link.href);
    document.querySelector("main").innerHTML = html;
  }, { once: true }), true);
</script>`;
const rowsOf = (page: number) =>
  `<ul>${cards(page * 3 - 2, page * 3).replace(/<\/?a.*?>/g, "")}</ul>` +
  (page < 4 ? `<a href="/?page=${page + 1}">Next</a>` : "");
const driven: Page = {
  routes: {
    "/": (request, response) => sendHtml(response, `<main>${rowsOf(pageOf(request))}</main>${DRIVE}`),
    "/data": async (request, response) => {
      await sleep(100);
      sendHtml(response, rowsOf(pageOf(request)));
    },
  },
};
const next = { type: "click", field_name: "Next" } as const;
const searching = [
  visit(),
  { type: "write_input", field_name: "Search", value: "lamp" },
  cardList,
] satisfies Page["steps"];

const unanswered = { code: "rows_may_be_missing", message: /\/endless, and had no answer in time/ };

export default {
  "rows that come one after another": {
    rows: lamps(1, 20),
    variants: {
      "by a button": byButton(ONE_AFTER_ANOTHER),
      "by scrolling": { ...byScrolling(ONE_AFTER_ANOTHER), ...visible },
      "on pages": byPages(ONE_AFTER_ANOTHER),
    },
  },
  "rows that are filled by a timer": {
    rows: lamps(1, 20),
    variants: {
      "by a button": { ...byButton(FILLED), ...visible },
      "by scrolling": byScrolling(FILLED),
      "on pages": { ...byPages(FILLED), ...visible },
    },
  },
  "a row that a timer takes away, on a page with a request that never ends": {
    html: `<style>.card { height: 400px }</style>${withRows('list.append(row("Lamp " + n));')}
      const addTwice = async (from, to) => { add(from, to); add(from, from); const { lastElementChild } = list;
        await new Promise((done) => setTimeout(done, 2500)); lastElementChild.remove(); };
      fetch("/endless").catch(() => {});
      let isBusy = true; addTwice(1, 3).then(() => { isBusy = false; });
      onscroll = async () => {
        if (isBusy || list.children.length > 3 || innerHeight + scrollY < document.body.scrollHeight - 150) return;
        isBusy = true; await addTwice(4, 6);
      };</script>`,
    routes: { "/endless": () => {} },
    pagination: { type: "infinite_scroll" },
    rows: lamps(1, 6),
    warnings: [unanswered],
  },
  "rows on a page that polls for messages": {
    html: `${cards(1, 3)}<script>fetch("/poll").then(() => fetch("/poll?after=1")).catch(() => {});</script>`,
    routes: {
      "/poll": ({ url }, response) => {
        if (url === "/poll") response.end("[]");
      },
    },
    steps: reading({ timeout_ms: 700 }),
    rows: lamps(1, 3),
  },
  "rows beside which others are missing, because the request for them has no answer in time": {
    steps: reading({ timeout_ms: 700 }),
    warnings: [unanswered],
    variants: {
      "on one page": {
        html: `${cards(1, 3)}<script>fetch("/endless").catch(() => {});</script>`,
        routes: { "/endless": () => {} },
        rows: lamps(1, 3),
      },
      "on a page behind a control": {
        html: `<div id=list>${cards(1, 3)}</div><button id=next>Next</button><script>next.onclick = () => {
          next.remove(); list.innerHTML = '${cards(4, 5)}'; fetch("/endless").catch(() => {}); };</script>`,
        routes: { "/endless": () => {} },
        pagination: { type: "next_button", selector: "#next" },
        rows: lamps(1, 5),
      },
    },
  },
  "rows of which only some were answered in time, at an address that has answered before": {
    steps: reading({ timeout_ms: 700 }),
    warnings: [{ code: "rows_may_be_missing", message: /\/data, and had no answer in time/ }],
    routes: {
      "/data": ({ url = "" }, response) => {
        const page = Number(new URL(url, SITE).searchParams.get("page"));
        if (page < 3) sendHtml(response, cards(page * 2 - 1, page * 2));
      },
    },
    variants: {
      "because each answer leads to the next request": {
        html: `<div id=list></div><script>const load = async (page) => {
          list.insertAdjacentHTML("beforeend", await (await fetch("/data?page=" + page)).text()); load(page + 1); }; load(1);</script>`,
        rows: lamps(1, 4),
      },
      "because a control was pressed": {
        html: `<div id=list>${cards(1, 2)}</div><button id=next>Next</button><script>fetch("/data?page=0").catch(() => {});
          next.onclick = async () => { next.remove(); list.innerHTML = '${cards(3, 4)}'; await fetch("/data?page=3"); };</script>`,
        pagination: { type: "next_button", selector: "#next" },
        rows: lamps(1, 4),
      },
    },
  },
  "rows by many requests, each of which begins with the answer to the one before": {
    html: `<div id=list></div><script>const load = async (page) => {
      list.insertAdjacentHTML("beforeend", await (await fetch("/data?page=" + page)).text()); if (page < 10) load(page + 1); };
      load(1);</script>`,
    routes: {
      "/data": async (request, response) => {
        await sleep(180);
        sendHtml(response, cards(pageOf(request), pageOf(request)));
      },
    },
    rows: lamps(1, 10),
  },
  "a value that is missing because the request for it has no answer in time": {
    html: `<h1>Lamp</h1><script>fetch("/endless").catch(() => {});</script>`,
    routes: { "/endless": () => {} },
    steps: [visit(), { type: "get_text", field_name: "price", selector: "b", timeout_ms: 700 }],
    failure: { code: "element_not_found", message: /\/endless, and had no answer in time/ },
  },
  "values beside a request that has no answer in time": {
    html: `<h1>Lamp</h1><script>fetch("/endless").catch(() => {});</script>`,
    routes: { "/endless": () => {}, "/list": "<a href=/>Lamp</a>" },
    warnings: [
      {
        code: "values_may_be_missing",
        message: /\/endless, and had no answer in time when values were read/,
      },
    ],
    variants: {
      "of the page": {
        steps: [visit(), { type: "get_text", field_name: "name", selector: "h1", timeout_ms: 700 }],
        rows: [{ name: "Lamp" }],
      },
      "of the pages of rows": {
        steps: [
          visit("/list"),
          {
            type: "get_list",
            selector: "a",
            fields: [{ name: "url", attribute: "href" }],
            details: { url_field: "url", fields: [{ name: "name", selector: "h1" }] },
            timeout_ms: 700,
          },
        ],
        rows: [{ url: `${SITE}/`, name: "Lamp" }],
      },
      "after the steps of a row": {
        html: "<ul><li>Lamp <button>Price</button></li></ul><script>document.querySelector('button').onclick = () => { fetch('/endless').catch(() => {}); };</script>",
        steps: reading({
          selector: "li",
          fields: [{ name: "name", text: "own_text" }],
          each: [{ type: "click", selector: "button" }],
          timeout_ms: 700,
        }),
        rows: [{ name: "Lamp" }],
      },
    },
  },
  "rows that were still coming when the list was read for the last time": {
    variants: {
      "by a timer": endless("setInterval(add, 2000); add();"),
      "by an answer that arrives in parts": {
        ...endless(
          `const reader = (await fetch("/stream")).body.getReader(); for (;;) { await reader.read(); add(); }`,
        ),
        routes: {
          "/stream": (_, response) => {
            response.write("1");
            const parts = setInterval(() => response.write("1"), 250);
            response.on("close", () => clearInterval(parts));
          },
        },
      },
    },
  },
  "a search typed while the first data loads": {
    html: `<input placeholder=Search><div id=list></div><script>
      const input = document.querySelector("input");
      const load = async () => { const answer = await fetch("/data?q=" + input.value); list.innerHTML = await answer.text(); };
      let timer;
      input.oninput = () => { clearTimeout(timer); timer = setTimeout(load, 250); };
      setTimeout(load);
    </script>`,
    routes: {
      "/data": async ({ url = "" }, response) => {
        await sleep(300);
        sendHtml(response, new URL(url, SITE).searchParams.get("q") ? cards(1, 3) : cards(1, 20));
      },
    },
    steps: searching,
    rows: lamps(1, 3),
  },
  "a search that draws the old rows anew before it has its own": {
    html: `<input placeholder=Search><div id=list>${cards(1, 20)}</div><script>
      document.querySelector("input").oninput = () => {
        list.innerHTML = list.innerHTML;
        setTimeout(() => { list.innerHTML = '${cards(1, 3)}'; }, 300);
      };
    </script>`,
    steps: searching,
    rows: lamps(1, 3),
  },
  "links that a script handles": {
    ...driven,
    variants: {
      "lead to the next pages": { pagination: nextButton, rows: lamps(1, 12) },
      "clicked twice lead two pages on": { steps: [visit(), next, next, cardList], rows: lamps(7, 9) },
    },
  },
  "rows that keep their elements and change inside their shadow roots": {
    html: `<div id=list></div><button>Next</button><script>
      customElements.define("book-card", class extends HTMLElement {
        set text(text) { (this.shadowRoot ?? this.attachShadow({ mode: "open" })).innerHTML = "<b>" + text + "</b>"; }
      });
      for (let row = 0; row < 3; row += 1) list.append(document.createElement("book-card"));
      let page = 0;
      const button = document.querySelector("button");
      const show = () => {
        [...list.children].forEach((card, row) => { card.text = "Lamp " + (page * 3 + row + 1); });
        button.disabled = page === 3;
      };
      button.onclick = () => { page += 1; show(); };
      show();
    </script>`,
    steps: reading({ selector: "book-card", fields: [{ name: "name", selector: "b" }] }),
    pagination: nextButton,
    rows: lamps(1, 12),
  },
  "rows that a new worker sends some time after a control was pressed": {
    html: `<div id=list>${cards(1, 3)}</div><button id=next>Next</button><script>
      const code = URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), 1900)"]));
      const pages = ['${cards(4, 6)}', '${cards(7, 9)}'];
      next.onclick = () => {
        const worker = new Worker(code);
        worker.onmessage = () => { worker.terminate(); list.innerHTML = pages.shift(); if (pages.length === 0) next.remove(); };
      };
    </script>`,
    pagination: { type: "next_button", selector: "#next" },
    rows: lamps(1, 9),
  },
  "rows that a scrolled page shows after a spinner of two seconds": {
    html: `<style>.card { height: 200px }</style><div id=list>${cards(1, 10)}</div><script>
      let isLoading = false;
      addEventListener("scroll", () => {
        if (isLoading || list.children.length >= 30 || scrollY + innerHeight < document.body.scrollHeight - 50) return;
        isLoading = true;
        setTimeout(() => {
          const from = list.children.length + 1;
          for (let n = from; n < from + 10; n += 1) list.insertAdjacentHTML("beforeend", "<li class=card>Lamp " + n + "</li>");
          isLoading = false;
        }, 2000);
      });
    </script>`,
    pagination: { type: "infinite_scroll" },
    rows: lamps(1, 30),
  },
} satisfies Pages;
