import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { Log } from "./log.ts";
import type { RunRef } from "./runs/run.ts";

/** The queues of work on runs and batches. A message only names one; the table is the source of truth. */
export interface Queues {
  /** Queues the run for execution after `delaySeconds` (at most 900, the limit of SQS). */
  sendRun(ref: RunRef, delaySeconds?: number | undefined): Promise<void>;
  /** Queues the run's webhook for delivery after `delaySeconds`. */
  sendWebhook(ref: RunRef, delaySeconds?: number): Promise<void>;
  /** Queues a batch, so that its next runs are made, or its deletion continues. */
  sendBatch(ref: RunRef, delaySeconds?: number): Promise<void>;
}

/** The longest delay of an SQS message. */
const MAX_DELAY_MS = 900_000;

/**
 * Queues a run that is due in the table, too. So a failure is logged and not thrown: the sweeper queues the run later. A
 * message that arrives too early because of the limit of SQS is queued again.
 */
export const queueRun = (queues: Queues, log: Log, run: RunRef, delayMs = 0): Promise<void> =>
  sendOrLog(
    log,
    run,
    queues.sendRun(run, delayMs > 0 ? Math.ceil(Math.min(MAX_DELAY_MS, delayMs) / 1000) : undefined),
  );

/** Waits for a message about a run to be sent. The run is due in the table, so a failure is not an error of the caller. */
export async function sendOrLog(log: Log, { id, account }: RunRef, sent: Promise<void>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    log.error("A message could not be queued. The sweeper queues it later", { runId: id, account, error });
  }
}

export interface QueueUrls {
  runs: string;
  webhooks: string;
  batches: string;
}

/** `ticketFor`: the ticket that a message to an executor carries; absent: none. */
export function createQueues(
  sqs: SQSClient,
  urls: QueueUrls,
  ticketFor?: (ref: RunRef) => Promise<string>,
): Queues {
  const send = async (QueueUrl: string, { account, id }: RunRef, DelaySeconds?: number, ticket?: string) => {
    await sqs.send(
      // The group makes a standard queue fair: the backlog of one account does not delay the others.
      new SendMessageCommand({
        QueueUrl,
        MessageBody: JSON.stringify({ account, id, ticket }),
        MessageGroupId: account,
        DelaySeconds,
      }),
    );
  };
  return {
    sendRun: async (ref, delaySeconds) => send(urls.runs, ref, delaySeconds, await ticketFor?.(ref)),
    sendWebhook: (ref, delaySeconds) => send(urls.webhooks, ref, delaySeconds),
    sendBatch: (ref, delaySeconds) => send(urls.batches, ref, delaySeconds),
  };
}
