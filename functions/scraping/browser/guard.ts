import { AsyncLocalStorage } from "node:async_hooks";
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readdirSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import type { Readable } from "node:stream";
import { RunFailure } from "../../runs/failure.ts";

/** What a browser may use before it is terminated. */
export interface BrowserLimits {
  /** Memory of all its processes together, in bytes. */
  memory: number;
  /** One message from the browser, in bytes: it contains whatever a page logs, throws or sends. */
  message: number;
  /** All messages together, in bytes. */
  messages: number;
}

const GB = 1024 ** 3;

/**
 * A list of 100,000 rows takes 1.4 GB. On a small machine, the rest must be enough for this process: if the system
 * runs out of memory and kills it, every run in it is lost.
 */
export const defaultLimits = (): BrowserLimits => ({
  memory: Math.min(
    2 * GB,
    0.75 * Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
  ),
  message: GB / 8,
  messages: 4 * GB,
});

/** Memory may grow by a gigabyte a second. */
const LOOK_MS = 200;
const KILOBYTE = /^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm;

/** Watches one browser, and terminates it when it exceeds its limits. */
export interface BrowserGuard {
  /** Why the browser was terminated. */
  failure(): RunFailure | undefined;
  /** Terminates it with all its processes. The first failure counts. */
  end(failure: RunFailure): void;
  stop(): void;
}

export function guardBrowser(child: ChildProcess, limits: BrowserLimits): BrowserGuard {
  let failure: RunFailure | undefined;
  const pipe = child.stdio[4] as Readable | undefined;

  const end = (reason: RunFailure) => {
    failure ??= reason;
    stop();
    killGroup(child);
    pipe?.destroy();
  };
  const tooLarge = (what: string) =>
    end(new RunFailure("too_large", `${what}. Visit a smaller page, take fewer rows, or split the scraper.`));

  const look = () => {
    const used = memoryOf(child.pid as number);
    if (used > limits.memory) {
      tooLarge(`The page made the browser use more than ${megabytes(limits.memory)} of memory`);
    }
  };

  let message = 0;
  let all = 0;
  /** Messages end with a zero byte. Playwright joins them to strings, which have a maximum length. */
  const count = (chunk: Buffer) => {
    const last = chunk.lastIndexOf(0);
    message = last < 0 ? message + chunk.length : chunk.length - last - 1;
    all += chunk.length;
    if (message > limits.message) {
      tooLarge(`The page logged, sent or showed more than ${megabytes(limits.message)} at once`);
    } else if (all > limits.messages) {
      tooLarge(`The page logged, sent or showed more than ${megabytes(limits.messages)}`);
    }
  };

  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  pipe?.on("data", count);
  const stop = () => {
    clearInterval(timer);
    pipe?.off("data", count);
  };
  return { failure: () => failure, end, stop };
}

/** Kills a browser with all its processes, which are a process group. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;

/** Bytes of memory that a process and its children do not share with others; 0 where the system does not tell. */
function memoryOf(pid: number): number {
  let kilobytes = 0;
  for (const each of [pid, ...childrenOf(pid)]) {
    for (const [, size] of read(`/proc/${each}/status`).matchAll(KILOBYTE)) kilobytes += Number(size);
  }
  return kilobytes * 1024;
}

/** The browser starts each of its processes itself, from any of its threads. */
function childrenOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      read(`/proc/${pid}/task/${task}/children`).split(" ").filter(Boolean),
    );
  } catch {
    return [];
  }
}

/** A file's text; nothing where a process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

const starting = new AsyncLocalStorage<ChildProcess[]>();
const CHANNEL = "child_process";

/** Runs what starts a process, and returns that process, which Playwright does not expose. */
export async function withChild<T>(start: () => Promise<T>): Promise<{ result: T; child: ChildProcess }> {
  const children: ChildProcess[] = [];
  const note = (message: unknown) => {
    starting.getStore()?.push((message as { process: ChildProcess }).process);
  };
  subscribe(CHANNEL, note);
  try {
    const result = await starting.run(children, start);
    return { result, child: children[0] as ChildProcess };
  } finally {
    unsubscribe(CHANNEL, note);
  }
}
