import { expect, test } from "@jest/globals";
import { sendHtml } from "../../../site/site.ts";
import { cards, numbers, startCardSite } from "./card-site.ts";

/* Controls that can't be pressed, and pages that do not come. */

const { site, scrape, setPages } = await startCardSite();

test.concurrent("a page that breaks off is an error, and not the end of the list", async () => {
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

test.concurrent("a control that leads to a file, or to nothing, is told at once", async () => {
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
    expect(Date.now() - started).toBeLessThan(28_000);
  }
});

test.concurrent("a page that does not come in time is no end of the list", async () => {
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

test.concurrent("a control that Playwright has to find visible", async () => {
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

test.concurrent.each([
  { type: "next_button", selector: "#more" },
  { type: "load_more", selector: "#more" },
] as const)("a control that is covered later ends the list with a warning: $type", async (pagination) => {
  const path = site.newPath();
  const isMore = pagination.type === "load_more";
  // Its script only reacts to a real pointer, and covers it after the second press.
  site.setRoute(
    path,
    `<ul>${cards(1, 3)}</ul><button id=more>More</button><script>
    let page = 1;
    document.querySelector("#more").onclick = (event) => {
      if (!event.isTrusted) return;
      page += 1;
      const list = document.querySelector("ul");
      const added = [2, 1, 0].map((n) => '<li class="card">Lamp ' + (page * 3 - n)).join("");
      list.innerHTML = ${isMore ? "list.innerHTML + " : ""}added;
      if (page === 3) document.body.insertAdjacentHTML("beforeend", '<div style="position:fixed;inset:0">Subscribe!</div>');
    };</script>`,
  );
  const told = await scrape(path, pagination);
  expect(told.failure).toBeUndefined();
  expect(told.names).toEqual(numbers(1, 9));
  expect(told.warnings).toMatchObject([
    { code: "rows_may_be_missing", message: expect.stringContaining("can't be pressed") },
  ]);
});

test.concurrent("a site that gives its last page for all later ones, too, ends the list with a warning", async () => {
  site.setRoute("/clamped", (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const shown = Math.min(page, 4);
    sendHtml(
      response,
      `<ul>${cards(shown * 3 - 2, shown * 3)}</ul><a class=next href="/clamped?page=${page + 1}">Next</a>`,
    );
  });
  const told = await scrape("/clamped", { type: "next_button", selector: ".next" });
  expect(told.failure).toBeUndefined();
  expect(told.names).toEqual([...numbers(1, 12), ...numbers(10, 12), ...numbers(10, 12)]);
  expect(told.warnings).toMatchObject([{ code: "rows_repeated", count: 2 }]);
});
