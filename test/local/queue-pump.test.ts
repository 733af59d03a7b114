import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createQueues } from "../../functions/queues.ts";
import { sqsHandler } from "../../functions/workers/sqs-handler.ts";
import { type Emulators, startEmulators } from "../../local/emulators.ts";
import { startPump } from "../../local/queue-pump.ts";

let folder: string;
let emulators: Emulators;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gleaner-pump-"));
  emulators = await startEmulators(folder);
});
afterAll(async () => {
  await emulators.close();
  await rm(folder, { recursive: true });
});

test("accounts with little to do don't wait for the one that filled the queue before them", async () => {
  const { sqs, queueUrls } = emulators;
  const queues = createQueues(sqs, queueUrls);
  for (let run = 0; run < 60; run += 1) await queues.sendRun({ account: "big", id: `${run}` });
  for (const account of ["a", "b", "c"]) await queues.sendRun({ account, id: "1" });
  const order: string[] = [];
  const log = { info() {}, error() {} };
  const handler = sqsHandler(async ({ account }) => {
    order.push(account);
    await sleep(20);
  }, log);
  const pump = startPump({
    sqs,
    queueUrl: queueUrls.runs,
    handler,
    concurrency: 2,
    perGroup: 2,
    timeoutMs: 60_000,
    log,
  });
  while (order.length < 63) await sleep(20);
  await pump.stop();
  const last = Math.max(...["a", "b", "c"].map((account) => order.indexOf(account)));
  expect(last).toBeLessThan(40);
  expect(order.filter((account) => account === "big")).toHaveLength(60);
});
