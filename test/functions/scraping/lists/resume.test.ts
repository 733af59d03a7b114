import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Row } from "../../../../functions/contract/runs/run.ts";
import type { Pagination } from "../../../../functions/contract/scrapers/scraper.ts";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import { createScraper } from "../../../../functions/scraping/engine.ts";
import type { Batch, ScrapeJob } from "../../../../functions/scraping/job.ts";
import { cards, lamps, pageOf } from "../../../pages/page.ts";
import { translated } from "../../../pages/parts/windowed.ts";
import { type Site, sendHtml, startSite } from "../../../site/site.ts";
import { type Engine, killRenderers, startEngine } from "../harness.ts";

let engine: Engine;
let site: Site;
/** Paths that are answered once the first execution is over, and when that is. A page may be asked for ahead, and again. */
const held = new Map<string, number>();
/** Waits where the path is held. */
async function untilOver(path: string): Promise<void> {
  const deadline = held.get(path);
  if (deadline !== undefined) await sleep(Math.max(0, deadline - Date.now()));
}
const PAGES = 6;
const expected = Array.from(
  { length: PAGES * 3 },
  (_, index) => `Item ${Math.floor(index / 3) + 1}-${(index % 3) + 1}`,
);

beforeAll(async () => {
  site = await startSite();
  engine = await startEngine([site.host]);
  const cards = (page: number) =>
    [1, 2, 3].map((n) => `<a class=item href="/detail/${page}-${n}">Item ${page}-${n}</a>`).join("");
  site.setRoute("/pages", async (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    await untilOver(request.url ?? "");
    sendHtml(
      response,
      `${cards(page)}${page < PAGES ? `<a class=next href="/pages?page=${page + 1}">Next</a>` : ""}`,
    );
  });
  site.setRoute(
    "/grow",
    `<div id=list>${cards(1)}</div><button id=more>More</button><script>let page = 1;
     const card = (n) => "<a class=item href=/detail/" + page + "-" + n + ">Item " + page + "-" + n + "</a>";
     more.onclick = () => { page++; list.insertAdjacentHTML("beforeend", [1,2,3].map(card).join("")); if (page >= ${PAGES}) more.remove(); };</script>`,
  );
  for (const name of expected) {
    const id = name.slice(5);
    site.setRoute(`/detail/${id}`, async (request, response) => {
      await untilOver(request.url ?? "");
      sendHtml(response, `<b class=price>${id}</b>`);
    });
  }
});
afterAll(async () => {
  await engine.close();
  await site.close();
});

/** Executes a run by as many executions as are necessary; the first ends while it waits for these paths. */
async function inTurns(steps: Step[], pagination: Pagination, hold: string[]) {
  const rows: Row[] = [];
  let loads = 0;
  let checkpoint = {};
  for (let turn = 1; turn <= 20; turn += 1) {
    const from = turn === 1 ? {} : { from: { checkpoint, rowCount: rows.length } };
    const deadline = Date.now() + (turn === 1 ? 16_000 : 100_000);
    if (turn === 1) for (const path of hold) held.set(path, deadline);
    const told = await engine.run({ steps, pagination, ...from }, deadline);
    expect(told.failure).toBeUndefined();
    rows.push(...told.rows);
    loads += told.outcome === "done" ? told.loads : told.loadsAtBatch;
    // As it is stored in between.
    checkpoint = JSON.parse(JSON.stringify(told.batches.at(-1)?.checkpoint ?? checkpoint));
    if (told.outcome === "done") return { names: rows.map((row) => row.name), loads, turns: turn };
  }
  throw new Error("the run came to no end");
}

const list: Extract<Step, { type: "get_list" }> = {
  type: "get_list",
  selector: ".item",
  fields: [{ name: "name" }],
};
const details = { url_field: "url", fields: [{ name: "price", selector: ".price" }] };

test.concurrent.each<[string, string, string[], Step, Pagination, number]>([
  [
    "by the page's address",
    "/pages",
    ["/pages?page=4"],
    list,
    { type: "next_button", selector: ".next" },
    PAGES,
  ],
  [
    "by walking again",
    "/grow",
    ["/detail/4-1", "/detail/4-2", "/detail/4-3"],
    { ...list, fields: [...list.fields, { name: "url", attribute: "href" }], details },
    { type: "load_more", selector: "#more" },
    PAGES * 4,
  ],
])(
  "a run that is too long for its budget goes on in the next execution, %s",
  async (_, path, hold, step, pagination, loads) => {
    const run = await inTurns([{ type: "visit", url: site.url(path) }, step], pagination, hold);
    expect(run.names).toEqual(expected);
    expect(run.turns).toBeGreaterThan(1);
    expect(run.loads).toBe(loads);
  },
);

type Resumed = Pick<ScrapeJob, "pagination"> & {
  list?: Partial<typeof list>;
  click?: string;
  path: string;
  rows: Row[];
  stop: number;
};
const nextButton: Pagination = { type: "next_button", selector: "#next" };

