import { readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/* What processes use, as Linux tells it in /proc. Other systems tell nothing, which counts as 0. */

const KILOBYTE = /^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm;
/** The unit of a file's size in blocks, whatever the file system. */
const BLOCK_BYTES = 512;

/** The groups of processes. None of the processes that matter changes its group, so each is read once. */
const groups = new Map<number, number>();

function groupOf(pid: number): number | undefined {
  const known = groups.get(pid);
  if (known !== undefined) return known;
  const stat = read(`/proc/${pid}/stat`);
  const [, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (group !== undefined) groups.set(pid, Number(group));
  return groups.get(pid);
}

/** The processes of the group that a process leads: of a browser, all that it started, directly or not. */
export function processesOf(leader: number): number[] {
  const pids = list("/proc").map(Number).filter(Number.isInteger);
  const running = new Set(pids);
  for (const pid of groups.keys()) if (!running.has(pid)) groups.delete(pid);
  return pids.filter((pid) => groupOf(pid) === leader);
}

export const statusOf = (pid: number): string => read(`/proc/${pid}/status`);

/** Bytes of memory that the processes do not share with others. */
export function memoryOf(processes: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of processes) {
    for (const [, size] of statusOf(pid).matchAll(KILOBYTE)) kilobytes += Number(size);
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
