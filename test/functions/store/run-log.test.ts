import { expect, test } from "@jest/globals";
import type { LogEvent } from "../../../functions/contract/run-log.ts";
import type { StoredRun } from "../../../functions/runs/run.ts";
import { encodeLog, putLog, readLog } from "../../../functions/store/run-log.ts";
import { RunLog } from "../../../functions/workers/run-log.ts";
import { startTable } from "./engines.ts";

const table = await startTable();
const now = () => new Date("2026-11-21T00:00:00.000Z");
const run = (id: string, attempt = 1, log?: Uint8Array) =>
  ({ account: "log", id, attempt, log }) as StoredRun;
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
  const events = await readLog(table, run("long", 1, encodeLog(log.pending)));
  expect(numbers(events.slice(0, 100))).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(numbers(events.slice(100))).toEqual(Array.from({ length: 400 }, (_, index) => 1_100 + index));
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
  const events = await readLog(table, run("resumed", 2));
  expect(events.map(({ message }) => message)).toEqual(["lost", "resumed"]);
});
