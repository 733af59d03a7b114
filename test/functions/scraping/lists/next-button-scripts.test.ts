import type { ServerResponse } from "node:http";
import { expect, test } from "@jest/globals";
import { sendHtml } from "../../../site/site.ts";
import { cards, numbers, startCardSite } from "./card-site.ts";

/* Lists whose next page is made by a script, or whose control is. */

const { site, scrape, setPages } = await startCardSite();

const byScript = (delay: number, body: string) => `
  <ul id=list>${cards(1, 3)}</ul><button class=next>Next</button><span id=spin></span><script>
  let page = 1; const list = document.getElementById("list"), next = document.querySelector(".next");
  const card = (n) => '<li class="card"><a href="/p/' + n + '">Lamp ' + n + '</a></li>';
  const show = () => { ${body} if (page >= 4) next.disabled = true; };
  next.onclick = () => { page += 1; setTimeout(show, ${delay}); };
</script>`;

test.concurrent("round to the first page by a script", async () => {
  site.setRoute(
    "/round",
    byScript(50, "list.innerHTML = [0,1,2].map((i) => card((page - 1) % 3 * 3 + 1 + i)).join('');").replace(
      "page >= 4",
      "false",
    ),
  );
  expect((await scrape("/round", { type: "next_button", selector: ".next" })).names).toEqual(numbers(1, 9));
});

test.concurrent("a button that changes the list on the same address, late", async () => {
  site.setRoute(
    "/same",
    byScript(300, "list.innerHTML = [0,1,2].map((i) => card(page * 3 - 2 + i)).join('');"),
  );
  const told = await scrape("/same", { type: "next_button", selector: ".next" });
  expect(told.names).toEqual(numbers(1, 12));
});

test.concurrent("a button that reuses the elements of the list", async () => {
  site.setRoute(
    "/reuse",
    byScript(
      50,
      "[...list.children].forEach((item, i) => { item.textContent = 'Lamp ' + (page * 3 - 2 + i); });",
    ),
  );
  expect((await scrape("/reuse", { type: "next_button", selector: ".next" })).names).toEqual(numbers(1, 12));
});

test.concurrent("a list that is empty for a while in between, and one that shows placeholder rows first", async () => {
  const answer = (request: { url?: string | undefined }, response: ServerResponse) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page"));
    setTimeout(() => sendHtml(response, cards(page * 3 - 2, page * 3)), 150);
  };
  site.setRoute("/part", answer);
  for (const sketch of ["", "<li class=card></li><li class=card></li>"]) {
    site.setRoute(
      "/between",
      `<ul id=list>${cards(1, 3)}</ul><button class=next>Next</button><script>
      let page = 1; const list = document.getElementById("list"), next = document.querySelector(".next");
      next.onclick = async () => { page += 1; list.innerHTML = ${JSON.stringify(sketch)};
        list.innerHTML = await (await fetch("/part?page=" + page)).text(); next.disabled = page >= 3; };</script>`,
    );
    expect((await scrape("/between", { type: "next_button", selector: ".next" })).names).toEqual(
      numbers(1, 9),
    );
  }
});

test.concurrent("placeholder rows that stay for long, and ones that a script fills in with no data to wait for", async () => {
  const sketch = "list.innerHTML = '<li class=card>&zwnj;</li>'.repeat(3);";
  const show = "list.innerHTML = [0,1,2].map((i) => card(page * 3 - 2 + i)).join('');";
  site.setRoute("/silence", (_, response) => {
    setTimeout(() => response.end(), 1_300);
  });
  for (const wait of ['await fetch("/silence");', "await new Promise((done) => setTimeout(done, 300));"]) {
    const page = byScript(0, show).replace(
      "() => { page += 1;",
      `async () => { page += 1; ${sketch} ${wait}`,
    );
    site.setRoute("/sketch", page.replace("page >= 4", "page >= 3"));
    const told = await scrape("/sketch", { type: "next_button", selector: ".next" });
    expect(told.names).toEqual(numbers(1, 9));
  }
});

test.concurrent("rows that have no text at all", async () => {
  const blank = byScript(0, "if (page === 2) list.innerHTML = '<li class=card></li>'.repeat(2);");
  site.setRoute("/blank", blank.replace("page >= 4", "page >= 2"));
  const told = await scrape("/blank", { type: "next_button", selector: ".next" });
  expect(told.names).toEqual([...numbers(1, 3), "", ""]);
});

test.concurrent("a control that a script makes, which comes late", async () => {
  site.setRoute("/pager.js", (request, response) => {
    const page = Number(request.url?.split("?")[1]);
    const add = `document.body.insertAdjacentHTML("beforeend", '<a class=next href="/pager?page=${page + 1}">Next</a>')`;
    setTimeout(() => response.end(page < 3 ? add : ""), 1_000);
  });
  setPages("/pager", 3, (page) => `<script async src="/pager.js?${page}"></script>`);
  const told = await scrape("/pager", { type: "next_button", selector: ".next" });
  expect(told.names).toEqual(numbers(1, 9));
});

