import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../../functions/contract/scraper.ts";
import type { StepOf } from "../../../../../functions/contract/steps.ts";
import type { Batch, ScrapeJob } from "../../../../../functions/scraping/job.ts";
import { sendHtml } from "../../../../site/site.ts";
import { startEngineAndSite } from "../../engine-and-site.ts";
import type { Told } from "../../harness.ts";
import { cards, numbers } from "../card-site.ts";

/* Pages of a list that load side by side, ahead of the one that is read. */

const { engine, site } = await startEngineAndSite();

/** Long enough for loading ahead to be worthwhile. */
const ANSWER_MS = 50;
const SCRIPT = '<script>"use strict"</script>';

/** A page as its server answers it; what is left out is as usual. */
interface Answer {
  rows?: string;
  next?: string;
  body?: string;
  status?: number;
  location?: string;
  cookie?: string;
}

interface Asked {
  page: number;
  /** Whether it was asked for ahead, not by a link. */
  isAhead: boolean;
  request: IncomingMessage;
}

interface Shop {
  /** Pages that have a link to the next one. */
  count?: number;
  answer?: (asked: Asked) => Answer | Promise<Answer>;
  /** How the link to a page is written. */
  link?: (page: number) => string;
}

type Job = Partial<ScrapeJob> & { list?: Partial<StepOf<"get_list">>; path?: string };

/** A list of three rows a page whose server notes what it is asked for. */
function openShop({ count = 10, answer = () => ({}), link }: Shop = {}) {
  const path = site.newPath();
  const address = (page: number) => `${path}?page=${page}`;
  const linkTo = link ?? ((page: number) => `<a class=next href="${address(page)}">Next</a>`);
  let asked: { page: number; isAhead: boolean }[] = [];
  let [answering, most] = [0, 0];
  /** Notes how many answers are under way at the same time. */
  const counted = async <T>(answer: () => T | Promise<T>): Promise<T> => {
    answering += 1;
    most = Math.max(most, answering);
    await sleep(ANSWER_MS);
    const result = await answer();
    answering -= 1;
    return result;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    // A link is followed from its site, and an address that is opened again has no referrer.
    const { "sec-fetch-site": from, referer } = request.headers;
    const isAhead = page > 1 && from === "none" && referer !== undefined;
    const {
      status = 200,
      location,
      cookie,
      ...content
    } = await counted(() => answer({ page, isAhead, request }));
    if (location === undefined) asked.push({ page, isAhead });
    if (cookie !== undefined) response.setHeader("set-cookie", cookie);
    if (location !== undefined) response.writeHead(302, { location }).end();
    else {
      const rows = content.rows ?? (page <= count ? cards(page * 3 - 2, page * 3) : "");
      const next = content.next ?? (page < count ? linkTo(page + 1) : "");
      sendHtml(response, `<ul>${rows}</ul>${next}${content.body ?? ""}`, status);
    }
  };
  site.setRoute(path, serve);
  const run = async ({ list, path: start = path, ...job }: Job = {}) => {
    asked = [];
    most = 0;
    const fields = [{ name: "name" }, { name: "url", selector: "a", attribute: "href" }];
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url(start) },
        { type: "get_list", selector: ".card", fields, timeout_ms: 3_000, ...list },
      ],
      pagination: { type: "next_button", selector: ".next" },
      ...job,
    });
    const ahead = asked.filter(({ isAhead }) => isAhead).map(({ page }) => page);
    return {
      ...told,
      names: told.rows.map(({ name }) => name),
      asked: asked.map(({ page }) => page),
      ahead,
      most,
    };
  };
  return { path, address, counted, run };
}

/** All that a run tells, without what was loaded for it. */
const outcomeOf = ({ rows, loads, warnings, failure, outcome, batches }: Told) => ({
  rows,
  loads,
  warnings,
  failure: failure && { code: failure.code, message: failure.message, step: failure.step },
  outcome,
  places: batches.map(({ checkpoint }) => ({ loads: checkpoint.loads, url: checkpoint.url })).slice(0, -1),
});

