import { Thread } from "./thread.ts";

/** How long the thread waits for the next task, in ms. It is short, because a thread keeps the memory of its largest task. */
const WAIT_MS = 30_000;

/** A thread for one user. When it is disposed, it waits for the next one. */
export interface Taken extends AsyncDisposable {
  thread: Thread;
}

/**
 * Keeps a thread from one task for the next: to start one, and to run its code for the first time, takes longer than most
 * tasks. Nobody uses it at the same time. Further threads end with their task.
 */
export class SpareThread {
  #spare: Thread | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** Takes the thread that waits, or starts one. */
  take(): Taken {
    const thread = this.#spare ?? new Thread();
    this.#spare = undefined;
    clearTimeout(this.#timer);
    thread.start();
    return { thread, [Symbol.asyncDispose]: () => this.#giveBack(thread) };
  }

  /** Ends the thread that waits. Those in use end when they are disposed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #giveBack(thread: Thread): Promise<void> {
    if (this.#isClosed || this.#spare !== undefined) return thread[Symbol.asyncDispose]();
    this.#spare = thread;
    this.#timer = setTimeout(() => void this.#end(), WAIT_MS).unref();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#spare?.[Symbol.asyncDispose]();
    this.#spare = undefined;
  }
}