test.concurrent.each<[string, Resumed]>([
  [
    "a windowed list",
    {
      path: "/windowed",
      list: { selector: ".row", fields: [{ name: "name", selector: "b" }] },
      pagination: { type: "infinite_scroll" },
      rows: lamps(1, 100),
      stop: 2,
    },
  ],
  [
    "rows that count once, by their key",
    { path: "/shared", list: { key: ["name"] }, pagination: nextButton, rows: lamps(1, 7), stop: 1 },
  ],
  [
    "a list that a step has brought",
    {
      path: "/shown",
      click: "#show",
      pagination: { type: "load_more", selector: "#more" },
      rows: lamps(11, 16),
      stop: 0,
    },
  ],
  // What comes next was loaded ahead when the run was stopped.
  ["pages that load ahead", { path: "/ahead", pagination: nextButton, rows: lamps(1, 30), stop: 4 }],
])(
  "the rest of %s, after the checkpoint in its middle",
  async (_, { path, list: own, click, pagination, rows, stop }) => {
    site.setRoute("/windowed", translated());
    site.setRoute("/shared", (request, response) => {
      const page = pageOf(request);
      const shared =
        [
          [1, 2, 2, 3],
          [3, 4, 1, 5],
          [5, 6, 2, 7],
        ][page - 1] ?? [];
      const next = page < 3 ? `<a id=next href="?page=${page + 1}">Next</a>` : "";
      sendHtml(response, shared.map((n) => cards(n, n)).join("") + next);
    });
    site.setRoute(
      "/shown",
      `<div id=list>${cards(1, 1)}</div><button id=show>Show</button><button id=more>More</button><script>
       show.onclick = () => { list.innerHTML = ${JSON.stringify(cards(11, 13))} };
       more.onclick = () => { list.insertAdjacentHTML("beforeend", ${JSON.stringify(cards(14, 16))}); more.remove() };</script>`,
    );
    site.setRoute("/ahead", async (request, response) => {
      const page = pageOf(request);
      await sleep(50);
      const next = page < 10 ? `<a id=next href="/ahead?page=${page + 1}">Next</a>` : "";
      sendHtml(response, cards(page * 3 - 2, page * 3) + next);
    });
    const job = {
      steps: [
        { type: "visit" as const, url: site.url(path) },
        ...(click ? [{ type: "click" as const, selector: click }] : []),
        { ...list, selector: ".card", ...own },
      ],
      pagination,
    };
    const whole = await engine.run(job);
    expect(whole.rows).toEqual(rows);
    const before = whole.batches.slice(0, stop + 1).flatMap((batch) => batch.rows);
    const checkpoint = JSON.parse(JSON.stringify(whole.batches[stop]?.checkpoint));
    const rest = await engine.run({ ...job, from: { checkpoint, rowCount: before.length } });
    expect([...before, ...rest.rows]).toEqual(rows);
    if (path === "/ahead") expect(stop + 1 + rest.loads).toBe(10);
  },
);

test("a run that is resumed knows what the rows before had, and warns once", async () => {
  site.setRoute("/prices", (request, response) => {
    const page = pageOf(request);
    const next = page < 3 ? `<a id=next href="?page=${page + 1}">Next</a>` : "";
    sendHtml(response, `<p class=item>Lamp ${page}${page === 1 ? "<i>£1</i>" : ""}</p>${next}`);
  });
  const fields = [{ name: "name" }, { name: "price", selector: "i" }, { name: "stock", selector: ".stock" }];
  const job = {
    steps: [
      { type: "visit" as const, url: site.url("/prices") },
      { ...list, fields },
    ],
    pagination: nextButton,
  };
  const whole = await engine.run(job);
  expect(whole.warnings.map(({ field }) => field)).toEqual(["stock"]);
  const { checkpoint, warnings = [] } = whole.batches[0] as Batch;
  const rest = await engine.run({ ...job, from: { checkpoint, rowCount: 1, warnings } });
  expect(rest.rows).toHaveLength(2);
  expect(rest.warnings).toEqual(whole.warnings);
});

test("pages that crash in the middle of a list are opened again in new browsers, without rows or pages twice", async () => {
  const crashed = new Set<number>();
  site.setRoute("/fragile", (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const crash = page > 1 && !crashed.has(page);
    if (crash) crashed.add(page);
    const body = [1, 2, 3].map((n) => `<p class=item>Item ${page}-${n}</p>`).join("");
    if (crash) killRenderers();
    else
      sendHtml(
        response,
        `${body}${page < PAGES ? `<a class=next href="/fragile?page=${page + 1}">Next</a>` : ""}`,
      );
  });
  const own = await startEngine([site.host], { ownBrowsers: true });
  const told = await own.run({
    steps: [
      { type: "visit", url: site.url("/fragile") },
      { type: "get_list", selector: ".item", fields: [{ name: "name" }] },
    ],
    pagination: { type: "next_button", selector: ".next" },
  });
  await own.close();
  expect(told.failure).toBeUndefined();
  expect(told.rows.map((row) => row.name)).toEqual(expected);
  expect(told.loads).toBe(PAGES);
});

test("what the caller throws when it is told of a page ends the run as it is", async () => {
  const { RunFailure } = await import("../../../../functions/runs/failure.ts");
  let loads = 0;
  const batches = createScraper(engine.browsers)(
    {
      steps: [
        { type: "visit", url: site.url("/pages") },
        { type: "get_list", selector: ".item", fields: [{ name: "name" }] },
      ],
      pagination: { type: "next_button", selector: ".next" },
      rowsLimit: 100,
    },
    {
      deadline: Date.now() + 120_000,
      answerMs: 10_000,
      onPageLoad: () => {
        loads += 1;
        if (loads > 2) throw new RunFailure("credits_exhausted", "No credits are left.");
      },
    },
  );
  const rows: Row[] = [];
  await expect(async () => {
    for await (const batch of batches) rows.push(...batch.rows);
  }).rejects.toMatchObject({ code: "credits_exhausted" });
  expect(rows).toHaveLength(6);
});