/** Runs with pages loaded one by one, and ahead: both have to tell the same. */
async function runBoth(shop: ReturnType<typeof openShop>, job: Job = {}) {
  const single = await shop.run({ ...job, concurrency: 1 });
  expect(single.ahead).toEqual([]);
  const told = await shop.run(job);
  expect(outcomeOf(told)).toEqual(outcomeOf(single));
  // Few pages are asked for in vain. On a busy machine, a run may be repeated from a page on.
  const pages = (asked: number[]) => new Set(asked).size;
  expect(pages(told.asked) - pages(single.asked)).toBeLessThanOrEqual(3);
  expect(told.most).toBeLessThanOrEqual(4);
  return { single, ...told };
}

describe.each([
  ["without scripts", ""],
  ["with scripts", SCRIPT],
])("pages %s", (_, body) => {
  test("load side by side, and tell the same rows", async () => {
    const asked = Promise.withResolvers<void>();
    let ahead = 0;
    let wasHeld = false;
    const shop = openShop({
      count: 16,
      answer: async ({ isAhead }) => {
        if (isAhead) ahead += 1;
        // The first two are asked for together: neither waits for the other's answer.
        if (ahead === 2) asked.resolve();
        if (isAhead && ahead === 1) {
          await asked.promise;
          wasHeld = true;
        }
        return { body };
      },
    });
    const { names, loads, failure, most } = await shop.run();
    expect(failure).toBeUndefined();
    expect(names).toEqual(numbers(1, 48));
    expect(loads).toBe(16);
    expect(wasHeld).toBe(true);
    expect(most).toBeLessThanOrEqual(4);
  });

  test.concurrent("are each asked for once, and at most three behind the end", async () => {
    const { asked, names, ahead } = await runBoth(openShop({ answer: () => ({ body }) }));
    expect(names).toEqual(numbers(1, 30));
    expect(ahead).toEqual(expect.arrayContaining([8, 9, 10]));
    const own = asked.filter((page) => page <= 10);
    expect(new Set(own).size).toBe(own.length);
  });

  test.concurrent("resume", async () => {
    const shop = openShop({ answer: () => ({ body }) });
    const { batches } = await shop.run();
    // The session's own page, the last one that it went to itself, and pages that were loaded ahead.
    for (const page of [1, 4, 5, 9]) {
      const { checkpoint } = batches[page - 1] as Batch;
      const rest = await shop.run({ from: { checkpoint, rowCount: page * 3 } });
      expect(rest.names).toEqual(numbers(page * 3 + 1, 30));
      expect(page + rest.loads).toBe(10);
    }
  });

  test.concurrent("with cookies that change from page to page, which the next one depends on", async () => {
    const shop = openShop({
      answer: ({ page, request }) => {
        const before = Number(/last=(\d+)/.exec(request.headers.cookie ?? "")?.[1] ?? 0);
        return { body, cookie: `last=${page}; HttpOnly`, ...(before !== page - 1 && { rows: "", next: "" }) };
      },
    });
    const { names, ahead } = await runBoth(shop);
    expect(names).toEqual(numbers(1, 30));
    expect(ahead).toEqual([]);
  });

  test.concurrent("with a cookie that stays", async () => {
    const { ahead } = await runBoth(openShop({ answer: () => ({ body, cookie: "session=1; HttpOnly" }) }));
    expect(ahead.length).toBeGreaterThan(0);
  });

  test.concurrent("with details, of which no more than four load at the same time", async () => {
    const path = site.newPath();
    const shop = openShop({
      count: 8,
      answer: ({ page }) => ({
        body,
        ...(page <= 8 && { rows: cards(page * 3 - 2, page * 3).replaceAll("/p/", `${path}?n=`) }),
      }),
    });
    site.setRoute(path, async (request, response) => {
      const n = new URL(request.url ?? "", site.origin).searchParams.get("n");
      await shop.counted(() => sendHtml(response, `<h1>Detail ${n}</h1>`));
    });
    const details = { url_field: "url", fields: [{ name: "title", selector: "h1" }] };
    const { rows, ahead, single } = await runBoth(shop, { list: { details } });
    expect(rows.map(({ title }) => title)).toEqual(
      numbers(1, 24).map((name) => name.replace("Lamp", "Detail")),
    );
    expect(ahead.length).toBeGreaterThan(0);
    expect(single.most).toBe(1);
  });
});

