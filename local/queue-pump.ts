import { setTimeout as sleep } from "node:timers/promises";
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { SQSEvent } from "aws-lambda";
import type { Log } from "../functions/log.ts";
import type { SqsHandler } from "../functions/workers/sqs-handler.ts";

export interface PumpOptions {
  sqs: SQSClient;
  queueUrl: string;
  handler: SqsHandler;
  /** Messages in hand at a time. */
  concurrency: number;
  /** What the handler is told of its remaining time, in ms. */
  timeoutMs: number;
  log: Log;
}

/** What an event source mapping does on AWS: hands messages to a handler one by one, and deletes those that it did. */
export function startPump(options: PumpOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const consumers = Array.from({ length: options.concurrency }, () => consume(options, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(consumers);
    },
  };
}

async function consume(options: PumpOptions, signal: AbortSignal): Promise<void> {
  const { sqs, queueUrl: QueueUrl, log } = options;
  while (!signal.aborted) {
    try {
      const receive = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20, MaxNumberOfMessages: 1 });
      const { Messages = [] } = await sqs.send(receive, { abortSignal: signal });
      for (const message of Messages) await handle(options, message);
    } catch (error) {
      if (signal.aborted) return;
      log.error("The queue could not be read", { queue: QueueUrl, error });
      await sleep(1000, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function handle(
  { sqs, queueUrl: QueueUrl, handler, timeoutMs }: PumpOptions,
  message: Message,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  const record = { messageId: message.MessageId, body: message.Body } as SQSEvent["Records"][number];
  const { batchItemFailures } = await handler(
    { Records: [record] },
    { getRemainingTimeInMillis: () => end - Date.now() },
  );
  if (batchItemFailures.length > 0) return;
  await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
}
