import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { nextOccurrence } from "../../../functions/schedules/next-run.ts";
import { resetSchedules } from "../../../functions/schedules/reset-schedules.ts";
import { startTable } from "../store/local-table.ts";
import { World } from "./world.ts";

const table = await startTable();
let world: World;
beforeEach(async () => {
  world = await World.create(table);
});
afterEach(() => world.end());

const due = async (id: string) => (await world.due(id)).scheduled_at;
const reset = () => resetSchedules(world.deps, world.time);

test("an occurrence that a clock ahead has set becomes the next one again, and gets its run", async () => {
  world.at("2026-05-01T00:00:00.000Z");
  const id = await world.put({ interval: "1 hour" });
  // The clock is ahead by less than a day: the occurrences of that time have had their runs.
  world.at("2026-05-01T05:30:00.000Z");
  await world.sweep();
  await world.finish((await world.runs(id)).at(-1));
  world.at("2026-05-01T06:00:00.000Z");
  await world.sweep();
  await world.finish((await world.runs(id)).at(-1));
  expect(await due(id)).toBe("2026-05-01T07:00:00.000Z");
  world.at("2026-05-01T00:30:00.000Z");
  await reset();
  expect(await due(id)).toBe("2026-05-01T01:00:00.000Z");
  world.at("2026-05-01T01:00:00.000Z");
  await world.sweep();
  expect((await world.runs(id)).map(({ created_at }) => created_at)).toEqual([
    "2026-05-01T05:30:00.000Z",
    "2026-05-01T06:00:00.000Z",
    "2026-05-01T01:00:00.000Z",
  ]);
  expect(await due(id)).toBe("2026-05-01T02:00:00.000Z");
});

test.each(["10 minutes", "1 hour", "1 day", "2 weeks", "1 month"])(
  "a schedule of each %s that was stored while the clock was ahead runs within one interval",
  async (interval) => {
    world.at("2026-11-21T08:00:00.000Z");
    const id = await world.put({ interval });
    const ahead = await world.scraper(id);
    world.at("2026-05-01T00:30:00.000Z");
    await reset();
    const next = await due(id);
    const within = nextOccurrence({ interval, timezone: "UTC" }, world.time, world.time);
    expect(Date.parse(next)).toBeGreaterThan(world.time.getTime());
    expect(Date.parse(next)).toBeLessThanOrEqual(within.getTime());
    // A client that stores it again, as it was or without a time, changes nothing.
    await world.put({ interval, next_run: next }, id);
    expect(await due(id)).toBe(next);
    await world.put({ interval }, id);
    expect(await due(id)).toBe(next);
    expect((await world.scraper(id)).schedule).toEqual(ahead.schedule);
  },
);

test("other occurrences stay: a first one in the future, an overdue one, and that of a long interval", async () => {
  world.at("2026-05-01T00:00:00.000Z");
  const first = await world.put({ interval: "1 hour", next_run: "2027-01-01T09:00:00.000Z" });
  const yearly = await world.put({ interval: "12 months" });
  const overdue = await world.put({ interval: "1 hour" });
  const paused = await world.put({ interval: "1 hour", paused: true });
  world.at("2026-05-01T03:30:00.000Z");
  await reset();
  expect(await Promise.all([first, yearly, overdue, paused].map(due))).toEqual([
    "2027-01-01T09:00:00.000Z",
    "2027-05-01T00:00:00.000Z",
    "2026-05-01T01:00:00.000Z",
    "none",
  ]);
});