type Beyond = (address: (page: number) => string) => Answer;
type Next = (address: (page: number) => string) => string;

/** Cases whose pages have scripts and none, by turns. */
const byTurns = <T extends Beyond | Next>(cases: [string, T][]): [string, T, string][] =>
  cases.map(([name, answer], index) => [name, answer, index % 2 === 0 ? SCRIPT : ""]);

describe("pages with scripts or without", () => {
  test.concurrent.each(
    byTurns<Beyond>([
      ["the last page", (address: (page: number) => string) => ({ location: address(8) })],
      ["the first page", (address: (page: number) => string) => ({ location: address(1) })],
      ["a failure", () => ({ status: 404 })],
      ["an overload", () => ({ status: 503 })],
      ["an empty page", () => ({})],
    ]),
  )("end where the server answers with %s", async (_, beyond, body) => {
    for (const hasLink of [false, true]) {
      const shop: ReturnType<typeof openShop> = openShop({
        count: 8,
        answer: ({ page }) => ({
          body,
          ...(page > 8 && beyond(shop.address)),
          ...(page === 8 && hasLink && { next: `<a class=next href="${shop.address(9)}">Next</a>` }),
        }),
      });
      // Where the last page has a link, what becomes of it is the same.
      const { names, ahead } = await runBoth(shop);
      expect(names).toEqual(numbers(1, 24));
      expect(ahead.length).toBeGreaterThan(0);
    }
  });

  test.concurrent.each(
    byTurns<Next>([
      ["elsewhere", (address: (page: number) => string) => `<a class=next href="${address(9)}">Next</a>`],
      ["round", (address: (page: number) => string) => `<a class=next href="${address(1)}">Next</a>`],
      ["to itself", (address: (page: number) => string) => `<a class=next href="${address(7)}">Next</a>`],
      [
        "to a form",
        () =>
          "<form method=post><input type=hidden name=page value=8><button class=next>Next</button></form>",
      ],
      ["nowhere", () => ""],
    ]),
  )("of which one leads %s", async (_, next, body) => {
    const shop: ReturnType<typeof openShop> = openShop({
      count: 12,
      answer: ({ page }) => ({ body, ...(page === 7 && { next: next(shop.address) }) }),
    });
    const { ahead, names } = await runBoth(shop);
    expect(names.slice(0, 21)).toEqual(numbers(1, 21));
    expect(ahead.length).toBeGreaterThan(0);
  });

  test.concurrent("with equal rows", async () => {
    const body = SCRIPT;
    const { warnings, ahead } = await runBoth(
      openShop({ answer: ({ page }) => ({ body, ...(page === 7 && { rows: cards(16, 18) }) }) }),
    );
    expect(warnings.map(({ code }) => code)).toContain("rows_repeated");
    expect(ahead).toContain(8);
  });

  test.concurrent.each(
    byTurns<Beyond>([
      ["fails", () => ({ status: 403 })],
      ["is missing", () => ({ status: 404 })],
      ["has no list", () => ({ rows: "" })],
      ["redirects", (address: (page: number) => string) => ({ location: address(9) })],
    ]),
  )("of which one %s", async (_, answer, body) => {
    const shop: ReturnType<typeof openShop> = openShop({
      answer: ({ page }) => ({ body, ...(page === 7 && answer(shop.address)) }),
    });
    const { ahead } = await runBoth(shop);
    expect(ahead.length).toBeGreaterThan(0);
  });

  test.concurrent("are not asked for beyond max_pages and the limit of rows", async () => {
    const shop = openShop({ count: 30 });
    const next = { type: "next_button", selector: ".next" } as const;
    for (const [job, last] of [
      [{ pagination: { ...next, max_pages: 8 } }, 8],
      [{ rowsLimit: 23 }, 8],
      [{ rowsLimit: 24 }, 8],
      [{ list: { key: ["name"] }, rowsLimit: 23 }, 8],
    ] as [Job, number][]) {
      const { ahead } = await runBoth(shop, job);
      // With a key, a page without scripts is left by its link before its rows are compared.
      expect(Math.max(...ahead)).toBeLessThanOrEqual(last);
      expect(ahead.length).toBeGreaterThan(0);
    }
  });
});

