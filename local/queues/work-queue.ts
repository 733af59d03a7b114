import { randomUUID } from "node:crypto";
import type { SQSEvent } from "aws-lambda";
import type { RunRef } from "../../functions/runs/run.ts";
import type { SqsHandler } from "../../functions/workers/sqs-handler.ts";
import { FairQueue } from "./fair-queue.ts";

/**
 * An in-memory replacement for an SQS queue and its event source mapping: calls a handler for each message. A message
 * is not delivered again if the handler fails or the process ends. That is safe, because the table records the work,
 * and the sweeper or the next start queues it again.
 */
export class WorkQueue {
  readonly #messages: FairQueue<RunRef>;
  /**
   * The ids of the runs with a waiting message, and since when it waits, the oldest first. A second message for the same run
   * is dropped.
   */
  readonly #waiting = new Map<string, number>();
  readonly #delays = new Set<NodeJS.Timeout>();
  #isStopped = false;

  /** @param concurrency how many messages are handled at the same time, in total */
  constructor(concurrency: number) {
    this.#messages = new FairQueue(concurrency);
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
    this.#waiting.set(ref.id, performance.now());
    this.#messages.add(ref.account, ref);
  }

  /** How many messages wait, are handled, and wait for their delay to end; and for how many ms the oldest has been waiting. */
  state(): { waiting: number; running: number; delayed: number; oldestMs: number } {
    const now = performance.now();
    const [oldest = now] = this.#waiting.values();
    return {
      waiting: this.#waiting.size,
      running: this.#messages.running,
      delayed: this.#delays.size,
      oldestMs: now - oldest,
    };
  }

  /** Starts to call the handler for all messages. Its remaining time for each message starts at `timeoutMs`. */
  start(handler: SqsHandler, timeoutMs: number): void {
    this.#messages.start(async ({ account, id }) => {
      this.#waiting.delete(id);
      const end = performance.now() + timeoutMs;
      const record = { messageId: randomUUID(), body: JSON.stringify({ account, id }) };
      await handler(
        { Records: [record] as SQSEvent["Records"] },
        { getRemainingTimeInMillis: () => end - performance.now() },
      );
    });
  }

  /** Drops the waiting messages, and resolves when the handler has finished the others. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const delay of this.#delays) clearTimeout(delay);
    await this.#messages.drain();
  }
}
