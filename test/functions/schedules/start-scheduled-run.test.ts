import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { startRun } from "../../../functions/runs/start-run.ts";
import { deleteScraper } from "../../../functions/scrapers/delete-scraper.ts";
import { setLimits } from "../../../functions/store/accounts.ts";
import { finishBatch, listBatches } from "../../../functions/store/batches/batches.ts";
import type { Table } from "../../../functions/store/table.ts";
import { sweep } from "../../../functions/workers/sweep.ts";
import { startTable } from "../store/local-table.ts";
import { World } from "./world.ts";

const table = await startTable();

let world: World;
beforeEach(async () => {
  world = await World.create(table);
});
afterEach(() => world.end());

const hourly = { interval: "1 hour", next_run: "2026-11-21T09:00:00.000Z" };

test("an occurrence starts a run, and the next one is waited for", async () => {
  const id = await world.put(hourly);
  expect(world.alarms.get(id)).toBe("2026-11-21T09:00:00.000Z");
  world.at("2026-11-21T09:00:02.000Z");
  await world.deliver(await world.due(id));
  const runs = await world.runs(id);
  expect(runs).toMatchObject([{ source: "scheduler", status: "running", scraper_id: id }]);
  expect(world.queued).toEqual([{ account: world.account, id: runs[0]?.id }]);
  expect((await world.due(id)).scheduled_at).toBe("2026-11-21T10:00:00.000Z");
  expect(world.alarms.get(id)).toBe("2026-11-21T10:00:00.000Z");
  expect(await world.skipOf(id)).toEqual({ at: undefined, reason: undefined });
});

test("however often and at the same time it is delivered, an occurrence has one run", async () => {
  const id = await world.put(hourly);
  world.at("2026-11-21T09:00:00.000Z");
  const occurrence = await world.due(id);
  await Promise.all(Array.from({ length: 8 }, () => world.deliver(occurrence)));
  await world.deliver(occurrence);
  expect(await world.runs(id)).toHaveLength(1);
  expect(await world.skipOf(id)).toEqual({ at: undefined, reason: undefined });
  expect((await world.due(id)).scheduled_at).toBe("2026-11-21T10:00:00.000Z");
});

test("an occurrence of a schedule that was replaced is ignored", async () => {
  const id = await world.put(hourly);
  const old = await world.due(id);
  await world.put({ interval: "1 day", next_run: "2026-11-22T07:00:00.000Z" }, id);
  world.at("2026-11-21T09:00:00.000Z");
  world.alarms.clear();
  await world.deliver(old);
  expect(await world.runs(id)).toEqual([]);
  expect(world.alarms.get(id)).toBe("2026-11-22T07:00:00.000Z");
});

test("a schedule that is replaced while its occurrence is dealt with says what comes next", async () => {
  const id = await world.put(hourly);
  world.at("2026-11-21T09:00:00.000Z");
  const occurrence = await world.due(id);
  const { queues } = world.deps;
  let replaced = false;
  const sendRun: typeof queues.sendRun = async (ref) => {
    await queues.sendRun(ref);
    if (replaced) return;
    replaced = true;
    // By a clock that is a little behind.
    world.at("2026-11-21T08:59:59.900Z");
    await world.put({ ...hourly, interval: "1 day" }, id);
    world.at("2026-11-21T09:00:00.000Z");
  };
  await world.deliver(occurrence, { queues: { ...queues, sendRun } });
  expect(world.alarms.get(id)).toBe(occurrence.scheduled_at);
  await world.deliver(occurrence);
  expect(await world.runs(id)).toHaveLength(1);
  expect(world.alarms.get(id)).toBe("2026-11-22T09:00:00.000Z");
  expect(await world.due(id)).toMatchObject({ scheduled_at: "2026-11-22T09:00:00.000Z" });
  expect(await world.skipOf(id)).toEqual({ at: undefined, reason: undefined });
});

