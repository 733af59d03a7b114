import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { descendants, isRenderer } from "../functions/scraping/harness.ts";

/** How many processes are stopped at the same time, for how long, and how long they run before, at most, in ms. */
const STOPPED = 4;
const STOP_MS = 4_000;
const RUN_MS = 500;
/** One of so many stops is that of a process on which all pages depend, and that of this one is half as likely. */
const SHARED = 10;
const OWN = { pid: process.pid, command: "" };

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
    const all = [...descendants(), OWN];
    const pages = all.filter(isRenderer);
    const others = all.filter((each) => !isRenderer(each));
    const isShared = pages.length === 0 || Math.random() < 1 / SHARED;
    const { pid } = oneOf(isShared ? [oneOf(others), OWN] : pages);
    // Short stops are more likely.
    await stopFor(pid, Math.random() ** 2 * STOP_MS);
  }
}

const oneOf = <T>(all: readonly T[]) => all[Math.floor(Math.random() * all.length)] as T;

/** Stops a process, by another one, because it may be this one. That one is no part of what is stopped: it has to go on. */
function stopFor(pid: number, ms: number): Promise<void> {
  const script = `(kill -STOP ${pid} && sleep ${(ms / 1000).toFixed(3)}; kill -CONT ${pid}) & echo`;
  const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.resume();
  // The output is closed once the one in the background has ended, too.
  return new Promise((resolve) => child.on("close", () => resolve()));
}
