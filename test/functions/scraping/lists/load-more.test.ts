import { describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import { sendHtml } from "../../../site/site.ts";
import { cards, numbers, startCardSite } from "./card-site.ts";

const { site, scrape } = await startCardSite();

const growing = (step: string, extra = "") => `
  <ul id=list>${cards(1, 4)}</ul><button id=more>Show more</button><script>
  let shown = 4; const list = document.getElementById("list"), more = document.getElementById("more");
  const add = () => { for (let i = 0; i < 4; i++) { shown++; list.insertAdjacentHTML("beforeend", '<li class="card">Lamp ' + shown + '</li>'); } if (shown >= 16) more.remove(); };
  more.onclick = () => { ${step} };${extra}</script>`;

test.concurrent("until the button is gone; each batch is counted", async () => {
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

test.concurrent("data that does not come in time is no end of the list", async () => {
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

test.concurrent.each([
  ["give place to rows", "drafts.forEach((draft) => draft.remove()); add();"],
  ["are filled in", "drafts.forEach((draft) => { shown++; draft.textContent = 'Lamp ' + shown; });"],
])("placeholder rows that %s", async (_, fill) => {
  const draw = "list.insertAdjacentHTML('beforeend', '<li class=card></li>'.repeat(4));";
  const path = site.newPath();
  site.setRoute(
    path,
    growing(
      `${draw} const drafts = [...list.children].slice(-4); setTimeout(() => { ${fill} if (shown >= 16) more.remove(); }, 200);`,
    ),
  );
  expect((await scrape(path, { type: "load_more", selector: "#more" })).names).toEqual(numbers(1, 16));
});

test.concurrent("a list that is made anew, longer", async () => {
  site.setRoute("/anew", growing("add(); list.innerHTML = list.innerHTML;"));
  expect((await scrape("/anew", { type: "load_more", selector: "#more" })).names).toEqual(numbers(1, 16));
});

test.concurrent("a button that stays but adds nothing any more", async () => {
  site.setRoute("/stays", growing("if (shown < 12) add();"));
  expect((await scrape("/stays", { type: "load_more", selector: "#more" })).names).toEqual(numbers(1, 12));
});

test.concurrent("a script that fails with every second answer", async () => {
  site.setRoute("/data", (_, response) => {
    response.end("{}");
  });
  site.setRoute(
    "/fails",
    growing(
      'fetch("/data").then((answer) => answer.json()).then((data) => { hasFailed = !hasFailed; if (hasFailed) data.rows.forEach(add); add(); });',
      "let hasFailed = false;",
    ),
  );
  expect((await scrape("/fails", { type: "load_more", selector: "#more" })).names).toEqual(numbers(1, 16));
});

describe("a list that scrolling continues once its button is gone", () => {
  const page = (bottom: string) =>
    `<style>li { height: 150px }</style>${growing(
      `add(); more.remove(); let timer; addEventListener("scroll", () => { clearTimeout(timer); timer = setTimeout(() => {
      if (shown < 16 && scrollY + innerHeight > document.documentElement.scrollHeight - 400) fetch("?more").then(${bottom}); }, 100); });`,
    )}`;

  test.concurrent("causes a warning with load_more", async () => {
    const path = site.newPath();
    site.setRoute(path, page("add"));
    const told = await scrape(path, { type: "load_more", selector: "#more" });
    expect(told.names).toEqual(numbers(1, 8));
    expect(told.warnings).toMatchObject([
      { code: "rows_may_be_missing", message: expect.stringContaining('"infinite_scroll"'), step: 1 },
    ]);
  });

  test.concurrent("is read in full with infinite_scroll", async () => {
    const path = site.newPath();
    site.setRoute(path, page("add"));
    const told = await scrape(path, { type: "infinite_scroll", load_more: { selector: "#more" } });
    expect(told).toMatchObject({ names: numbers(1, 16), warnings: [] });
  });

  test.concurrent("causes no warning where scrolling brings other content", async () => {
    const path = site.newPath();
    site.setRoute(path, page('() => list.after("Similar lamps")'));
    const told = await scrape(path, { type: "load_more", selector: "#more" });
    expect(told).toMatchObject({ names: numbers(1, 8), warnings: [] });
  });
});

describe("a list that has to be scrolled to its end for each press", () => {
  const isAtEnd = "scrollY + innerHeight > document.documentElement.scrollHeight - 50";
  const page = (press: string, extra: string) =>
    `<style>li { height: 400px }</style>${growing(press, extra)}`;

  test.concurrent("because the button is shown there", async () => {
    const path = site.newPath();
    const show = `addEventListener("scroll", () => { if (${isAtEnd}) more.hidden = false; }); more.hidden = true;`;
    site.setRoute(path, page("more.hidden = true; add();", show));
    const told = await scrape(path, { type: "load_more", selector: "#more" });
    expect(told).toMatchObject({ names: numbers(1, 16), warnings: [], failure: undefined });
  });

  test.concurrent("because the button works there only", async () => {
    const path = site.newPath();
    const note = `let works = false; addEventListener("scroll", () => { works ||= ${isAtEnd}; });`;
    site.setRoute(path, page("if (works) add(); works = false;", note));
    const told = await scrape(path, { type: "load_more", field_name: "Show more" });
    expect(told).toMatchObject({ names: numbers(1, 16), warnings: [], failure: undefined });
  });
});

test.concurrent("max_pages", async () => {
  site.setRoute("/more2", growing("add();"));
  expect(
    (await scrape("/more2", { type: "load_more", selector: "#more", max_pages: 2 } as Pagination)).names,
  ).toEqual(numbers(1, 8));
});

describe("a link that leads to another document", () => {
  /** The page with `count` in its address has so many rows, from the first one or the last four of them. */
  const setDocuments = (isLonger: boolean) => {
    const path = site.newPath();
    site.setRoute(path, (request, response) => {
      const count = Number(new URL(request.url ?? "", site.origin).searchParams.get("count") ?? 4);
      const more = count < 16 ? `<a id=more href="${path}?count=${count + 4}">More</a>` : "";
      sendHtml(response, `<ul>${cards(isLonger ? 1 : count - 3, count)}</ul>${more}`);
    });
    return path;
  };

  test.concurrent("with all rows so far: they are not taken again", async () => {
    const path = setDocuments(true);
    for (const selector of ["#more", "a >> text=More"]) {
      const told = await scrape(path, { type: "load_more", selector });
      expect(told).toMatchObject({ failure: undefined, warnings: [] });
      expect(told.names).toEqual(numbers(1, 16));
    }
    expect((await scrape(path, { type: "load_more", selector: "#more" }, 6)).names).toEqual(numbers(1, 6));
  });

  test.concurrent("with the next rows only", async () => {
    const told = await scrape(setDocuments(false), { type: "load_more", selector: "#more" });
    expect(told.names).toEqual(numbers(1, 16));
  });
});

test.concurrent("rows that come again and again are warned of", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<ul id=list>${cards(1, 12)}</ul><button id=more>More</button><script>
    const list = document.getElementById("list"), more = document.getElementById("more"), rows = list.innerHTML; let presses = 0;
    more.onclick = () => { list.insertAdjacentHTML("beforeend", rows); presses += 1; if (presses === 3) more.remove(); };</script>`,
  );
  const told = await scrape(path, { type: "load_more", selector: "#more" });
  expect(told.names).toHaveLength(48);
  expect(told.warnings).toMatchObject([{ code: "rows_repeated", count: 3 }]);
});

test.concurrent.each([
  ["disabled", "more.disabled = true", "more.disabled = false"],
  ["hidden", "more.hidden = true", "more.hidden = false"],
  ["called otherwise", 'more.textContent = "Loading…"', 'more.textContent = "Show more"'],
])("a button that is %s for a second after its rows came is pressed again", async (_, before, after) => {
  const path = site.newPath();
  site.setRoute(
    path,
    growing(`${before}; setTimeout(() => { add(); setTimeout(() => { ${after}; }, 1000); }, 50);`),
  );
  for (const pagination of [
    { type: "load_more", field_name: "Show more" },
    { type: "load_more", selector: "button:text-is('Show more')" },
  ] as const)
    expect((await scrape(path, pagination)).names).toEqual(numbers(1, 16));
});
