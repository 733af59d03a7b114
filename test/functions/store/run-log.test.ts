import { expect, test } from "@jest/globals";
import type { LogEvent } from "../../../functions/contract/runs/run-log.ts";
import type { StoredRun } from "../../../functions/runs/run.ts";
import { decodeLog, encodeLog, putLog, readLog, storeLog } from "../../../functions/store/runs/run-log.ts";
import { RunLog } from "../../../functions/workers/run-log.ts";
import { startTable } from "./local-table.ts";

const table = await startTable();
const now = () => new Date("2026-11-21T00:00:00.000Z");
const run = (id: string, attempt = 1, log_count = 0, log?: Uint8Array) =>
  ({ account: "log", id, attempt, log_count, log }) as StoredRun;
const numbers = (events: readonly LogEvent[]) => events.map(({ seq }) => seq);
const event = { code: "rows", step: 0, message: "1 rows were extracted.", rows: 1 } as const;

test("a log keeps its first 100 events and the last 400, however it is stored", async () => {
  const log = new RunLog(0, now);
  for (let count = 0; count < 1_500; count += 1) {
    log.add(event);
    if (count % 90 === 89) {
      await putLog(table, run("long"), log.pending);
      log.stored(log.next);
    }
  }
  const events = await readLog(table, run("long", 1, 1_500, encodeLog(log.pending)));
  expect(numbers(events.slice(0, 100))).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(numbers(events.slice(100))).toEqual(Array.from({ length: 400 }, (_, index) => 1_100 + index));
});

test("rows belong to the list that has them, although the checkpoint is at the next step", () => {
  const log = new RunLog(0, now);
  log.addBatch({ rows: [{ title: "a" }], list: 2, checkpoint: { step: 3 } }, 20);
  log.addBatch({ rows: [{ title: "b" }], checkpoint: { step: 3 } }, 20);
  expect(log.pending.map(({ step }) => step)).toEqual([2, null]);
});

test("what is not stored yet is bounded, too", () => {
  const log = new RunLog(0, now);
  for (let count = 0; count < 5_000; count += 1) log.add(event);
  expect(log.pending).toHaveLength(500);
});

test("numbers that an attempt has used without storing its progress are those of the next attempt", async () => {
  const first = new RunLog(0, now);
  first.add({ ...event, message: "lost" });
  first.add({ ...event, message: "lost" });
  await putLog(table, run("resumed"), first.pending);
  const second = new RunLog(1, now);
  second.add({ ...event, message: "resumed" });
  await putLog(table, run("resumed", 2), second.pending);
  const events = await readLog(table, run("resumed", 2, second.next));
  expect(events.map(({ message }) => message)).toEqual(["lost", "resumed"]);
});

const address = (page: number) => `https://shop.example/things?sort=new&page=${page}`;
const steps = [{ type: "visit", url: address(1) }, { type: "get_list" }];
/** The log of a run of so many pages. */
function logOfRun(pages: number): RunLog {
  let ms = 1_700_000_000_000;
  const log = new RunLog(0, () => new Date(ms));
  log.add({ code: "started", step: null });
  for (const step of steps.keys()) log.add({ code: "step", step });
  for (let page = 1; page <= pages; page += 1) {
    ms += 1_000 + ((page * 7_919) % 500);
    log.add({ code: "rows", step: 1, rows: 20, ms: 1_000 + ((page * 7_919) % 500), url: address(page) });
  }
  log.add({ code: "successful", step: null, rows: 20 * pages });
  return log;
}

test("the log of a run of five pages fits into its state, and reads as it happened", async () => {
  const log = logOfRun(5);
  const { log: data, chunkBytes } = await storeLog(table, run("short"), log.pending);
  expect([data?.length, chunkBytes]).toEqual([expect.any(Number), 0]);
  expect(data?.length).toBeLessThan(200);
  const stored = { ...run("short", 1, log.next, data), steps } as StoredRun;
  const events = await readLog(table, stored);
  expect(events.map(({ message }) => message)).toEqual([
    "The run started.",
    "Step 1: visit",
    "Step 2: get_list",
    ...Array(5).fill("20 rows were extracted."),
    "The run was successful, with 100 rows.",
  ]);
  expect(events.map(({ message: _, ...event }) => event)).toEqual(log.pending);
});

test("a log that is too long for the state becomes a chunk, and none of its events is lost", async () => {
  const log = logOfRun(200);
  expect(await storeLog(table, run("chunk"), log.pending)).toEqual({
    chunkBytes: encodeLog(log.pending).length,
  });
  const before = log.next;
  log.stored(before);
  log.add({ code: "warning", step: 1, message: "Something is strange." });
  const { log: tail } = await storeLog(table, run("chunk"), log.pending);
  const stored = { ...run("chunk", 1, log.next, tail), steps } as StoredRun;
  expect(numbers(await readLog(table, stored))).toEqual(
    Array.from({ length: before + 1 }, (_, index) => index),
  );
  // Another attempt goes on with what is in no chunk.
  const resumed = new RunLog(log.next, now, decodeLog(tail));
  expect(resumed.pending).toEqual(log.pending);
});

test("events of a chunk whose progress was not stored are not shown", async () => {
  const log = logOfRun(200);
  await storeLog(table, run("lost"), log.pending);
  expect(await readLog(table, run("lost", 1, 0))).toEqual([]);
  expect(numbers(await readLog(table, { ...run("lost", 1, 3), steps } as StoredRun))).toEqual([0, 1, 2]);
});

test("a failed run's last event has the message of its error", async () => {
  const log = new RunLog(0, now);
  log.add({ code: "failed", step: 1, rows: 0 });
  const error = { code: "timeout", message: "The page did not answer.", step: 1 };
  const stored = { ...run("failed", 1, 1, encodeLog(log.pending)), error } as StoredRun;
  expect(await readLog(table, stored)).toMatchObject([{ code: "failed", message: error.message, step: 1 }]);
});
