import { type DynamoDBClient, ProvisionedThroughputExceededException } from "@aws-sdk/client-dynamodb";
import type { SQSClient } from "@aws-sdk/client-sqs";
import type { RunTiming } from "../../../functions/run-timing.ts";
import { type Random, seeded } from "./random.ts";

/** How soon a takeover comes in these tests: ten times sooner than the service has it. */
export const timing: RunTiming = { leaseMs: 4_500, renewMs: 1_500, overdueMs: 6_000 };

const CHANCE = {
  throttled: 0.02,
  lostAnswer: 0.01,
  droppedMessage: 0.1,
  doubledMessage: 0.1,
  keptMessage: 0.05,
};

/**
 * Makes the table throttle, and lose the answers of writes that it did; and the queue drop and double messages, and
 * forget deletions.
 */
export function addFaults(dynamoDb: DynamoDBClient, sqs: SQSClient, seed: number): void {
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
  sqs.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === "SendMessageCommand") return send(() => next(args), random);
        if (commandName === "DeleteMessageCommand" && random() < CHANCE.keptMessage) return pretended;
        return next(args);
      },
    { step: "initialize" },
  );
}

async function send<T extends object>(next: () => Promise<T>, random: Random): Promise<T> {
  if (random() < CHANCE.droppedMessage) return pretended as T;
  const result = await next();
  if (random() < CHANCE.doubledMessage) await next();
  return result;
}

const pretended = { output: { $metadata: {} }, response: {} };

const throttled = () =>
  new ProvisionedThroughputExceededException({
    message: "A fault on purpose",
    $metadata: { httpStatusCode: 400 },
  });
