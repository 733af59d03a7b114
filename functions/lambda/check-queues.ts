import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { clientOptions } from "./client-options.ts";
import { runsQueueUrl, webhooksQueueUrl } from "./environment.ts";
import { tracer } from "./observe.ts";
import { once } from "./once.ts";

const sqs = once(() => tracer.captureAWSv3Client(new SQSClient(clientOptions)));

/** Resolves when both queues answer. */
export async function checkQueues(): Promise<void> {
  await Promise.all(
    [runsQueueUrl(), webhooksQueueUrl()].map((QueueUrl) =>
      sqs().send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] })),
    ),
  );
}
