import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { clientOptions } from "./client-options.ts";
import { batchesQueueUrl, runsQueueUrl, webhooksQueueUrl } from "./environment.ts";
import { once } from "./once.ts";
import { traced } from "./x-ray.ts";

const sqs = once(() => traced(new SQSClient(clientOptions)));

/** Resolves when all queues answer. */
export async function checkQueues(): Promise<void> {
  await Promise.all(
    [runsQueueUrl(), webhooksQueueUrl(), batchesQueueUrl()].map((QueueUrl) =>
      sqs().send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] })),
    ),
  );
}
