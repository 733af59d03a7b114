import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { ValidationError } from "../../../functions/contract/validate.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import { deleteScraper } from "../../../functions/scrapers/delete-scraper.ts";
import { scraperJson } from "../../../functions/scrapers/scraper-json.ts";
import { dueOccurrences } from "../../../functions/store/schedules.ts";
import { getScraper, listScrapers } from "../../../functions/store/scrapers.ts";
import type { Table } from "../../../functions/store/table.ts";
import { putScraper } from "../../put-scraper.ts";
import { startTable } from "../store/local-table.ts";
import { definition } from "../store/samples.ts";
import { World } from "./world.ts";

const table = await startTable();

let world: World;
beforeEach(async () => {
  world = await World.create(table);
});
afterEach(() => world.end());

/** The schedule of a scraper as the API serves it now. */
async function served(id: string) {
  const scraper = await getScraper(table, world.account, id);
  return scraper && scraperJson(scraper, null, world.time).schedule;
}
const nextRun = async (id: string) => (await served(id))?.next_run;

test("without next_run, a schedule starts an interval from now", async () => {
  world.at("2026-01-31T09:30:00.000Z");
  const id = await world.put({ interval: "1 month", timezone: "Europe/Berlin" });
  expect(await served(id)).toEqual({
    interval: "1 month",
    next_run: "2026-02-28T09:30:00.000Z",
    timezone: "Europe/Berlin",
  });
  expect(world.alarms.get(id)).toBe("2026-02-28T09:30:00.000Z");
  world.at("2026-03-01T00:00:00.000Z");
  expect(await nextRun(id)).toBe("2026-03-31T08:30:00.000Z");
});

test("next_run in the future is served as it is, in UTC", async () => {
  const id = await world.put({ interval: "1 day", next_run: "2027-01-01T09:00:00+02:00" });
  expect(await served(id)).toEqual({
    interval: "1 day",
    next_run: "2027-01-01T07:00:00.000Z",
    timezone: "UTC",
  });
  expect((await world.due(id)).scheduled_at).toBe("2027-01-01T07:00:00.000Z");
});

test("next_run in the past says what the schedule is counted from", async () => {
  const id = await world.put({ interval: "1 month", next_run: "2025-08-31T06:00:00.000Z" });
  expect(await nextRun(id)).toBe("2026-11-30T06:00:00.000Z");
  expect((await world.due(id)).scheduled_at).toBe("2026-11-30T06:00:00.000Z");
});

test("a schedule that a clock ahead has moved on is right again once it is stored again", async () => {
  world.at("2026-05-01T00:00:00.000Z");
  const id = await world.put({ interval: "1 hour" });
  world.at("2027-05-01T00:00:00.000Z");
  await world.sweep();
  world.at("2026-05-01T00:30:00.000Z");
  const schedule = await served(id);
  await world.put({ ...schedule }, id);
  expect((await world.due(id)).scheduled_at).toBe("2026-05-01T01:00:00.000Z");
});

test("next_run is in the future and right also when nothing was started for a year", async () => {
  const id = await world.put({ interval: "1 month", next_run: "2026-12-31T06:00:00.000Z" });
  world.at("2028-02-10T00:00:00.000Z");
  expect(await nextRun(id)).toBe("2028-02-29T06:00:00.000Z");
  world.at("2028-02-29T06:00:00.000Z");
  expect(await nextRun(id)).toBe("2028-03-31T06:00:00.000Z");
});

test("a scraper that is stored again as it was, or as it was served, goes on with its schedule", async () => {
  const file = { interval: "1 month", next_run: "2026-10-31T06:00:00.000Z" };
  const id = await world.put(file);
  for (const again of [file, { interval: "1 month" }, await served(id)]) {
    await world.put(again ?? null, id);
    world.at("2026-11-30T05:59:59.000Z");
  }
  expect(await nextRun(id)).toBe("2026-11-30T06:00:00.000Z");
  world.at("2026-12-01T00:00:00.000Z");
  expect(await nextRun(id)).toBe("2026-12-31T06:00:00.000Z");
});

test("a scraper that was read before its last occurrences goes on with its schedule", async () => {
  const id = await world.put({ interval: "1 month", next_run: "2026-10-31T06:00:00.000Z" });
  world.at("2027-02-01T00:00:00.000Z");
  const read = await served(id);
  expect(read?.next_run).toBe("2027-02-28T06:00:00.000Z");
  world.at("2027-03-01T00:00:00.000Z");
  await world.put(read ?? null, id);
  expect(await nextRun(id)).toBe("2027-03-31T06:00:00.000Z");
});

test("a paused schedule starts nothing, and goes on when it is resumed", async () => {
  const id = await world.put({ interval: "1 month", next_run: "2026-12-31T06:00:00.000Z" });
  const before = await served(id);
  await world.put({ interval: "1 month", paused: true }, id);
  expect(await served(id)).toEqual({ ...before, paused: true });
  expect([world.alarms.has(id), (await world.due(id)).scheduled_at]).toEqual([false, "none"]);
  world.at("2027-02-10T00:00:00.000Z");
  await world.sweep();
  expect(await world.runs(id)).toHaveLength(0);

  // As it was served.
  await world.put({ ...((await served(id)) ?? { interval: "1 month" }), paused: false }, id);
  expect(await served(id)).toEqual({ ...before, next_run: "2027-02-28T06:00:00.000Z" });
  expect(world.alarms.get(id)).toBe("2027-02-28T06:00:00.000Z");
  world.at("2027-03-01T00:00:00.000Z");
  expect(await nextRun(id)).toBe("2027-03-31T06:00:00.000Z");
});

