import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import { hostTurns } from "../../functions/store/host-turns.ts";
import { type Site, sendHtml, startSite } from "../site/site.ts";
import { startWorld, type World } from "./harness.ts";

const PAGES = 3;
const DELAY_MS = 1_000;

let world: World;
let site: Site;
/** Pages that the site was asked for, in order. */
let log: { path: string; at: number; userAgent: string | undefined }[] = [];
let refusals = 0;

beforeAll(async () => {
  site = await startSite();
  world = await startWorld({ allowHosts: [site.host] });
  site.setRoute("/list", (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    log.push({ path: request.url ?? "", at: performance.now(), userAgent: request.headers["user-agent"] });
    if (refusals > 0) {
      refusals -= 1;
      response.writeHead(429, { "retry-after": "3" }).end();
      return;
    }
    const next = page < PAGES ? `<a class=next href="/list?page=${page + 1}">Next</a>` : "";
    sendHtml(response, `<li class=card>${page}</li>${next}`);
  });
});
afterAll(async () => {
  await world.stop();
  await site.close();
});

const put = (definition: object) =>
  world.putScraper({
    name: "Polite",
    steps: [
      { type: "visit", url: site.url("/list") },
      { type: "get_list", selector: ".card", fields: [{ name: "page" }] },
    ],
    ...definition,
  });
const start = async (scraper_id: string) => (await world.post("/v1/runs", { scraper_id })).body.id;

const expectWhole = (run: Run) => {
  expect(run).toMatchObject({ status: "successful", error: null, credits_used: PAGES });
  expect(run.result_rows).toEqual([{ page: "1" }, { page: "2" }, { page: "3" }]);
};

test("two runs of one account share a host's turns, and say who they are", async () => {
  log = [];
  const userAgent = "Books-Bot/2.0 (+https://books.example/bot)";
  const scraper = await put({
    pagination: { type: "next_button", selector: ".next", delay_ms: DELAY_MS },
    user_agent: userAgent,
  });
  expect(scraper).toMatchObject({ user_agent: userAgent });
  const startedAt = performance.now();
  const ids = [await start(scraper.id), await start(scraper.id)];
  for (const id of ids) expectWhole(await world.finished(id));
  expect(log).toHaveLength(2 * PAGES);
  expect(new Set(log.map((entry) => entry.userAgent))).toEqual(new Set([userAgent]));
  // A page may be late, but never early: its request waits for its turn. Without shared turns, each run would have
  // only its own two delays.
  log.forEach(({ at }, turn) => {
    expect(at - startedAt).toBeGreaterThanOrEqual(turn * DELAY_MS);
  });
});

test("what a site asks of one run, the next one heeds from its first page on", async () => {
  log = [];
  refusals = 1;
  // Pages ahead would be requested too, also behind the end.
  const scraper = await put({ pagination: { type: "next_button", selector: ".next" }, concurrency: 1 });
  const closedUntil = () =>
    world.withTable((table) => hostTurns(table, "default", () => new Date()).closedUntil(site.host));
  const before = await closedUntil();
  const first = await start(scraper.id);
  while ((await closedUntil()) === before) await sleep(50);
  const refusedAt = log[0]?.at ?? 0;
  const second = await start(scraper.id);
  for (const id of [first, second]) expectWhole(await world.finished(id));
  expect(log).toHaveLength(2 * PAGES + 1);
  for (const { at } of log.slice(1)) expect(at - refusedAt).toBeGreaterThanOrEqual(3_000);
});

test("a page that robots.txt keeps out ends the run, with the rows before it, until the scraper says otherwise", async () => {
  site.setRoute("/robots.txt", (_, response) => void response.end("User-agent: *\nDisallow: /list?page=3\n"));
  const pagination = { type: "next_button", selector: ".next" };
  const { id } = await put({ pagination });
  const kept = await world.finished(await start(id));
  expect(kept).toMatchObject({
    status: "failed",
    error: { code: "robots_disallowed", step: 1 },
    result_rows: [{ page: "1" }, { page: "2" }],
  });
  const open = await put({ id, pagination, respect_robots: false });
  expect(open).toMatchObject({ id, respect_robots: false });
  expectWhole(await world.finished(await start(id)));
});
