import { type DynamoDBClient, ProvisionedThroughputExceededException } from "@aws-sdk/client-dynamodb";
import type { Queues } from "../../../functions/queues.ts";
import { RUN_TIMING, type RunTiming } from "../../../functions/run-timing.ts";
import { seeded } from "./random.ts";

/** How soon a takeover comes in these tests: ten times sooner than the service has it. */
export const timing: RunTiming = { ...RUN_TIMING, leaseMs: 4_500, renewMs: 1_500, overdueMs: 6_000 };

const CHANCE = {
  throttled: 0.02,
  lostAnswer: 0.01,
  /** Of each write: faults that outlast the retries of the SDK, before and after the write is made. */
  failed: 0.02,
  lostForGood: 0.01,
  droppedMessage: 0.1,
  doubledMessage: 0.15,
};

/** Makes the table throttle and lose the answers of writes that it did, both for a moment and for longer than the SDK tries. */
export function addFaults(dynamoDb: DynamoDBClient, seed: number): void {
  const random = seeded(seed);
  dynamoDb.middlewareStack.add(
    (next) => async (args) => {
      if (random() < CHANCE.throttled) throw throttled();
      const result = await next(args);
      if (random() < CHANCE.lostAnswer) throw throttled();
      return result;
    },
    // Inside of the SDK's retries, as a fault of the network would be.
    { step: "finalizeRequest", priority: "low" },
  );
  dynamoDb.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        const isWrite = /Put|Update|Write|Delete/.test(commandName);
        if (isWrite && random() < CHANCE.failed) throw throttled();
        const result = await next(args);
        if (isWrite && random() < CHANCE.lostForGood) throw throttled();
        return result;
      },
    { step: "initialize" },
  );
}

/** Queues that drop and double messages. The second copy comes later: of two that wait, a queue keeps one. */
export function withFaults({ sendRun, sendWebhook, sendBatch }: Queues, seed: number): Queues {
  const random = seeded(seed);
  const faulty =
    (send: Queues["sendRun"]): Queues["sendRun"] =>
    async (ref, delaySeconds = 0) => {
      if (random() < CHANCE.droppedMessage) return;
      await send(ref, delaySeconds);
      if (random() < CHANCE.doubledMessage) await send(ref, delaySeconds + 1);
    };
  return { sendRun: faulty(sendRun), sendWebhook: faulty(sendWebhook), sendBatch: faulty(sendBatch) };
}

const throttled = () =>
  new ProvisionedThroughputExceededException({
    message: "A fault on purpose",
    $metadata: { httpStatusCode: 400 },
  });
