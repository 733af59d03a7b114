import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { RunRef } from "./runs/run.ts";

/** The queues that move runs on. A message only says which run to look at: the table has the truth. */
export interface Queues {
  /** Somebody should execute this run, in `delaySeconds` (at most 900, SQS's limit). */
  sendRun(ref: RunRef, delaySeconds?: number): Promise<void>;
  /** Somebody should deliver this run's webhook, in `delaySeconds`. */
  sendWebhook(ref: RunRef, delaySeconds?: number): Promise<void>;
}

export interface QueueUrls {
  runs: string;
  webhooks: string;
}

export function createQueues(sqs: SQSClient, urls: QueueUrls): Queues {
  const send = async (QueueUrl: string, { account, id }: RunRef, DelaySeconds?: number) => {
    await sqs.send(
      // The group makes a standard queue fair: one account's backlog does not hold up the others.
      new SendMessageCommand({
        QueueUrl,
        MessageBody: JSON.stringify({ account, id }),
        MessageGroupId: account,
        DelaySeconds,
      }),
    );
  };
  return {
    sendRun: (ref, delaySeconds) => send(urls.runs, ref, delaySeconds),
    sendWebhook: (ref, delaySeconds) => send(urls.webhooks, ref, delaySeconds),
  };
}
