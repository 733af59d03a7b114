import { readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/* What processes use, as Linux tells it in /proc. Other systems tell nothing, which counts as 0. */

const KILOBYTE = /^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm;
/** The unit of a file's size in blocks, whatever the file system. */
const BLOCK_BYTES = 512;

/** A process and all that it started, directly or not. */
export function processesOf(pid: number): number[] {
  const found = [pid];
  for (const each of found) {
    // A process may start others from any of its threads.
    for (const thread of list(`/proc/${each}/task`)) {
      found.push(...read(`/proc/${each}/task/${thread}/children`).split(" ").filter(Boolean).map(Number));
    }
  }
  return found;
}

/** Bytes of memory that the processes do not share with others. */
export function memoryOf(processes: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of processes) {
    for (const [, size] of read(`/proc/${pid}/status`).matchAll(KILOBYTE)) kilobytes += Number(size);
  }
  return kilobytes * 1024;
}

/** Those of them that show pages. */
export const renderersOf = (processes: readonly number[]): number[] =>
  processes.filter((pid) => read(`/proc/${pid}/cmdline`).includes("--type=renderer"));

/** How many files, sockets and pipes the processes have open. */
export function openFilesOf(processes: readonly number[]): number {
  return processes.reduce((sum, pid) => sum + list(`/proc/${pid}/fd`).length, 0);
}

/** Bytes on disk and in shared memory: files in `folders`, and open files that have no name any more. */
export function diskOf(processes: readonly number[], folders: readonly string[]): number {
  const sizes = new Map<string, number>();
  const add = (stats: Stats | undefined) => {
    if (stats?.isFile()) sizes.set(`${stats.dev}:${stats.ino}`, stats.blocks * BLOCK_BYTES);
  };
  for (const pid of processes) {
    for (const file of list(`/proc/${pid}/fd`)) {
      const stats = stat(`/proc/${pid}/fd/${file}`);
      if (stats?.nlink === 0) add(stats);
    }
  }
  for (const folder of folders) {
    for (const name of list(folder, { recursive: true })) add(stat(join(folder, name)));
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

// Processes end and files disappear at any time, which is no error here.

function list(folder: string, options?: { recursive: true }): string[] {
  try {
    return readdirSync(folder, { encoding: "utf8", ...options });
  } catch {
    return [];
  }
}

function stat(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** Why Chromium has no sandbox, if the user is root; undefined: the user is not. */
export const rootHasNoSandbox = (): string | undefined =>
  process.platform === "linux" && process.getuid?.() === 0 ? "the service runs as root" : undefined;
