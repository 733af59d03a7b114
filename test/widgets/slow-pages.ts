import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { processesOf } from "../../functions/scraping/browser/process-usage.ts";

/** Of each 40 ms, the processes that run pages get 10. */
const RUN_MS = 10;
const STOP_MS = 30;
/** How often new processes are looked for, in such turns. */
const LOOK_TURNS = 5;

/**
 * Stops the pages of this process's browsers for most of the time, as on a machine with little CPU. DevTools can slow
 * pages down, too, but not those whose time is virtual.
 * @returns a function that ends it
 */
export function slowPagesDown(): () => Promise<void> {
  const stop = new AbortController();
  const turns = takeTurns(stop.signal);
  return () => {
    stop.abort();
    return turns;
  };
}

async function takeTurns(stopped: AbortSignal): Promise<void> {
  let pages: number[] = [];
  for (let turn = 0; !stopped.aborted; turn += 1) {
    if (turn % LOOK_TURNS === 0) pages = processesOf(process.pid).filter(isPage);
    for (const pid of pages) signal(pid, "SIGSTOP");
    await sleep(STOP_MS);
    for (const pid of pages) signal(pid, "SIGCONT");
    await sleep(RUN_MS);
  }
}

function isPage(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer");
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
