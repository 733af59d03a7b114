import { describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

const cards = (from: number, to: number, text = (n: number) => `Lamp ${n}`) =>
  Array.from(
    { length: to - from + 1 },
    (_, index) => `<li class="card"><a href="/p/${from + index}">${text(from + index)}</a></li>`,
  ).join("");
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Lamp ${from + index}`);

const scrape = async (path: string, pagination: Pagination, rowsLimit = 1_000, frame?: string) => {
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: ".card", fields: [{ name: "name" }], timeout_ms: 3_000, frame },
    ],
    pagination,
    rowsLimit,
  });
  return { ...told, names: told.rows.map((row) => row.name) };
};

/** Pages of a list by `?page=`, with whatever control the page shows. */
const setPages = (path: string, count: number, control: (page: number) => string, body = "") =>
  site.setRoute(path, (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const list = page <= count ? cards(page * 3 - 2, page * 3) : "";
    sendHtml(response, `<ul>${list}</ul>${control(page)}${body}`);
  });

describe("next_button", () => {
  test("a link by its name, until it is gone", async () => {
    setPages("/named", 3, (page) => (page < 3 ? `<a href="/named?page=${page + 1}">Next page ›</a>` : ""));
    const told = await scrape("/named", { type: "next_button", field_name: "next page" });
    expect(told.names).toEqual(numbers(1, 9));
    expect(told.loads).toBe(3);
  });

  test.each([
    ["the attribute", "<button class=next disabled>Next</button>"],
    ["aria-disabled", '<a class=next aria-disabled=true href="/off?page=2">Next</a>'],
    ["a class", '<li class="page-item disabled"><a class=next href="/off?page=2">Next</a></li>'],
    ["not being shown", '<a class=next style="display:none" href="/off?page=2">Next</a>'],
  ])("disabled by %s", async (_, control) => {
    setPages("/off", 3, () => control);
    expect((await scrape("/off", { type: "next_button", selector: ".next" })).names).toEqual(numbers(1, 3));
  });

  test("a link that leads round in a circle", async () => {
    setPages("/circle", 3, (page) => `<a class=next href="/circle?page=${(page % 3) + 1}">Next</a>`);
    const told = await scrape("/circle?page=1", { type: "next_button", selector: ".next" });
    expect(told.failure).toBeUndefined();
    expect(told.names).toEqual(numbers(1, 9));
  });

  test("round to the first page, which has two addresses", async () => {
    for (const script of ["", '<script>"use strict"</script>']) {
      const next = (page: number) => (page < 3 ? `/two?page=${page + 1}` : "/two");
      setPages("/two", 3, (page) => `<a class=next href="${next(page)}">Next</a>`, script);
      const told = await scrape("/two?page=1", { type: "next_button", selector: ".next" });
      expect(told.names).toEqual(numbers(1, 9));
    }
  });

  test("round to the first page by a script", async () => {
    site.setRoute(
      "/round",
      byScript(50, "list.innerHTML = [0,1,2].map((i) => card((page - 1) % 3 * 3 + 1 + i)).join('');").replace(
        "page >= 4",
        "false",
      ),
    );
    expect((await scrape("/round", { type: "next_button", selector: ".next" })).names).toEqual(numbers(1, 9));
  });

  test("the last page's link leads to itself", async () => {
    setPages("/itself", 2, (page) => `<a class=next href="/itself?page=${Math.min(2, page + 1)}">Next</a>`);
    expect((await scrape("/itself", { type: "next_button", selector: ".next" })).names).toEqual(
      numbers(1, 6),
    );
  });

  test("max_pages and the limit of rows", async () => {
    setPages("/many", 50, (page) => `<a class=next href="/many?page=${page + 1}">Next</a>`);
    expect(
      (await scrape("/many", { type: "next_button", selector: ".next", max_pages: 2 } as Pagination)).names,
    ).toEqual(numbers(1, 6));
    const told = await scrape("/many", { type: "next_button", selector: ".next" }, 7);
    expect(told.names).toEqual(numbers(1, 7));
    expect(told.loads).toBe(3);
  });

  const byScript = (delay: number, body: string) => `
    <ul id=list>${cards(1, 3)}</ul><button class=next>Next</button><span id=spin></span><script>
    let page = 1; const list = document.getElementById("list"), next = document.querySelector(".next");
    const card = (n) => '<li class="card"><a href="/p/' + n + '">Lamp ' + n + '</a></li>';
    const show = () => { ${body} if (page >= 4) next.disabled = true; };
    next.onclick = () => { page += 1; setTimeout(show, ${delay}); };
  </script>`;

  test("a button that changes the list on the same address, late", async () => {
    site.setRoute(
      "/same",
      byScript(300, "list.innerHTML = [0,1,2].map((i) => card(page * 3 - 2 + i)).join('');"),
    );
    const told = await scrape("/same", { type: "next_button", selector: ".next" });
    expect(told.names).toEqual(numbers(1, 12));
  });

  test("a button that reuses the elements of the list", async () => {
    site.setRoute(
      "/reuse",
      byScript(
        50,
        "[...list.children].forEach((item, i) => { item.textContent = 'Lamp ' + (page * 3 - 2 + i); });",
      ),
    );
    expect((await scrape("/reuse", { type: "next_button", selector: ".next" })).names).toEqual(
      numbers(1, 12),
    );
  });

  test("a list that is empty for a while in between, and one that shows a sketch of itself first", async () => {
    const answer = (request: { url?: string | undefined }, response: import("node:http").ServerResponse) => {
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

  test("a sketch that stands for long, and one that a script fills in with no data to wait for", async () => {
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

  test("rows that have no text at all", async () => {
    const blank = byScript(0, "if (page === 2) list.innerHTML = '<li class=card></li>'.repeat(2);");
    site.setRoute("/blank", blank.replace("page >= 4", "page >= 2"));
    const told = await scrape("/blank", { type: "next_button", selector: ".next" });
    expect(told.names).toEqual([...numbers(1, 3), "", ""]);
  });

  test("a control that a script makes, which comes late", async () => {
    site.setRoute("/pager.js", (request, response) => {
      const page = Number(request.url?.split("?")[1]);
      const add = `document.body.insertAdjacentHTML("beforeend", '<a class=next href="/pager?page=${page + 1}">Next</a>')`;
      setTimeout(() => response.end(page < 3 ? add : ""), 1_000);
    });
    setPages("/pager", 3, (page) => `<script async src="/pager.js?${page}"></script>`);
    const told = await scrape("/pager", { type: "next_button", selector: ".next" });
    expect(told.names).toEqual(numbers(1, 9));
  });

  test("a button that only a real pointer works", async () => {
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

  test("a button of a form, which loads the next page", async () => {
    const ways = ["<button class=next>Next</button>", '<input class=next type=submit value="Next page">'];
    for (const button of [...ways, ...ways.map((way) => `${way}<script>"use strict"</script>`)]) {
      setPages("/form", 3, (page) =>
        page < 3 ? `<form><input type=hidden name=page value=${page + 1}>${button}</form>` : "",
      );
      const told = await scrape("/form", { type: "next_button", field_name: "Next" });
      expect(told.names).toEqual(numbers(1, 9));
      expect(told.loads).toBe(3);
    }
  });

  test.each([
    ["of its own", (href: string) => `<a class=next target=_blank href="${href}">Next</a>`],
    ["that the base names", (href: string) => `<base target=other><a class=next href="${href}">Next</a>`],
    ["that a form names", (href: string) => `<form target=_new>${hiddenPage(href)}<button class=next>Next`],
  ])("a control that opens a tab %s", async (_, control) => {
    for (const script of ["", '<script>"use strict"</script>']) {
      setPages("/tabs", 3, (page) => (page < 3 ? control(`/tabs?page=${page + 1}`) : ""), script);
      const told = await scrape("/tabs", { type: "next_button", selector: ".next" });
      expect(told.failure).toBeUndefined();
      expect(told.names).toEqual(numbers(1, 9));
      expect(told.loads).toBe(3);
    }
  });
  const hiddenPage = (href: string) => `<input type=hidden name=page value=${href.split("=")[1]}>`;

  test("links inside of a frame", async () => {
    site.setRoute("/framing", "<h1>Lamps</h1><iframe id=list src=/framed></iframe>");
    for (const script of ["", '<script>"use strict"</script>']) {
      setPages(
        "/framed",
        3,
        (page) => (page < 3 ? `<a class=next href="/framed?page=${page + 1}">Next</a>` : ""),
        script,
      );
      const told = await scrape("/framing", { type: "next_button", selector: ".next" }, 1_000, "#list");
      expect(told.failure).toBeUndefined();
      expect(told.names).toEqual(numbers(1, 9));
    }
  });

  test("old rows that stay until the new ones come, with a pause between pages", async () => {
    site.setRoute(
      "/paused",
      byScript(300, "list.innerHTML = [0,1,2].map((i) => card(page * 3 - 2 + i)).join('');"),
    );
    const told = await scrape("/paused", { type: "next_button", selector: ".next", delay_ms: 50 });
    expect(told.names).toEqual(numbers(1, 12));
  });

  test("by name, what a script alone makes a button of, and a picture that sends a form", async () => {
    for (const control of [
      "<div class=next>Next</div>",
      "<ul><li class=next><span>next\n</span></li></ul>",
    ]) {
      const plain = byScript(50, "list.innerHTML = [0,1,2].map((i) => card(page * 3 - 2 + i)).join('');")
        .replace("<button class=next>Next</button>", control)
        .replace("next.disabled = true", "next.remove()");
      site.setRoute("/plain", plain);
      expect((await scrape("/plain", { type: "next_button", field_name: "Next" })).names).toEqual(
        numbers(1, 12),
      );
    }
    setPages("/picture", 3, (page) =>
      page < 3 ? `<form>${hiddenPage(`=${page + 1}`)}<input type=image alt=Next src=/next.png></form>` : "",
    );
    expect((await scrape("/picture", { type: "next_button", field_name: "Next" })).names).toEqual(
      numbers(1, 9),
    );
  });

  test("a control that Playwright has to find visible", async () => {
    const hidden = '<a class=next style="display:none" href="/nowhere">Next</a>';
    setPages("/seen", 3, (page) =>
      page < 3 ? `${hidden}<a class=next href="/seen?page=${page + 1}">Next</a>` : hidden,
    );
    for (const selector of [".next:visible", "text=Next"])
      expect((await scrape("/seen", { type: "next_button", selector })).names).toEqual(numbers(1, 9));
  });

  test("a control that is covered is an error, and not the end of the list", async () => {
    const cover = '<div style="position:fixed;inset:0;background:#fff">Subscribe!</div>';
    // Its script only reacts to a real pointer.
    const script =
      "<script>document.querySelector('.next').onpointerup = (e) => { if (e.isTrusted) location.search = 'page=2'; }</script>";
    setPages("/covered", 3, () => "<a class=next>Next</a>", cover + script);
    const told = await scrape("/covered", { type: "next_button", selector: "a >> text=Next" });
    expect(told.names).toEqual(numbers(1, 3));
    expect(told.failure).toMatchObject({ code: "element_covered", step: 1 });
  });

  test("a page that breaks off is an error, and not the end of the list", async () => {
    site.setRoute("/broken-off", (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      const whole = `<ul>${cards(page * 3 - 2, page * 3)}</ul><a class=next href="/broken-off?page=${page + 1}">Next</a>`;
      if (page < 2) return sendHtml(response, whole);
      response.writeHead(200, { "content-type": "text/html", "content-length": String(whole.length) });
      response.write(whole.slice(0, whole.indexOf("</ul>")), () => response.destroy());
    });
    const told = await scrape("/broken-off", { type: "next_button", selector: ".next" });
    expect(told.names).toEqual(numbers(1, 3));
    expect(told.failure).toMatchObject({ code: "navigation_failed", step: 1 });
  });

  test("a control that leads to a file, or to nothing, is told at once", async () => {
    site.setRoute("/file", (_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-disposition": "attachment" }).end("x");
    });
    site.setRoute("/nothing", (_, response) => {
      response.writeHead(204).end();
    });
    for (const [path, says] of [
      ["/file", "download"],
      ["/nothing", "204"],
    ] as const) {
      site.setRoute("/first", `<ul>${cards(1, 3)}</ul><a class=next href="${path}">Next</a>`);
      const started = Date.now();
      const told = await scrape("/first", { type: "next_button", selector: ".next" });
      expect(told.names).toEqual(numbers(1, 3));
      expect(told.failure).toMatchObject({
        code: "not_html",
        step: 1,
        message: expect.stringContaining(says),
      });
      expect(told.loads).toBe(1);
      expect(Date.now() - started).toBeLessThan(20_000);
    }
  });

  test("a page that does not come in time is no end of the list", async () => {
    let asked = 0;
    site.setRoute("/slow", (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      const next = page < 3 ? `<a class=next href="/slow?page=${page + 1}">Next</a>` : "";
      const html = `<ul>${cards(page * 3 - 2, page * 3)}</ul>${next}`;
      if (page !== 2 || asked++ > 0) return sendHtml(response, html);
      response.writeHead(200, { "content-type": "text/html" }).write("<h1>Lamps</h1>");
    });
    const told = await scrape("/slow", { type: "next_button", selector: ".next" });
    expect(told.failure).toBeUndefined();
    expect(told.names).toEqual(numbers(1, 9));
    expect(told.loads).toBe(3);
  });

  test("pages of equal rows are pages of their own", async () => {
    site.setRoute("/equal", (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      sendHtml(
        response,
        `${cards(1, 3, () => "In stock")}${page < 3 ? `<a class=next href="/equal?page=${page + 1}">Next</a>` : ""}`,
      );
    });
    const told = await scrape("/equal", { type: "next_button", selector: ".next" });
    expect(told.failure).toBeUndefined();
    expect(told.batches.map(({ checkpoint }) => checkpoint.url).slice(0, 2)).toEqual([
      site.url("/equal"),
      site.url("/equal?page=2"),
    ]);
    expect(told.names).toHaveLength(9);
  });
});

describe("load_more", () => {
  const growing = (step: string, extra = "") => `
    <ul id=list>${cards(1, 4)}</ul><button id=more>Show more</button><script>
    let shown = 4; const list = document.getElementById("list"), more = document.getElementById("more");
    const add = () => { for (let i = 0; i < 4; i++) { shown++; list.insertAdjacentHTML("beforeend", '<li class="card">Lamp ' + shown + '</li>'); } if (shown >= 16) more.remove(); };
    more.onclick = () => { ${step} };${extra}</script>`;

  test("until the button is gone; each batch is counted", async () => {
    site.setRoute(
      "/more",
      growing(
        "more.disabled = true; setTimeout(() => { add(); setTimeout(() => { more.disabled = false; }, 60); }, 80);",
      ),
    );
    const told = await scrape("/more", { type: "load_more", field_name: "Show more" });
    expect(told.names).toEqual(numbers(1, 16));
    expect(told.loads).toBe(4);
  });

  test("data that does not come in time is no end of the list", async () => {
    let asked = 0;
    site.setRoute("/slow-data", (_, response) => {
      asked += 1;
      // The first answer never comes.
      if (asked > 1) response.end();
    });
    site.setRoute("/slow-more", growing('fetch("/slow-data").then((answer) => answer.text()).then(add);'));
    const told = await scrape("/slow-more", { type: "load_more", selector: "#more" });
    expect(told.failure).toBeUndefined();
    expect(told.names).toEqual(numbers(1, 16));
  });

  test.each([
    ["give place to rows", "drafts.forEach((draft) => draft.remove()); add();"],
    ["are filled in", "drafts.forEach((draft) => { shown++; draft.textContent = 'Lamp ' + shown; });"],
  ])("sketches of rows that %s", async (_, fill) => {
    const draw = "list.insertAdjacentHTML('beforeend', '<li class=card></li>'.repeat(4));";
    site.setRoute(
      "/drafts",
      growing(
        `${draw} const drafts = [...list.children].slice(-4); setTimeout(() => { ${fill} if (shown >= 16) more.remove(); }, 200);`,
      ),
    );
    expect((await scrape("/drafts", { type: "load_more", selector: "#more" })).names).toEqual(numbers(1, 16));
  });

  test("a list that is made anew, longer", async () => {
    site.setRoute("/anew", growing("add(); list.innerHTML = list.innerHTML;"));
    expect((await scrape("/anew", { type: "load_more", selector: "#more" })).names).toEqual(numbers(1, 16));
  });

  test("a button that stays but adds nothing any more", async () => {
    site.setRoute("/stays", growing("if (shown < 12) add();"));
    expect((await scrape("/stays", { type: "load_more", selector: "#more" })).names).toEqual(numbers(1, 12));
  });

  test("max_pages", async () => {
    site.setRoute("/more2", growing("add();"));
    expect(
      (await scrape("/more2", { type: "load_more", selector: "#more", max_pages: 2 } as Pagination)).names,
    ).toEqual(numbers(1, 8));
  });
});

describe("infinite_scroll", () => {
  test("a list that grows when its end comes into view", async () => {
    site.setRoute(
      "/grow",
      `<style>.card{height:120px}</style><ul id=list>${cards(1, 10)}</ul><div id=end>…</div><script>
      let shown = 10; const end = document.getElementById("end"), list = document.getElementById("list");
      const watch = new IntersectionObserver((entries) => { if (!entries[0].isIntersecting || shown >= 50) return;
        setTimeout(() => { for (let i = 0; i < 10; i++) { shown++; list.insertAdjacentHTML("beforeend", '<li class="card">Lamp ' + shown + '</li>'); }
          watch.unobserve(end); watch.observe(end); }, 40); }); watch.observe(end);</script>`,
    );
    const told = await scrape("/grow", { type: "infinite_scroll" });
    expect(told.names).toEqual(numbers(1, 50));
  });

  /** A list that gets ten more rows, up to 50, whenever `box` (an expression) is scrolled to its end. */
  const onScroll = (box: string, add: string) => `<script>
    let shown = 10, busy = false; const list = document.getElementById("list"), box = ${box};
    const rows = () => Array.from({ length: 10 }, () => '<li class="card">Lamp ' + ++shown + '</li>').join("");
    (box === document.scrollingElement ? window : box).addEventListener("scroll", async () => {
      if (busy || shown >= 50 || box.scrollTop + box.clientHeight < box.scrollHeight - 150) return;
      busy = true; await new Promise((done) => setTimeout(done, 100)); ${add} busy = false; });</script>`;
  const tall = "<style>.card{display:block;height:120px}</style>";
  const append = 'list.insertAdjacentHTML("beforeend", rows());';

  test.each([
    [
      "a body that scrolls itself",
      "html{height:100%;overflow:hidden}body{height:100%;margin:0;overflow:auto}",
    ],
    ["a window that its body speaks for", "body{overflow-y:scroll}"],
  ])("%s", async (_, css) => {
    const box = css.startsWith("html") ? "document.body" : "document.scrollingElement";
    site.setRoute(
      "/body",
      `${tall}<style>${css}</style><ul id=list>${cards(1, 10)}</ul>${onScroll(box, append)}`,
    );
    expect((await scrape("/body", { type: "infinite_scroll" })).names).toEqual(numbers(1, 50));
  });

  test("a list in the slot of a shadow root that scrolls", async () => {
    site.setRoute(
      "/slot",
      `${tall}<x-box id=list>${cards(1, 10)}</x-box><script>document.getElementById("list").attachShadow({ mode: "open" }).innerHTML =
      "<div style='height:400px;overflow:auto'><slot></slot></div>";</script>${onScroll('document.getElementById("list").shadowRoot.firstChild', append)}`,
    );
    expect((await scrape("/slot", { type: "infinite_scroll" })).names).toEqual(numbers(1, 50));
  });

  test.each([
    ["loses rows at its top", `${append} while (list.children.length > 30) list.firstChild.remove();`],
    [
      "shows sketches of its rows first",
      `const draft = "<li class=card></li>".repeat(10); list.insertAdjacentHTML("beforeend", draft);
      await new Promise((done) => setTimeout(done, 200)); [...list.children].slice(-10).forEach((row) => row.remove()); ${append}`,
    ],
    [
      "fills in sketches of its rows",
      `const draft = "<li class=card></li>".repeat(10); list.insertAdjacentHTML("beforeend", draft);
      await new Promise((done) => setTimeout(done, 200)); [...list.children].slice(-10).forEach((row) => { row.textContent = "Lamp " + ++shown; });`,
    ],
    [
      "has rows put in between",
      `${append} list.children[3].insertAdjacentHTML("afterend", "<li class=card></li>");`,
    ],
  ])("a list that %s", async (_, add) => {
    site.setRoute(
      "/changing",
      `${tall}<ul id=list>${cards(1, 10)}</ul>${onScroll("document.scrollingElement", add)}`,
    );
    const told = await scrape("/changing", { type: "infinite_scroll" });
    expect(told.names.filter((name) => name !== "")).toEqual(numbers(1, 50));
  });

  test("a window of rows of which some are yet to come", async () => {
    const page = recycling(60, "n < come ? 'Lamp ' + (n + 1) : ''").replace(
      "const draw = () => {",
      "let come = 16; const draw = () => { if (!pool.asked && box.scrollTop / 40 + 16 > come) { pool.asked = true; setTimeout(() => { pool.asked = false; come += 16; draw(); }, 200); }",
    );
    site.setRoute("/yet-to-come", page);
    expect((await scrape("/yet-to-come", { type: "infinite_scroll" })).names).toEqual(numbers(1, 60));
  });

  /** A list of which only the rows in view exist, in elements that are used again. */
  const recycling = (count: number, text: string) => `
    <style>#box{height:400px;overflow:auto;position:relative}.card{position:absolute;height:40px;left:0;right:0;margin:0}</style>
    <div id=box><div id=space style="height:${count * 40}px;position:relative"></div></div><script>
    const box = document.getElementById("box"), space = document.getElementById("space"), pool = [];
    for (let i = 0; i < 16; i++) { const item = document.createElement("p"); item.className = "card"; space.append(item); pool.push(item); }
    const draw = () => { const first = Math.max(0, Math.min(${count} - 16, Math.floor(box.scrollTop / 40) - 2));
      pool.forEach((item) => {}); for (let i = 0; i < 16; i++) { const n = first + i, item = pool[n % 16]; item.style.top = n * 40 + "px"; item.textContent = ${text}; } };
    box.onscroll = () => requestAnimationFrame(draw); draw();</script>`;

  test("a list that uses its elements again", async () => {
    site.setRoute("/recycle", recycling(120, '"Lamp " + (n + 1)'));
    expect((await scrape("/recycle", { type: "infinite_scroll" })).names).toEqual(numbers(1, 120));
  });

  test("equal rows in a list that uses its elements again", async () => {
    site.setRoute("/recycle-equal", recycling(90, '"In stock"'));
    expect((await scrape("/recycle-equal", { type: "infinite_scroll" })).names).toHaveLength(90);
  });
});

describe("url_template", () => {
  const pagination = (path: string) =>
    ({ type: "url_template", url: `${site.origin}${path}?page={page}` }) as const;

  test("goes on from the visited page to one that has nothing", async () => {
    setPages("/t", 4, () => "");
    const told = await scrape("/t", pagination("/t"));
    expect(told.names).toEqual(numbers(1, 12));
    setPages("/t2", 4, () => "");
    expect((await scrape("/t2?page=1", pagination("/t2"))).names).toEqual(numbers(1, 12));
  });

  test("ends where the site has no such page, or gives the last one again", async () => {
    site.setRoute("/t404", (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      sendHtml(response, cards(page * 3 - 2, page * 3), page > 2 ? 404 : 200);
    });
    const gone = await scrape("/t404?page=1", pagination("/t404"));
    expect(gone.failure).toBeUndefined();
    expect(gone.names).toEqual(numbers(1, 6));
    site.setRoute("/tlast", (request, response) => {
      const page = Math.min(3, Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1));
      sendHtml(response, cards(page * 3 - 2, page * 3));
    });
    expect((await scrape("/tlast?page=1", pagination("/tlast"))).names).toEqual(numbers(1, 9));
  });

  test("start and step", async () => {
    site.setRoute("/offset", (request, response) => {
      const from = Number(new URL(request.url ?? "", site.origin).searchParams.get("from") ?? 0);
      sendHtml(response, from < 9 ? cards(from + 1, from + 3) : "");
    });
    const told = await scrape("/offset?from=0", {
      type: "url_template",
      url: `${site.origin}/offset?from={page}`,
      start: 0,
      step: 3,
    });
    expect(told.names).toEqual(numbers(1, 9));
  });

  test("needs no visit before it", async () => {
    setPages("/own", 4, () => "");
    const before = site.requests.length;
    const told = await engine.run({
      steps: [{ type: "get_list", selector: ".card", fields: [{ name: "name" }] }],
      pagination: { ...pagination("/own"), max_pages: 3 },
    });
    expect(told.failure).toBeUndefined();
    expect(told.rows.map(({ name }) => name)).toEqual(numbers(1, 9));
    expect(told.loads).toBe(3);
    expect(site.requests.slice(before).filter((path) => path.startsWith("/own"))).toHaveLength(3);
    const [first] = told.batches;
    if (!first) throw new Error("The first page has a batch.");
    const rest = await engine.run({
      steps: [{ type: "get_list", selector: ".card", fields: [{ name: "name" }] }],
      pagination: { ...pagination("/own"), max_pages: 3 },
      from: { checkpoint: first.checkpoint, taken: first.rows.length },
    });
    expect(rest.rows.map(({ name }) => name)).toEqual(numbers(4, 9));
  });

  test("does not load the page again that is open, however its address is written", async () => {
    setPages("/open page", 2, () => "");
    site.setRoute("/open%20page", (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page"));
      sendHtml(response, page <= 2 ? cards(page * 3 - 2, page * 3) : "");
    });
    const before = site.requests.length;
    const told = await scrape("/open%20page?page=1", pagination("/open page"));
    expect(told.names).toEqual(numbers(1, 6));
    expect(site.requests.slice(before).filter((path) => path.endsWith("page=1"))).toHaveLength(1);
  });

  test("waits for each page's list as long as the step says", async () => {
    site.setRoute("/slow-lists", (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page"));
      const list = page <= 3 ? cards(page * 3 - 2, page * 3) : "";
      sendHtml(
        response,
        `<ul></ul><script>setTimeout(() => {
        document.querySelector("ul").innerHTML = ${JSON.stringify(list)}; }, ${page === 1 ? 0 : 4_000})</script>`,
      );
    });
    const told = await engine.run({
      steps: [{ type: "get_list", selector: ".card", fields: [{ name: "name" }], timeout_ms: 8_000 }],
      pagination: pagination("/slow-lists"),
    });
    expect(told.failure).toBeUndefined();
    expect(told.rows.map(({ name }) => name)).toEqual(numbers(1, 9));
  });
});
