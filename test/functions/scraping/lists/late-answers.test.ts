import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

const list: Step = { type: "get_list", selector: ".row", fields: [{ name: "name" }], timeout_ms: 4_000 };
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `row ${from + index}`);
const rows = (from: number, to: number) =>
  numbers(from, to)
    .map((text) => `<p class=row>${text}</p>`)
    .join("");

test.concurrent("a search typed while the first data loads gives its own rows", async () => {
  const data = site.newPath();
  site.setRoute(data, async (request, response) => {
    const query = new URL(request.url ?? "", site.origin).searchParams.get("q");
    await sleep(300);
    response.end(query ? rows(1, 3) : rows(1, 20));
  });
  const path = site.newPath();
  site.setRoute(
    path,
    `<input placeholder=Search><div id=list></div><script>
      const input = document.querySelector("input");
      const load = async () => { const answer = await fetch("${data}?q=" + input.value); list.innerHTML = await answer.text(); };
      let timer;
      input.oninput = () => { clearTimeout(timer); timer = setTimeout(load, 250); };
      setTimeout(load);
    </script>`,
  );
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "write_input", field_name: "Search", value: "row" },
      list,
    ],
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows.map(({ name }) => name)).toEqual(numbers(1, 3));
});

test.concurrent("rows that a search draws anew, before it has its own, are not its result", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<input placeholder=Search><div id=list>${rows(1, 20)}</div><script>
      document.querySelector("input").oninput = () => {
        list.innerHTML = list.innerHTML;
        setTimeout(() => { list.innerHTML = ${JSON.stringify(rows(1, 3))}; }, 300);
      };
    </script>`,
  );
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "write_input", field_name: "Search", value: "row" },
      list,
    ],
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows.map(({ name }) => name)).toEqual(numbers(1, 3));
});

/** What Turbo does with a link: the last listener of the window prevents it and shows the next page. */
const drive = (data: string) => `<script>
  addEventListener("click", () => addEventListener("click", async (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    const html = await (await fetch("${data}" + new URL(link.href).search)).text();
    history.pushState({}, "", link.href);
    document.querySelector("main").innerHTML = html;
  }, { once: true }), true);
</script>`;

function setDrivenPages(): string {
  const path = site.newPath();
  const data = site.newPath();
  const body = (page: number) =>
    rows(page * 3 - 2, page * 3) + (page < 4 ? `<a href="${path}?page=${page + 1}">Next</a>` : "");
  const pageOf = (url: string | undefined) =>
    Number(new URL(url ?? "", site.origin).searchParams.get("page") ?? 1);
  site.setRoute(data, async (request, response) => {
    await sleep(150);
    response.end(body(pageOf(request.url)));
  });
  site.setRoute(path, (request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<main>${body(pageOf(request.url))}</main>${drive(data)}`);
  });
  return path;
}

test.concurrent("links that a script handles lead to the next pages of a list", async () => {
  const told = await engine.run({
    steps: [{ type: "visit", url: site.url(setDrivenPages()) }, list],
    pagination: { type: "next_button", field_name: "Next" },
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows.map(({ name }) => name)).toEqual(numbers(1, 12));
});

test.concurrent("two clicks on a link that a script handles lead two pages on", async () => {
  const next: Step = { type: "click", field_name: "Next" };
  const told = await engine.run({
    steps: [{ type: "visit", url: site.url(setDrivenPages()) }, next, next, list],
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows.map(({ name }) => name)).toEqual(numbers(7, 9));
});

test.concurrent("rows that keep their elements and change inside their shadow roots are other rows", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<div id=list></div><button>Next</button><script>
      customElements.define("book-card", class extends HTMLElement {
        set text(text) { (this.shadowRoot ?? this.attachShadow({ mode: "open" })).innerHTML = "<b>" + text + "</b>"; }
      });
      for (let row = 0; row < 3; row += 1) list.append(document.createElement("book-card"));
      let page = 0;
      const button = document.querySelector("button");
      const show = () => {
        [...list.children].forEach((card, row) => { card.text = "row " + (page * 3 + row + 1); });
        button.disabled = page === 3;
      };
      button.onclick = () => { page += 1; show(); };
      show();
    </script>`,
  );
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { ...list, selector: "book-card", fields: [{ name: "name", selector: "b" }] } as Step,
    ],
    pagination: { type: "next_button", field_name: "Next" },
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows.map(({ name }) => name)).toEqual(numbers(1, 12));
});

test.concurrent("rows that a scrolled page shows after a spinner of two seconds are read", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<style>.row { height: 200px }</style><div id=list>${rows(1, 10)}</div><script>
      let isLoading = false;
      addEventListener("scroll", () => {
        if (isLoading || list.children.length >= 30 || scrollY + innerHeight < document.body.scrollHeight - 50) return;
        isLoading = true;
        setTimeout(() => {
          const from = list.children.length + 1;
          for (let n = from; n < from + 10; n += 1) list.insertAdjacentHTML("beforeend", "<p class=row>row " + n + "</p>");
          isLoading = false;
        }, 2000);
      });
    </script>`,
  );
  const told = await engine.run({
    steps: [{ type: "visit", url: site.url(path) }, list],
    pagination: { type: "infinite_scroll" },
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows.map(({ name }) => name)).toEqual(numbers(1, 30));
});
