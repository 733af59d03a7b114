import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Scrape } from "../../functions/scraping/job.ts";
import { startScheduler } from "../../local/scheduler.ts";
import { World } from "../functions/schedules/world.ts";
import { startTable } from "../functions/store/local-table.ts";
import { startLife } from "../functions/workers/life.ts";

const table = await startTable();

/** Waits until the scraper has so many runs. */
async function untilRuns(world: World, id: string, count: number): Promise<void> {
  while ((await world.runs(id)).length < count) await sleep(20);
}

test("what was missed is caught up with once at the start, then each occurrence has its run", async () => {
  const world = await World.create(table);
  const id = await world.put({ interval: "1 minute" });
  world.at("2026-11-21T11:30:20.000Z");
  const scheduler = startScheduler(world.deps);
  await untilRuns(world, id, 1);
  await world.finish((await world.runs(id))[0]);
  world.at("2026-11-21T11:31:00.000Z");
  await untilRuns(world, id, 2);
  await scheduler.stop();
  await world.end();
  expect((await world.runs(id)).map((run) => run.created_at)).toEqual([
    "2026-11-21T11:30:20.000Z",
    "2026-11-21T11:31:00.000Z",
  ]);
});

test("a table that fails for a while stops nothing", async () => {
  const world = await World.create(table);
  const id = await world.put({ interval: "1 minute" });
  world.at("2026-11-21T09:00:00.000Z");
  let failing = true;
  const scheduler = startScheduler({
    ...world.deps,
    table: {
      name: table.name,
      files: table.files,
      get db() {
        if (!failing) return table.db;
        failing = false;
        throw new Error("The table is throttled.");
      },
    },
  });
  await untilRuns(world, id, 1);
  await scheduler.stop();
  await world.end();
  expect(world.logged).toMatchObject([{ message: "Could not read the due schedules" }]);
});

test.each([true, false])(
  "a schedule goes on after the clock is set back; the service runs meanwhile: %s",
  async (isRunning) => {
    const world = await World.create(table);
    const id = await world.put({ interval: "1 minute" });
    const start = world.time.getTime();
    const at = (ms: number) => world.at(new Date(start + ms).toISOString());
    at(41 * 24 * 3_600_000);
    let scheduler = startScheduler(world.deps);
    await untilRuns(world, id, 1);
    await world.finish((await world.runs(id))[0]);
    if (!isRunning) await scheduler.stop();
    at(100_000);
    if (!isRunning) scheduler = startScheduler(world.deps);
    const next = new Date(start + 120_000).toISOString();
    while ((await world.due(id)).scheduled_at !== next) await sleep(20);
    at(120_000);
    await untilRuns(world, id, 2);
    await scheduler.stop();
    await world.end();
  },
);

test("webhooks that are not delivered are queued at the start, and again when the clock is set back", async () => {
  const scrape: Scrape = async function* () {
    yield { rows: [], checkpoint: { page: 1 } };
    return "done";
  };
  const life = await startLife(table, { scrape, scraper: { webhook_url: "https://example.org/hook" } });
  const run = await life.start();
  await life.execute(run);
  const queued = async (change = () => {}) => {
    life.webhooks.length = 0;
    change();
    while (!life.webhooks.some(({ id }) => id === run.id)) await sleep(20);
  };
  life.webhooks.length = 0;
  const scheduler = startScheduler(life.deps);
  await queued();
  await queued(() => {
    life.clock.time -= 3_600_000;
  });
  await scheduler.stop();
});
