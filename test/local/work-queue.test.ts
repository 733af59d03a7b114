import { setTimeout as sleep } from "node:timers/promises";
import { expect, jest, test } from "@jest/globals";
import { sqsHandler } from "../../functions/workers/sqs-handler.ts";
import { WorkQueue } from "../../local/queues/work-queue.ts";

const log = { info() {}, error() {} };

/** A handler that keeps the ids of its messages, and what ends each of them. */
function recorder() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const handler = sqsHandler(({ account, id }) => {
    begun.push(`${account} ${id}`);
    return new Promise<void>((resolve) => ends.push(resolve));
  }, log);
  return {
    begun,
    handler,
    async end() {
      ends.shift()?.();
      await sleep(0);
    },
    async untilBegun(count: number) {
      while (begun.length < count) await sleep(1);
    },
  };
}

test("accounts with little to do don't wait for the one that filled the queue before them", async () => {
  const queue = new WorkQueue(2);
  for (let run = 0; run < 60; run += 1) queue.send({ account: "big", id: `${run}` });
  for (const account of ["a", "b", "c"]) queue.send({ account, id: `of ${account}` });
  const { begun, handler, end, untilBegun } = recorder();
  queue.start(handler, 60_000);
  for (let run = 1; run <= 63; run += 1) {
    await untilBegun(run);
    await end();
  }
  await queue.stop();
  const last = Math.max(...["a", "b", "c"].map((account) => begun.indexOf(`${account} of ${account}`)));
  expect(last).toBeLessThan(40);
  expect(begun.filter((message) => message.startsWith("big"))).toHaveLength(60);
});

test("a run that waits needs no second message; one that is handled may get another", async () => {
  const queue = new WorkQueue(1);
  const { begun, handler, end, untilBegun } = recorder();
  queue.start(handler, 60_000);
  queue.send({ account: "a", id: "1" });
  await untilBegun(1);
  for (let copy = 0; copy < 3; copy += 1) queue.send({ account: "a", id: "1" });
  queue.send({ account: "a", id: "2" });
  await end();
  await untilBegun(2);
  await end();
  await untilBegun(3);
  expect(begun).toEqual(["a 1", "a 1", "a 2"]);
  const stopped = queue.stop();
  await end();
  await stopped;
});

test("a delayed message comes after its time, unless the queue is stopped", async () => {
  jest.useFakeTimers();
  try {
    const queue = new WorkQueue(4);
    const seen: string[] = [];
    queue.start(async ({ Records }) => {
      seen.push(...Records.map(({ body }) => JSON.parse(body).id));
      return { batchItemFailures: [] };
    }, 60_000);
    queue.send({ account: "a", id: "late" }, 5);
    queue.send({ account: "a", id: "later" }, 60);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(seen).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(seen).toEqual(["late"]);
    await queue.stop();
    queue.send({ account: "a", id: "after the stop" });
    await jest.advanceTimersByTimeAsync(120_000);
    expect(seen).toEqual(["late"]);
  } finally {
    jest.useRealTimers();
  }
});

test("a message that fails is gone, and the next ones are handled", async () => {
  const queue = new WorkQueue(1);
  const seen: string[] = [];
  const handler = sqsHandler(async ({ id }) => {
    seen.push(id);
    if (id === "bad") throw new Error("on purpose");
  }, log);
  queue.start(handler, 60_000);
  for (const id of ["bad", "good"]) queue.send({ account: "a", id });
  while (seen.length < 2) await sleep(1);
  await queue.stop();
  expect(seen).toEqual(["bad", "good"]);
});
