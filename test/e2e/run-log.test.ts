import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { LogEvent } from "../../functions/contract/run-log.ts";
import { startWorld, type World } from "./harness.ts";

interface Log {
  next: number;
  finished: boolean;
  data: LogEvent[];
}

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

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
