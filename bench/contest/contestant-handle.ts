import { type ChildProcess, fork } from "node:child_process";
import { on, once } from "node:events";
import type { ChromiumInstall } from "../../functions/scraping/browser/install.ts";
import type { Workload } from "../engine/workloads.ts";
import type { Entry, Order, Report } from "./contestant.ts";
import { cpuBetween, memoryOf, type TreeTimes, timesOfTree } from "./process-tree.ts";

/** What a contestant needed for a workload once. */
export interface Measure {
  workMs: number;
  totalMs: number;
  cpuMs: number;
  memoryMb: number;
  digest: string;
}

const TIMEOUT_MS = 180_000;
const END_MS = 10_000;

/** A contestant in a process of its own, which stays for all rounds of a workload. */
export class ContestantProcess {
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  /** The process whose tree is measured. */
  #pid = 0;

  constructor({ module }: Entry, origin: string) {
    this.#args = [module, origin];
  }

  /** Returns what it needed, or why it failed. */
  async run(task: { workload: Workload; chromium: ChromiumInstall }): Promise<Measure | string> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const child = await this.#start(timeout);
      return await measure(child, this.#pid, { type: "run", ...task }, timeout);
    } catch (error) {
      this.#child?.kill("SIGKILL");
      this.#child = undefined;
      return timeout.aborted ? `It took longer than ${TIMEOUT_MS / 1000} seconds.` : String(error);
    }
  }

  async #start(signal: AbortSignal): Promise<ChildProcess> {
    if (this.#child) return this.#child;
    const entry = new URL("./contestant-process.ts", import.meta.url);
    // What a library prints is not of interest.
    const child = fork(entry, this.#args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const exit = new AbortController();
    child.once("exit", () => exit.abort(new Error("The contestant's process exited.")));
    const [report] = (await once(child, "message", { signal: AbortSignal.any([signal, exit.signal]) })) as [
      Report,
    ];
    if (report.type !== "ready") throw new Error(`The contestant sent ${report.type} first.`);
    this.#pid = report.pid;
    this.#child = child;
    return child;
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, "exit", { signal: AbortSignal.timeout(END_MS) });
    child.disconnect();
    await exited.catch(() => child.kill("SIGKILL"));
  }
}

async function measure(
  child: ChildProcess,
  pid: number,
  order: Order,
  signal: AbortSignal,
): Promise<Measure> {
  const reports = on(child, "message", { signal, close: ["exit"] });
  child.send(order);
  let before: TreeTimes = new Map();
  let cpuMs = 0;
  let memoryMb = 0;
  for await (const [report] of reports as AsyncIterable<[Report]>) {
    if (report.type === "error") throw new Error(report.message);
    if (report.type === "result") return { ...report, cpuMs, memoryMb };
    if (report.type !== "mark") continue;
    const times = await timesOfTree(pid);
    if (report.mark === "begun" || report.mark === "started") before = times;
    else cpuMs += cpuBetween(before, times);
    if (report.mark === "done") memoryMb = await memoryOf(times);
    child.send({ type: "next" } satisfies Order);
  }
  throw new Error("The contestant's process exited.");
}
