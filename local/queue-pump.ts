import { setTimeout as sleep } from "node:timers/promises";
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { SQSEvent } from "aws-lambda";
import type { Log } from "../functions/log.ts";
import { readMessage, type SqsHandler } from "../functions/workers/sqs-handler.ts";
import { FairQueue, type FairQueueOptions } from "./fair-queue.ts";

export interface PumpOptions extends FairQueueOptions {
  sqs: SQSClient;
  queueUrl: string;
  handler: SqsHandler;
  /** What the handler is told of its remaining time, in ms. */
  timeoutMs: number;
  log: Log;
}

/** Messages taken from the queue ahead of their turn: enough to see every group behind a long backlog of one. */
const MAX_WAITING = 10_000;
const RETRY_MS = 1_000;

/** What an event source mapping does on AWS: hands messages to a handler one by one, and deletes those that it did. */
export function startPump(options: PumpOptions): { stop(): Promise<void> } {
  const { sqs, queueUrl: QueueUrl, log } = options;
  const stopping = new AbortController();
  const queue = new FairQueue<Message>(options, (message) =>
    handle(options, message).catch((error) =>
      log.error("A message could not be deleted", { QueueUrl, error }),
    ),
  );

  const receive = async () => {
    const command = new ReceiveMessageCommand({
      QueueUrl,
      WaitTimeSeconds: 20,
      MaxNumberOfMessages: 10,
    });
    const { Messages = [] } = await sqs.send(command, { abortSignal: stopping.signal });
    for (const message of Messages) queue.add(groupOf(message), message);
    await queue.room(MAX_WAITING);
  };
  const intake = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await receive();
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error("The queue could not be read", { QueueUrl, error });
        await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await Promise.all([queue.drain(), intake]);
    },
  };
}

/** Whose message it is. The emulator does not tell the message group of a queue that is not FIFO. */
function groupOf({ Body }: Message): string {
  try {
    return readMessage(Body).account;
  } catch {
    // The handler will say what is wrong with it.
    return "";
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
