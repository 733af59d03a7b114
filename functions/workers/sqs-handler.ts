import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import type { Log } from "../log.ts";
import type { RunRef } from "../runs/run.ts";

const Message = v.object({ account: v.string(), id: v.string(), ticket: v.optional(v.string()) });

/** The content of a message: a run, and for executors a ticket (see functions/store/tickets.ts). */
export type RunMessage = RunRef & { ticket?: string | undefined };

/** @throws if the message is invalid */
const readMessage = (body: string | undefined): RunMessage => v.parse(Message, JSON.parse(body ?? ""));

export type SqsHandler = (
  event: SQSEvent,
  context: Pick<Context, "getRemainingTimeInMillis">,
) => Promise<SQSBatchResponse>;

/** Time at the end of Lambda's time limit that is reserved for storing the progress of a worker. */
const RESERVE_MS = 20_000;

/**
 * Makes the Lambda handler of a queue whose messages name runs. It reports failed messages, which SQS delivers again.
 * @param work handles one message; `deadline` is in ms since the epoch
 * @param observers middlewares around each batch
 */
export function sqsHandler(
  work: (message: RunMessage, deadline: number) => Promise<void>,
  log: Log,
  observers: middy.MiddlewareObj[] = [],
): SqsHandler {
  const handle = async (event: SQSEvent, context: Pick<Context, "getRemainingTimeInMillis">) => {
    const deadline = Date.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
    const batchItemFailures: SQSBatchResponse["batchItemFailures"] = [];
    for (const { messageId, body } of event.Records) {
      try {
        await work(readMessage(body), deadline);
      } catch (error) {
        log.error("A message could not be handled", { messageId, body, error });
        batchItemFailures.push({ itemIdentifier: messageId });
      }
    }
    return { batchItemFailures };
  };
  return middy<SQSEvent, SQSBatchResponse>().use(observers).handler(handle) as unknown as SqsHandler;
}
