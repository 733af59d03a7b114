import { setTimeout as sleep } from "node:timers/promises";
import { descendants, isRenderer } from "../functions/scraping/harness.ts";

/** The processes of pages alternately run for 10 ms and are stopped for 30 ms. */
const RUN_MS = 10;
const STOP_MS = 30;
/** New processes are searched for after this many turns. A turn is one stop and one run. */
const LOOK_TURNS = 5;

/**
 * Stops the pages of this process's browsers for most of the time, to simulate a slow CPU. DevTools can also slow pages
 * down, but not pages with virtual time. Works only on Linux.
 * @returns a function that ends the slowdown
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
    if (turn % LOOK_TURNS === 0)
      pages = descendants()
        .filter(isRenderer)
        .map(({ pid }) => pid);
    for (const pid of pages) signal(pid, "SIGSTOP");
    await sleep(STOP_MS);
    for (const pid of pages) signal(pid, "SIGCONT");
    await sleep(RUN_MS);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended meanwhile.
  }
}
