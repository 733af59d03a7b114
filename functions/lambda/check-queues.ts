import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { clientOptions } from "./client-options.ts";
import { runsQueueUrl, webhooksQueueUrl } from "./environment.ts";
import { once } from "./once.ts";
import { traced } from "./x-ray.ts";

const sqs = once(() => traced(new SQSClient(clientOptions)));

/** Resolves when both queues answer. */
export async function checkQueues(): Promise<void> {
  await Promise.all(
    [runsQueueUrl(), webhooksQueueUrl()].map((QueueUrl) =>
      sqs().send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] })),
    ),
  );
}
