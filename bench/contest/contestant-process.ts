import { once } from "node:events";
import type { Contestant, ContestRow, Order, Report, Task } from "./contestant.ts";
import { digestOf } from "./digest.ts";

/** The process of one contestant: it does a workload each time it is told to. */
const [module = "", origin = ""] = process.argv.slice(2);
const { contestant } = (await import(module)) as { contestant: Contestant };

const send = (report: Report) => process.send?.(report);

/** Waits while the tree is measured. */
async function answered(report: Report): Promise<void> {
  const answer = once(process, "message");
  send(report);
  await answer;
}

/** Counts ms, except while it is paused. */
class Stopwatch {
  #ms = 0;
  #since: number | undefined;

  resume(): void {
    this.#since = performance.now();
  }

  pause(): number {
    if (this.#since !== undefined) this.#ms += performance.now() - this.#since;
    this.#since = undefined;
    return this.#ms;
  }
}

async function run(order: Order & { type: "run" }): Promise<void> {
  const work = new Stopwatch();
  const total = new Stopwatch();
  let deducted = 0;
  let result: readonly ContestRow[] | undefined;
  const mark = async (mark: "begun" | "starting" | "started" | "done") => {
    total.pause();
    await answered({ type: "mark", mark });
    total.resume();
  };
  const task: Task = {
    workload: order.workload,
    origin,
    chromium: order.chromium,
    async start(start) {
      work.pause();
      await mark("starting");
      const started = await start();
      await mark("started");
      work.resume();
      return started;
    },
    deduct(ms) {
      deducted += ms;
    },
    async done(rows) {
      work.pause();
      result = rows;
      await mark("done");
    },
  };
  await answered({ type: "mark", mark: "begun" });
  work.resume();
  total.resume();
  await contestant.run(task);
  const totalMs = total.pause() - deducted;
  if (result === undefined) throw new Error("The contestant gave no rows.");
  send({ type: "result", workMs: work.pause(), totalMs, rows: result.length, digest: digestOf(result) });
}

process.on("message", (order: Order) => {
  if (order.type !== "run") return;
  run(order).catch((error) => send({ type: "error", message: String(error?.stack ?? error) }));
});
process.on("disconnect", async () => {
  await contestant.close?.();
  process.exit(0);
});
send({ type: "ready", pid: (await contestant.open?.(origin)) ?? process.pid });
