import { AsyncLocalStorage } from "node:async_hooks";
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import type { Readable } from "node:stream";
import { RunFailure } from "../../runs/failure.ts";
import { OPEN_FILES } from "../limits.ts";
import { BROWSER_MS } from "../timing.ts";
import { diskOf, memoryOf, openFilesOf, processesOf } from "./process-usage.ts";

/** What a browser may use before it is terminated. */
export interface BrowserLimits {
  /** Memory of all its processes together, in bytes. */
  memory: number;
  /** Files of all its processes together, in bytes: those in its folders, and unlinked ones, such as shared memory. */
  disk: number;
  /** Open files of all its processes together, with sockets and pipes. */
  openFiles: number;
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
  disk: GB,
  openFiles: Math.min(4096, 0.75 * maxOpenFiles()),
  message: GB / 8,
  messages: 4 * GB,
});

/** How many files a process may open; infinite where the system does not tell. */
function maxOpenFiles(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return Number(limit ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The limits of a browser that is about to start: it may use half of the space that is free for its files. */
export async function withFreeSpace(limits: BrowserLimits): Promise<BrowserLimits> {
  const { bavail, bsize } = await statfs(tmpdir());
  return { ...limits, disk: Math.min(limits.disk, (bavail * bsize) / 2) };
}

export type BrowserGuard = ReturnType<typeof guardBrowser>;

/** Watches one browser, and terminates it when it exceeds its limits. @param folders of the browser's own files */
export function guardBrowser(child: ChildProcess, limits: BrowserLimits, folders: readonly string[]) {
  let failure: RunFailure | undefined;
  const pipe = child.stdio[4] as Readable | undefined;

  /** Terminates the browser with all its processes. The first failure counts. */
  const end = (reason: RunFailure): void => {
    failure ??= reason;
    stop();
    killGroup(child);
    pipe?.destroy();
  };
  const tooLarge = (what: string) =>
    end(
      new RunFailure("too_large", `${what}. Visit a smaller page, extract fewer rows, or split the scraper.`),
    );

  let looks = 0;
  let filesBefore = 0;
  let diskUsed = 0;
  const look = () => {
    const processes = processesOf(child.pid as number);
    const memoryUsed = memoryOf(processes);
    const files = openFilesOf(processes);
    looks += 1;
    if (looks % OPEN_FILES.looks === 0 || files >= filesBefore + OPEN_FILES.more) {
      filesBefore = files;
      diskUsed = diskOf(processes, folders);
    }
    lookAfter(Math.min(limits.memory - memoryUsed, limits.disk - diskUsed));
    if (memoryUsed > limits.memory)
      tooLarge(`The page made the browser use more than ${megabytes(limits.memory)} of memory`);
    if (files > limits.openFiles)
      tooLarge(`The page made the browser open more than ${limits.openFiles} files`);
    if (diskUsed > limits.disk)
      tooLarge(`The page made the browser write more than ${megabytes(limits.disk)} to files`);
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

  let timer: NodeJS.Timeout | undefined;
  /** Looks again before half of the bytes that are left can be used: both memory and files may grow by a gigabyte a second. */
  const lookAfter = (left: number) => {
    timer = setTimeout(look, Math.max(BROWSER_MS.check, (left / GB) * 500)).unref();
  };
  lookAfter(0);
  pipe?.on("data", count);
  const stop = () => {
    clearTimeout(timer);
    pipe?.off("data", count);
  };
  /** Counts the messages of another run. */
  const restart = () => {
    all = 0;
  };
  /** Why the browser was terminated. */
  const whyEnded = () => failure;
  return { failure: whyEnded, end, restart, stop };
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

export const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;

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
