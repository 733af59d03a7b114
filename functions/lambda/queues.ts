import { SQSClient } from "@aws-sdk/client-sqs";
import { createQueues, type Queues } from "../queues.ts";
import { clientOptions } from "./client-options.ts";
import { runsQueueUrl, webhooksQueueUrl } from "./environment.ts";
import { tracer } from "./observe.ts";
import { once } from "./once.ts";

const connected = once(() =>
  createQueues(tracer.captureAWSv3Client(new SQSClient(clientOptions)), {
    // A function gets only the URLs of the queues that it may send to.
    get runs() {
      return runsQueueUrl();
    },
    get webhooks() {
      return webhooksQueueUrl();
    },
  }),
);

/** The service's queues, connected on first use. */
export const queues: Queues = {
  sendRun: (...message) => connected().sendRun(...message),
  sendWebhook: (...message) => connected().sendWebhook(...message),
};
