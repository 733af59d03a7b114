import { Worker } from "node:worker_threads";
import { threadCode } from "./bundles/thread.ts";
import type { Tasks } from "./tasks.ts";

/**
 * The heap of a thread, in MB. Beyond it, V8 ends the thread. It can't do so within one call of its own code, such as
 * `JSON.parse`: then it ends the process. So the size of what a thread gets has to be limited where it is collected.
 */
const MEMORY_MB = 1_024;

/** A computation was ended because it took too much time or memory. */
export class ComputationEnded extends Error {
  override name = "ComputationEnded";
}

/** What a thread answers. */
type Answer = { result: unknown } | { error: unknown };

/**
 * A thread for computations over what others chose: pages, sites and clients. Whatever they choose, the main thread
 * goes on, and a computation that takes too long is ended. No two runs or inspections use a thread at the same time, so
 * none delays another. The thread starts with its first task. Tasks run one after the other.
 *
 * The code is a string, as that of page scripts, so it is found from the source, in the npm package and in a Lambda bundle.
 */
export class Thread implements AsyncDisposable {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param ms the CPU time that the task may take: on a busy machine, it takes longer
   * @throws ComputationEnded if it takes more time, or too much memory
   */
  run<Name extends keyof Tasks>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    ms: number,
  ): Promise<ReturnType<Tasks[Name]>> {
    const result = this.#last.then(() => this.#run(name, input, ms));
    this.#last = result.catch(() => {});
    return result as Promise<ReturnType<Tasks[Name]>>;
  }

  /** Starts the thread before its first task, so that the task does not wait for it. */
  start(): void {
    this.#worker ??= this.#create();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #create(): Worker {
    const worker = new Worker(threadCode, {
      eval: true,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    // Between tasks, nobody waits for it.
    worker.unref();
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  async #run(name: string, input: unknown, ms: number): Promise<unknown> {
    this.start();
    const worker = this.#worker as Worker;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const limit = limitCpu(worker, ms, () => {
      reject(new ComputationEnded(`The task "${name}" took more than ${ms} ms.`));
      void worker.terminate();
      this.#worker = undefined;
    });
    const onExit = () => reject(new ComputationEnded(`The thread ended during the task "${name}".`));
    const onError = (cause: unknown) =>
      reject(new ComputationEnded(`The task "${name}" ended its thread.`, { cause }));
    worker.once("message", resolve).once("exit", onExit).once("error", onError);
    try {
      worker.postMessage({ name, input });
      const answer = await promise;
      if ("error" in answer) throw answer.error;
      return answer.result;
    } finally {
      limit.lift();
      worker.off("message", resolve).off("exit", onExit).off("error", onError);
    }
  }
}

/** Calls `end` once a thread has used `ms` of CPU time from now on. */
function limitCpu(worker: Worker, ms: number, end: () => void): { lift(): void } {
  const before = cpuMs(worker);
  let isLifted = false;
  let timer: NodeJS.Timeout;
  const look = async () => {
    // Within one call of its own code, V8 does not answer.
    timer = setTimeout(end, ms);
    const left = ms + (await before) - (await cpuMs(worker));
    clearTimeout(timer);
    if (isLifted) return;
    if (left <= 0) end();
    else timer = setTimeout(look, left);
  };
  timer = setTimeout(look, ms);
  return {
    lift() {
      isLifted = true;
      clearTimeout(timer);
    },
  };
}

/** The CPU time of a thread, in ms. One that is starting, or has ended, can't tell it. */
const cpuMs = (worker: Worker): Promise<number> =>
  worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1_000,
    () => 0,
  );
