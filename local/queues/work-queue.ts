import { randomUUID } from "node:crypto";
import type { SQSEvent } from "aws-lambda";
import type { RunRef } from "../../functions/runs/run.ts";
import type { SqsHandler } from "../../functions/workers/sqs-handler.ts";
import { FairQueue, type FairQueueOptions } from "./fair-queue.ts";

/**
 * Does the work of a queue and its event source mapping on AWS, in memory: calls a handler for each message. A message that
 * fails is gone, as are all at the end of the process: the table records the work, so the sweep and the next start queue it
 * again.
 */
export class WorkQueue {
  readonly #messages: FairQueue<RunRef>;
  /** The ids of the runs that have a message waiting. A second one would say nothing new. */
  readonly #waiting = new Set<string>();
  readonly #delays = new Set<NodeJS.Timeout>();
  #isStopped = false;

  constructor(options: FairQueueOptions) {
    this.#messages = new FairQueue(options);
  }

  send(ref: RunRef, delaySeconds = 0): void {
    if (this.#isStopped) return;
    if (delaySeconds > 0) this.#addLater(ref, delaySeconds * 1000);
    else this.#add(ref);
  }

  #addLater(ref: RunRef, ms: number): void {
    const delay = setTimeout(() => {
      this.#delays.delete(delay);
      this.#add(ref);
    }, ms);
    this.#delays.add(delay);
  }

  #add(ref: RunRef): void {
    if (this.#waiting.has(ref.id)) return;
    this.#waiting.add(ref.id);
    this.#messages.add(ref.account, ref);
  }

  /** Calls the handler for all messages from now on. It gets `timeoutMs` for each. */
  start(handler: SqsHandler, timeoutMs: number): void {
    this.#messages.start(async ({ account, id }) => {
      this.#waiting.delete(id);
      const end = Date.now() + timeoutMs;
      const record = { messageId: randomUUID(), body: JSON.stringify({ account, id }) };
      await handler(
        { Records: [record] as SQSEvent["Records"] },
        { getRemainingTimeInMillis: () => end - Date.now() },
      );
    });
  }

  /** Drops the waiting messages; resolves when the handler is done with the others. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const delay of this.#delays) clearTimeout(delay);
    await this.#messages.drain();
  }
}
