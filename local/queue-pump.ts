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
  /** The time limit that the handler gets for each message, in ms. */
  timeoutMs: number;
  log: Log;
}

/** The most messages received but not started: enough to find every group behind a long backlog of one group. */
const MAX_WAITING = 10_000;
const RETRY_MS = 1_000;

/** Does the work of an event source mapping on AWS: calls a handler for each message, and deletes handled messages. */
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

/** The account of a message. The emulator reports no message groups for a standard queue. */
function groupOf({ Body }: Message): string {
  try {
    return readMessage(Body).account;
  } catch {
    // The handler reports the invalid message.
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