test.each([
  ["deleted", (id: string) => deleteScraper(table, world.account, id)],
  ["stored again without a schedule", (id: string) => world.put(null, id)],
])("an occurrence of a scraper that was %s is ignored", async (_what, end) => {
  const id = await world.put(hourly);
  const old = await world.due(id);
  await end(id);
  world.alarms.set(id, old.scheduled_at);
  world.at("2026-11-21T09:00:00.000Z");
  await world.sweep();
  await world.deliver(old);
  expect(await world.runs(id)).toEqual([]);
  expect(world.alarms.has(id)).toBe(false);
});

test("while the last run still runs, an occurrence is skipped and that is recorded", async () => {
  const id = await world.put(hourly);
  world.at("2026-11-21T09:00:00.000Z");
  await world.sweep();
  world.at("2026-11-21T10:00:00.000Z");
  await world.sweep();
  expect(await world.runs(id)).toHaveLength(1);
  expect(await world.skipOf(id)).toEqual({ at: "2026-11-21T10:00:00.000Z", reason: "still_running" });
  expect(world.logged).toMatchObject([
    { message: "A scheduled run was skipped", scraper_id: id, reason: "still_running" },
  ]);
  expect(world.alarms.get(id)).toBe("2026-11-21T11:00:00.000Z");

  await world.finish((await world.runs(id))[0]);
  world.at("2026-11-21T11:00:00.000Z");
  await world.sweep();
  expect(await world.runs(id)).toHaveLength(2);
});

test("a run that a client has started holds an occurrence up too", async () => {
  const id = await world.put(hourly);
  await startRun(world.deps, { account: world.account, source: "api", request: { scraper_id: id } });
  world.at("2026-11-21T09:00:00.000Z");
  await world.sweep();
  expect(await world.runs(id)).toHaveLength(1);
  expect(await world.skipOf(id)).toMatchObject({ reason: "still_running" });
});

test("an account without credits has its occurrence skipped, and that is recorded", async () => {
  const id = await world.put(hourly);
  await setLimits(table, world.account, { credit_limit: 0 });
  world.at("2026-11-21T09:00:00.000Z");
  await world.sweep();
  expect(await world.runs(id)).toEqual([]);
  expect(await world.skipOf(id)).toEqual({ at: "2026-11-21T09:00:00.000Z", reason: "no_credits" });
  expect((await world.due(id)).scheduled_at).toBe("2026-11-21T10:00:00.000Z");
});

test("what was missed has one run for each scraper, then the rhythm goes on", async () => {
  const ids = [await world.put(hourly), await world.put({ ...hourly, interval: "1 minute" })];
  world.at("2026-11-21T15:30:10.000Z");
  for (let look = 0; look < 3; look += 1) await world.sweep();
  for (const id of ids) expect(await world.runs(id)).toHaveLength(1);
  const due = await Promise.all(ids.map(async (id) => (await world.due(id)).scheduled_at));
  expect(due).toEqual(["2026-11-21T16:00:00.000Z", "2026-11-21T15:31:00.000Z"]);

  for (const id of ids) await world.finish((await world.runs(id))[0]);
  world.at("2026-11-21T16:00:00.000Z");
  await world.sweep();
  for (const id of ids) expect(await world.runs(id)).toHaveLength(2);
});

test("what was missed after a run had begun has a run of its own", async () => {
  const id = await world.put(hourly);
  world.at("2026-11-21T09:00:00.000Z");
  const occurrence = await world.due(id);
  // Dies between starting the run and ending the occurrence.
  const key = `${id} ${occurrence.scheduled_at}`;
  const request = { scraper_id: id };
  await startRun(world.deps, { account: world.account, source: "scheduler", request, idempotencyKey: key });
  await world.finish((await world.runs(id))[0]);
  world.at("2026-11-21T13:10:00.000Z");
  await world.sweep();
  expect((await world.due(id)).scheduled_at).toBe("2026-11-21T10:00:00.000Z");
  await world.sweep();
  await world.sweep();
  expect(await world.runs(id)).toHaveLength(2);
  expect((await world.due(id)).scheduled_at).toBe("2026-11-21T14:00:00.000Z");
});

