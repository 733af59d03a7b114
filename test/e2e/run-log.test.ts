import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import type { LogEvent } from "../../functions/contract/runs/run-log.ts";
import { RUN_TIMING } from "../../functions/run-timing.ts";
import { sendHtml, startSite } from "../site/site.ts";
import { items } from "./cli/lists.ts";
import { startWorld, type World } from "./harness.ts";

interface Log {
  next: number;
  finished: boolean;
  data: LogEvent[];
}

const site = await startSite();
let world: World;
beforeAll(async () => {
  // Long enough that a run is stored between its begin and its end for watchers alone.
  const timing = { ...RUN_TIMING, renewMs: 600_000, leaseMs: 1_800_000 };
  world = await startWorld({ timing, allowHosts: [site.host] });
});
afterAll(async () => {
  await world.stop();
  await site.close();
});

const visit = (url: string) => ({
  name: "Books",
  steps: [
    { type: "visit", url },
    { type: "get_list", selector: ".book-card", fields: [{ name: "title", selector: ".book-title" }] },
  ],
});
const log = async (id: string, query = "") => (await world.call<Log>(`/v1/runs/${id}/log${query}`)).body;

test("the log of a run tells what happened, in order, and goes on where a client has read", async () => {
  const scraper = await world.putScraper(visit(`${world.shopUrl}/books`));
  const { body } = await world.post("/v1/runs", { scraper_id: scraper.id });
  const run = await world.finished(body.id);
  const { data, next, finished } = await log(run.id);
  expect(data.map(({ code, step }) => [code, step])).toEqual([
    ["started", null],
    ["step", 0],
    ["step", 1],
    ["rows", expect.any(Number)],
    // The shop says that it has more books than one page shows.
    ["warning", 1],
    ["successful", null],
  ]);
  expect(data.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(data.at(-1)).toMatchObject({ rows: run.row_count });
  expect([next, finished]).toEqual([6, true]);
  expect((await log(run.id, "?after=3")).data).toEqual(data.slice(3));
  expect(await log(run.id, "?after=6")).toEqual({ next: 6, finished: true, data: [] });
  expect((await world.call(`/v1/runs/${run.id}/log?after=x`)).status).toBe(400);
});

test("a failed run's log ends with its failure", async () => {
  const scraper = await world.putScraper(visit("http://127.0.0.1:80/"));
  const { body } = await world.post("/v1/runs", { scraper_id: scraper.id });
  const run = await world.finished(body.id);
  const { data } = await log(run.id);
  expect(data.at(-1)).toMatchObject({ code: "failed", step: 0, message: run.error?.message });
});

test("who reads the log of a run on a slow list sees its rows before it ends", async () => {
  const { promise: seen, resolve: onSeen } = Promise.withResolvers<void>();
  site.setRoute("/slow", `${items(4)}<a rel="next" href="/slow-2">Next</a>`);
  site.setRoute("/slow-2", async (_, response) => {
    await seen;
    sendHtml(response, items(3, 5));
  });
  const scraper = await world.putScraper({
    name: "Slow",
    steps: [
      { type: "visit", url: site.url("/slow") },
      { type: "get_list", selector: "li", fields: [{ name: "name", selector: "b" }], timeout_ms: 60_000 },
    ],
    pagination: { type: "next_button", selector: "[rel=next]" },
  });
  const { body } = await world.post("/v1/runs", { scraper_id: scraper.id });
  const shown = async () => (await world.call<Run>(`/v1/runs/${body.id}?rows=false`)).body;
  let run = await shown();
  while (run.status === "running" && run.row_count === 0) {
    await log(body.id);
    await new Promise((resolve) => setTimeout(resolve, 100));
    run = await shown();
  }
  expect(run).toMatchObject({ status: "running", row_count: 4, progress: { page: 1, rows: 4 } });
  const { data } = await log(body.id);
  expect(data.map(({ code }) => code)).toEqual(["started", "step", "step", "rows"]);
  onSeen();
  expect(await world.finished(body.id)).toMatchObject({ status: "successful", row_count: 7 });
});
