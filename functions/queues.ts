import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { RunRef } from "./runs/run.ts";

/** The queues of work on runs. A message only names a run; the table is the source of truth. */
export interface Queues {
  /** Queues the run for execution after `delaySeconds` (at most 900, the limit of SQS). */
  sendRun(ref: RunRef, delaySeconds?: number): Promise<void>;
  /** Queues the run's webhook for delivery after `delaySeconds`. */
  sendWebhook(ref: RunRef, delaySeconds?: number): Promise<void>;
}

export interface QueueUrls {
  runs: string;
  webhooks: string;
}

export function createQueues(sqs: SQSClient, urls: QueueUrls): Queues {
  const send = async (QueueUrl: string, { account, id }: RunRef, DelaySeconds?: number) => {
    await sqs.send(
      // The group makes a standard queue fair: the backlog of one account does not delay the others.
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