test("no key that a client chooses takes an occurrence's run away", async () => {
  const id = await world.put(hourly);
  const { scheduled_at } = await world.due(id);
  const request = { scraper_id: id };
  const keys = [`${id} ${scheduled_at}`, `scheduler ${id} ${scheduled_at}`];
  for (const idempotencyKey of keys) {
    await startRun(world.deps, { account: world.account, source: "api", request, idempotencyKey });
  }
  for (const run of await world.runs(id)) await world.finish(run);
  world.at(scheduled_at);
  await world.sweep();
  const sources = (await world.runs(id)).map((run) => run.source);
  expect(sources).toEqual(["api", "api", "scheduler"]);
});

test("a scraper whose occurrence can't be dealt with holds no other one up", async () => {
  const broken = await world.put({ ...hourly, next_run: "2026-11-21T08:30:00.000Z" });
  const sound = await world.put(hourly);
  world.at("2026-11-21T09:00:00.000Z");
  const { put } = world.deps.schedules;
  world.deps.schedules.put = async (occurrence) => {
    if (occurrence.scraper_id === broken) throw new Error("The scheduler is down.");
    return put(occurrence);
  };
  await world.sweep();
  expect(await world.runs(sound)).toHaveLength(1);
  expect(world.logged).toMatchObject([{ message: "Could not start a scheduled run", scraper_id: broken }]);

  world.deps.schedules.put = put;
  await world.sweep();
  expect(await world.runs(broken)).toHaveLength(1);
  expect((await world.due(broken)).scheduled_at).toBe("2026-11-21T09:30:00.000Z");
});

test("whatever write it dies after, an occurrence has one run and the next one is waited for", async () => {
  let survived = false;
  for (let writes = 1; !survived; writes += 1) {
    const id = await world.put(hourly);
    world.at("2026-11-21T09:00:00.000Z");
    const occurrence = await world.due(id);
    survived = await survives(world, writes, (deps) => world.deliver(occurrence, deps));
    // EventBridge delivers again, or not; a sweep looks for what is left.
    if (writes % 2 === 0) await world.deliver(occurrence);
    world.at("2026-11-21T09:03:00.000Z");
    await world.sweep();
    const runs = await world.runs(id);
    expect(runs).toHaveLength(1);
    await sweep(world.deps);
    expect(world.queued).toContainEqual({ account: world.account, id: runs[0]?.id });
    expect(await world.skipOf(id)).toEqual({ at: undefined, reason: undefined });
    expect((await world.due(id)).scheduled_at).toBe("2026-11-21T10:00:00.000Z");
    world.at("2026-11-21T10:03:00.000Z");
    await world.finish(runs[0]);
    await world.sweep();
    expect(await world.runs(id)).toHaveLength(2);
    expect(world.alarms.get(id)).toBe("2026-11-21T11:00:00.000Z");
    world.at("2026-11-21T08:00:00.000Z");
    await world.end();
  }
});

test("whatever write it dies after, a skipped occurrence is recorded once", async () => {
  let survived = false;
  for (let writes = 1; !survived; writes += 1) {
    const id = await world.put(hourly);
    await startRun(world.deps, { account: world.account, source: "api", request: { scraper_id: id } });
    world.at("2026-11-21T09:00:00.000Z");
    const occurrence = await world.due(id);
    survived = await survives(world, writes, (deps) => world.deliver(occurrence, deps));
    await world.deliver(occurrence);
    expect(await world.runs(id)).toHaveLength(1);
    expect(await world.skipOf(id)).toEqual({ at: occurrence.scheduled_at, reason: "still_running" });
    expect(world.alarms.get(id)).toBe("2026-11-21T10:00:00.000Z");
    world.at("2026-11-21T08:00:00.000Z");
    await world.end();
  }
});