test("a new scraper can have a paused schedule", async () => {
  const id = await world.put({ interval: "1 hour", paused: true });
  expect([world.alarms.has(id), (await world.due(id)).scheduled_at]).toEqual([false, "none"]);
  await world.put({ interval: "1 hour" }, id);
  expect((await world.due(id)).scheduled_at).toBe(await nextRun(id));
});

test("storing a scraper again loses no occurrence that is overdue", async () => {
  const id = await world.put({ interval: "1 hour" });
  world.at("2026-11-21T09:00:01.000Z");
  await world.put({ interval: "1 hour" }, id);
  await world.sweep();
  expect(await world.runs(id)).toHaveLength(1);
});

test("storing a scraper again brings back no occurrence that was started meanwhile", async () => {
  const id = await world.put({ interval: "1 hour" });
  world.at("2026-11-21T09:00:01.000Z");
  // The occurrence is started between the read and the write of storing.
  const { db } = table;
  let started = false;
  const slow: Table = {
    ...table,
    db: new Proxy(db, {
      get: (target, property) =>
        property === "send"
          ? async (command: Parameters<typeof db.send>[0]) => {
              if (!started && command.constructor.name === "UpdateCommand") {
                started = true;
                await world.sweep();
              }
              return db.send(command);
            }
          : Reflect.get(target, property),
    }),
  };
  const again = { ...definition, id, name: "Again", schedule: { interval: "1 hour" } };
  const stored = await putScraper(slow, world.account, again, world.time, world.deps.schedules);
  expect(stored).toMatchObject({ name: "Again", schedule: { next_run: "2026-11-21T10:00:00.000Z" } });
  expect((await world.due(id)).scheduled_at).toBe("2026-11-21T10:00:00.000Z");
  for (const run of await world.runs(id)) await world.finish(run);
  await world.sweep();
  expect(await world.runs(id)).toHaveLength(1);
});

test.each([
  [{ interval: "2 hours" }, "2026-11-21T10:20:00.000Z"],
  [{ interval: "1 hour", timezone: "Asia/Kolkata" }, "2026-11-21T09:20:00.000Z"],
  [{ interval: "1 hour", next_run: "2026-11-23T00:00:00.000Z" }, "2026-11-23T00:00:00.000Z"],
])("another schedule, %j, takes the place of the first", async (schedule, expected) => {
  const id = await world.put({ interval: "1 hour", next_run: "2026-11-21T09:00:00.000Z" });
  world.at("2026-11-21T08:20:00.000Z");
  await world.put(schedule, id);
  expect(await nextRun(id)).toBe(expected);
  expect(world.alarms.get(id)).toBe(expected);
  expect((await world.due(id)).scheduled_at).toBe(expected);
});

test("a schedule can be taken away and given back", async () => {
  const id = await world.put({ interval: "1 hour" });
  await world.put(null, id);
  expect([await served(id), world.alarms.has(id), (await world.due(id)).scheduled_at]).toEqual([
    null,
    false,
    "none",
  ]);
  await world.put({ interval: "1 day" }, id);
  expect(await nextRun(id)).toBe("2026-11-22T08:00:00.000Z");
});

test("a deleted scraper is gone, and its runs can still be read", async () => {
  const kept = await world.put(null);
  const id = await world.put({ interval: "1 hour" });
  const newest = await world.put(null);
  world.at("2026-11-21T09:00:00.000Z");
  await world.sweep();
  expect(await deleteScraper(table, world.account, id, world.deps.schedules)).toBe(true);
  expect(world.alarms.has(id)).toBe(false);
  expect(await getScraper(table, world.account, id)).toBeUndefined();
  world.at("2026-11-21T11:00:00.000Z");
  for await (const { scraper_id } of dueOccurrences(table, world.time)) expect(scraper_id).not.toBe(id);
  const { items, nextPage } = await listScrapers(table, world.account, 1);
  expect([items.map(({ scraper }) => scraper.id), nextPage]).toEqual([[newest, kept], null]);
  expect(await world.runs(id)).toHaveLength(1);

  expect(await deleteScraper(table, world.account, id)).toBe(false);
  await expect(world.put({ interval: "1 hour" }, id)).rejects.toThrow(ValidationError);
  const request = { scraper_id: id };
  const start = startRun(world.deps, { account: world.account, source: "api", request });
  expect(await start).toEqual({ outcome: "unknown_scraper" });
});

test("nobody deletes a scraper of another account", async () => {
  const id = await world.put({ interval: "1 hour" });
  const other = await World.create(table);
  expect(await deleteScraper(table, other.account, id)).toBe(false);
  expect(await deleteScraper(table, world.account, "nope")).toBe(false);
  expect(await nextRun(id)).toBe("2026-11-21T09:00:00.000Z");
});

test.each([
  ["interval", { interval: "90 seconds" }],
  ["interval", { interval: "0 days" }],
  ["interval", { interval: "1 year" }],
  ["interval", { interval: "1201 months" }],
  ["interval", { interval: "day" }],
  ["next_run", { interval: "1 day", next_run: "tomorrow" }],
  ["next_run", { interval: "1 day", next_run: "2027-02-29T09:00:00.000Z" }],
  ["next_run", { interval: "1 day", next_run: "2027-02-28" }],
  ["timezone", { interval: "1 day", timezone: "Europe/Nowhere" }],
  ["every", { interval: "1 day", every: 2 }],
])("a wrong %s is named: %j", async (field, schedule) => {
  const refused = await world.put(schedule).catch((error) => error);
  expect(refused).toBeInstanceOf(ValidationError);
  expect(refused.problems.map(({ path }: { path: string }) => path)).toEqual([`schedule.${field}`]);
});
