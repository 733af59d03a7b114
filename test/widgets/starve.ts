import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { processesOf } from "../../functions/scraping/browser/process-usage.ts";

/** How many processes are stopped at the same time, and for how long, and how long all run in between, at most, in ms. */
const STOPPED = 4;
const STOP_MS = 5_000;
const RUN_MS = 500;

/**
 * Stops this process and those of its browsers for seconds at random moments, to simulate a machine on which any of them
 * may get no CPU for as long. Works only on Linux.
 * @returns a function that ends it
 */
export function starve(): () => Promise<void> {
  const stop = new AbortController();
  const turns = Array.from({ length: STOPPED }, () => takeTurns(stop.signal));
  return async () => {
    stop.abort();
    await Promise.all(turns);
  };
}

async function takeTurns(stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await sleep(Math.random() * RUN_MS);
    const pids = processesOf(process.pid);
    // Short stops are more likely.
    await stopFor(pids[Math.floor(Math.random() * pids.length)] as number, Math.random() ** 2 * STOP_MS);
  }
}

/** Stops a process, by another one, because it may be this one. */
function stopFor(pid: number, ms: number): Promise<void> {
  const script = `kill -STOP ${pid} && sleep ${(ms / 1000).toFixed(3)}; kill -CONT ${pid}`;
  const child = spawn("sh", ["-c", script], { stdio: "ignore" });
  return new Promise((resolve) => child.on("close", () => resolve()));
}
