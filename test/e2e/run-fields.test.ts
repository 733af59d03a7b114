import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import { joinWorld, type World } from "./harness.ts";

/* What clients can ask about runs besides their rows, over HTTP. */

interface List {
  next_page: number | null;
  data: Run[];
}

let world: World;
beforeAll(async () => {
  world = await joinWorld();
});
afterAll(() => world.stop());

const visit = (url: string) => ({
  name: "Books",
  steps: [
    { id: "open", type: "visit", url },
    { type: "get_list", selector: ".book-card", fields: [{ name: "title", selector: ".book-title" }] },
  ],
});
const ids = ({ body }: { body: List }) => body.data.map(({ id }) => id);

test("runs say how many rows they have, also without the rows", async () => {
  const scraper = await world.putScraper(visit(`${world.shopUrl}/books`));
  const { body: created } = await world.post("/v1/runs", { scraper_id: scraper.id });
  expect(created).toMatchObject({ row_count: 0, started_at: null, progress: null, stopping: false });
  const run = await world.finished(created.id);
  expect(run).toMatchObject({
    status: "successful",
    row_count: run.result_rows?.length,
    progress: null,
    stopping: false,
    scraper_version: 1,
  });
  expect(run.row_count).toBeGreaterThan(0);
  expect(Date.parse(run.started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(run.created_at));
  const bare = await world.call<Run>(`/v1/runs/${run.id}?rows=false`);
  expect(bare.body).toEqual({ ...run, result_rows: null });
  const list = await world.call<List>("/v1/runs?rows=false");
  expect(list.body.data).toEqual([{ ...run, result_rows: null }]);
  expect((await world.call(`/v1/runs/${run.id}?rows=no`)).status).toBe(400);
});

test("lists have the runs of one status", async () => {
  const scraper = await world.putScraper(visit("http://127.0.0.1:80/"));
  const created = await Promise.all(
    Array.from({ length: 3 }, () => world.post("/v1/runs", { scraper_id: scraper.id })),
  );
  for (const { body } of created) await world.finished(body.id);
  const failed = await world.call<List>("/v1/runs?status=failed");
  expect(ids(failed).sort()).toEqual(created.map(({ body }) => body.id).sort());
  expect(failed.body.next_page).toBeNull();
  const all = await world.call<List>("/v1/runs");
  const others = all.body.data.filter(({ status }) => status === "successful").map(({ id }) => id);
  expect(ids(await world.call<List>("/v1/runs?status=successful"))).toEqual(others);
  expect(ids(await world.call<List>(`/v1/runs?status=successful&scraper_id=${scraper.id}`))).toEqual([]);
  expect(ids(await world.call<List>("/v1/runs?status=running"))).toEqual([]);
  expect((await world.call("/v1/runs?status=stopped")).status).toBe(400);
});