describe("of a scraper with inputs", () => {
  const values = {
    steps: [
      { id: "open", type: "visit", url: "https://example.org/" },
      { id: "search", type: "write_input", value: "" },
    ],
  };
  const EMPTY = { flying: [], failed: 0, row_count: 0, credits_used: 0 };
  const inputs = [{ search: "lamp" }, { search: "chair" }];
  const nine = "2026-11-21T09:00:00.000Z";
  const batches = async () => (await listBatches(table, world.account, 1)).items.toReversed();

  test("it starts one batch, and the next one when that has finished", async () => {
    const id = await world.put(hourly, undefined, { ...values, inputs });
    world.at(nine);
    const occurrence = await world.due(id);
    await Promise.all([world.deliver(occurrence), world.deliver(occurrence)]);
    await world.deliver(occurrence);
    const [batch, ...others] = await batches();
    expect(others).toEqual([]);
    expect(batch).toMatchObject({ source: "scheduler", scraper_id: id, total: 2 });
    expect(await world.runs(id)).toEqual([]);

    world.at("2026-11-21T10:00:00.000Z");
    await world.deliver(await world.due(id));
    expect(await batches()).toHaveLength(1);
    expect(await world.skipOf(id)).toEqual({ at: "2026-11-21T10:00:00.000Z", reason: "still_running" });

    if (batch === undefined) throw new Error("no batch");
    await finishBatch(table, batch, { ...EMPTY, next: 2, successful: 2 }, world.time, undefined);
    world.at("2026-11-21T11:00:00.000Z");
    await world.deliver(await world.due(id));
    expect(await batches()).toHaveLength(2);
  });

  test("a file that can't be read is a failed run that says why, and no executor gets it", async () => {
    const inputs_from = { csv_url: "https://example.org/words.csv" };
    const id = await world.put(hourly, undefined, { ...values, inputs_from });
    world.at(nine);
    const fetchFile = async () => ({
      url: inputs_from.csv_url,
      status: 200,
      contentType: "text/csv",
      bytes: Buffer.from("searhc\nlamp\n"),
    });
    await world.deliver(await world.due(id), { fetchFile });
    const [run, ...others] = await world.runs(id);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ status: "failed", source: "scheduler", error: { code: "inputs_invalid" } });
    expect(run?.error?.message).toContain('"searhc"');
    expect(world.queued).toEqual([]);
    expect(await batches()).toEqual([]);
    expect((await world.due(id)).scheduled_at).toBe("2026-11-21T10:00:00.000Z");
  });

  test("a sweep that gets no files lets the schedule start the occurrence again", async () => {
    const inputs_from = { sitemap: { url: "https://example.org/sitemap.xml", step: "open" } };
    const id = await world.put(hourly, undefined, { ...values, inputs_from });
    world.at("2026-11-21T09:03:00.000Z");
    world.alarms.clear();
    await world.sweep();
    expect(world.alarms.get(id)).toBe(nine);
    expect((await world.due(id)).scheduled_at).toBe(nine);
    expect(await world.runs(id)).toEqual([]);
  });
});

class Died extends Error {}

/** Runs `work` in a process that dies after so many writes to the table, the queue or the scheduler. */
async function survives(
  world: World,
  writes: number,
  work: (deps: Pick<World["deps"], "table" | "queues" | "schedules">) => Promise<void>,
): Promise<boolean> {
  let left = writes;
  const pass = async <T>(isWrite: boolean, operation: () => Promise<T>): Promise<T> => {
    if (left <= 0) throw new Died();
    const result = await operation();
    if (isWrite) left -= 1;
    if (left <= 0) throw new Died();
    return result;
  };
  const { table, queues, schedules } = world.deps;
  const mortal: Table = {
    ...table,
    db: new Proxy(table.db, {
      get: (db, property) =>
        property === "send"
          ? (command: Parameters<typeof db.send>[0]) =>
              pass(/Put|Update/.test(command.constructor.name), () => db.send(command))
          : Reflect.get(db, property),
    }),
  };
  try {
    await work({
      table: mortal,
      queues: { ...queues, sendRun: (ref) => pass(true, () => queues.sendRun(ref)) },
      schedules: { ...schedules, put: (occurrence) => pass(true, () => schedules.put(occurrence)) },
    });
    return true;
  } catch (error) {
    if (error instanceof Died) return false;
    throw error;
  }
}