test.concurrent("a button that only a real pointer works", async () => {
  site.setRoute(
    "/pointer",
    byScript(0, "list.innerHTML = [0,1,2].map((i) => card(page * 3 - 2 + i)).join('');").replace(
      "next.onclick = () => {",
      "next.onpointerdown = (event) => { if (!event.isTrusted) return;",
    ),
  );
  expect((await scrape("/pointer", { type: "next_button", selector: ".next" })).names).toEqual(
    numbers(1, 12),
  );
});

test.concurrent("old rows that stay until the new ones come, with a pause between pages", async () => {
  site.setRoute(
    "/paused",
    byScript(300, "list.innerHTML = [0,1,2].map((i) => card(page * 3 - 2 + i)).join('');"),
  );
  const told = await scrape("/paused", { type: "next_button", selector: ".next", delay_ms: 50 });
  expect(told.names).toEqual(numbers(1, 12));
});

test.concurrent("by name, what a script alone makes a button of, and a picture that sends a form", async () => {
  for (const control of ["<div class=next>Next</div>", "<ul><li class=next><span>next\n</span></li></ul>"]) {
    const plain = byScript(50, "list.innerHTML = [0,1,2].map((i) => card(page * 3 - 2 + i)).join('');")
      .replace("<button class=next>Next</button>", control)
      .replace("next.disabled = true", "next.remove()");
    site.setRoute("/plain", plain);
    expect((await scrape("/plain", { type: "next_button", field_name: "Next" })).names).toEqual(
      numbers(1, 12),
    );
  }
  setPages("/picture", 3, (page) =>
    page < 3
      ? `<form><input type=hidden name=page value=${page + 1}><input type=image alt=Next src=/next.png></form>`
      : "",
  );
  expect((await scrape("/picture", { type: "next_button", field_name: "Next" })).names).toEqual(
    numbers(1, 9),
  );
});

test.concurrent("rows that fade out while the next ones fade in are not taken twice", async () => {
  const path = site.newPath();
  const list = (page: number) =>
    `<ul>${cards(page * 3 - 2, page * 3)}</ul>${page < 3 ? "<button>Next</button>" : ""}`;
  site.setRoute(
    path,
    `<style>section{position:absolute;transition:opacity 5s}</style><main><section>${list(1)}</section></main><script>
    const lists = ${JSON.stringify([list(2), list(3)])};
    onclick = (event) => { if (event.target.localName !== "button") return;
      const old = document.querySelector("section"), next = document.createElement("section");
      next.innerHTML = lists.shift(); old.after(next);
      next.animate([{ opacity: 0 }, { opacity: 1 }], 5000);
      requestAnimationFrame(() => { old.style.opacity = 0; old.ontransitionend = () => old.remove(); }); };</script>`,
  );
  const told = await scrape(path, { type: "next_button", field_name: "Next" });
  expect(told).toMatchObject({ failure: undefined, warnings: [] });
  expect(told.names).toEqual(numbers(1, 9));
});

test.concurrent("a button that is disabled for a second after its rows came is pressed again", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<ul id=list>${cards(1, 3)}</ul><button>Next</button><script>
    let page = 1; const list = document.getElementById("list"), button = document.querySelector("button");
    button.onclick = () => { button.disabled = true; page += 1;
      list.innerHTML = [2, 1, 0].map((i) => "<li class=card>Lamp " + (page * 3 - i) + "</li>").join("");
      if (page < 4) setTimeout(() => { button.disabled = false; }, 1000); };</script>`,
  );
  expect((await scrape(path, { type: "next_button", field_name: "Next" })).names).toEqual(numbers(1, 12));
});

test.concurrent("rows that a script adds one after another are all read", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<ul id=list>${cards(1, 3)}</ul><button>Next</button><script>
    let page = 1; const list = document.getElementById("list"), button = document.querySelector("button");
    button.onclick = () => { page += 1; button.disabled = page === 4; list.innerHTML = "";
      let count = 0; const add = () => { count += 1;
        list.insertAdjacentHTML("beforeend", "<li class=card>Lamp " + (page * 3 - 3 + count) + "</li>");
        if (count < 3) setTimeout(add, 120); };
      setTimeout(add, 100); };</script>`,
  );
  expect((await scrape(path, { type: "next_button", field_name: "Next" })).names).toEqual(numbers(1, 12));
});

test.concurrent("a button that moves the list by less than a page: the run says so", async () => {
  const path = site.newPath();
  site.setRoute(path, byScript(0, "list.innerHTML = [0,1,2].map((i) => card(page + i)).join('');"));
  const told = await scrape(path, { type: "next_button", selector: ".next" });
  expect(told.names).toHaveLength(12);
  expect(told.warnings).toMatchObject([{ code: "rows_repeated", step: 1, count: 3 }]);
});