describe("pages that are asked for one by one", () => {
  test.concurrent.each<[string, string]>([
    ["the tab's storage", "sessionStorage.setItem('page', location.search)"],
    ["the site's storage", "localStorage.setItem('page', location.search)"],
    ["the tab's name", "window.name = location.search"],
    ["a cookie", "document.cookie = 'page=' + location.search"],
  ])("note their place in %s", async (_, script) => {
    const shop = openShop({ answer: () => ({ body: `<script>${script}</script>` }) });
    const { names, ahead } = await runBoth(shop);
    expect(names).toEqual(numbers(1, 30));
    expect(ahead).toEqual([]);
  });

  test.concurrent("have addresses that can't be told", async () => {
    const shop: ReturnType<typeof openShop> = openShop({
      answer: ({ request }) => {
        const token = Number(new URL(request.url ?? "", site.origin).searchParams.get("token") ?? 1);
        const page = Math.round(Math.log(token) / Math.log(3)) + 1;
        const next = page < 8 ? `<a class=next href="${shop.path}?token=${token * 3}">Next</a>` : "";
        return { rows: cards(page * 3 - 2, page * 3), next };
      },
    });
    const { names, asked } = await runBoth(shop);
    expect(names).toEqual(numbers(1, 24));
    expect(asked).toHaveLength(8);
  });

  test.concurrent("are reached by a form, by a script, or are in a frame", async () => {
    const controls = [
      (page: number) =>
        `<form><input type=hidden name=page value=${page}><button class=next>Next</button></form>`,
      (page: number) => `<button class=next onclick="location.search='?page=${page}'">Next</button>`,
    ];
    for (const link of controls) expect((await runBoth(openShop({ link }))).ahead).toEqual([]);
    const shop = openShop();
    const framing = site.newPath();
    site.setRoute(framing, `<iframe id=list src="${shop.path}"></iframe>`);
    const { names, asked } = await shop.run({ path: framing, list: { frame: "#list" } });
    expect(names).toEqual(numbers(1, 30));
    expect(asked).toHaveLength(10);
  });

  test.concurrent("have a delay_ms", async () => {
    const pagination: Pagination = { type: "next_button", selector: ".next", delay_ms: 1 };
    const { ahead, asked } = await runBoth(openShop(), { pagination });
    expect(ahead).toEqual([]);
    expect(asked).toHaveLength(10);
  });

  test.concurrent("have a server that answers one with 429", async () => {
    let hasRefused = false;
    const shop = openShop({
      count: 12,
      answer: ({ isAhead }) => {
        if (!isAhead || hasRefused) return {};
        hasRefused = true;
        return { status: 429 };
      },
    });
    const { names, loads, ahead, failure } = await shop.run();
    expect(failure).toBeUndefined();
    expect(names).toEqual(numbers(1, 36));
    expect(loads).toBe(12);
    // The two that are asked for together.
    expect(ahead.length).toBeLessThanOrEqual(2);
  });
});

test("a link that a script keeps from leading anywhere ends the list where it did", async () => {
  const stop = (page: number) =>
    page === 7
      ? `<script>document.querySelector(".next").addEventListener("click", (event) => event.preventDefault())</script>`
      : SCRIPT;
  const { names, ahead } = await runBoth(openShop({ answer: ({ page }) => ({ body: stop(page) }) }));
  expect(names).toEqual(numbers(1, 21));
  expect(ahead.length).toBeGreaterThan(0);
});

test("a page's script hears each click once", async () => {
  const clicks: string[] = [];
  const path = site.newPath();
  site.setRoute(path, (request, response) => {
    clicks.push(new URL(request.url ?? "", site.origin).search);
    response.writeHead(204).end();
  });
  const body = `<script>document.querySelector(".next")?.addEventListener("click", () =>
    navigator.sendBeacon("${path}" + location.search))</script>`;
  const { names, ahead } = await openShop({ answer: () => ({ body }) }).run();
  expect(names).toEqual(numbers(1, 30));
  expect(ahead.length).toBeGreaterThan(0);
  expect(new Set(clicks).size).toBe(clicks.length);
});
