import { readdir, readFile } from "node:fs/promises";

/** CPU time of a process and of the children that it has waited for, in ms. */
interface ProcessTime {
  parent: number;
  ms: number;
}

/** CPU times by process id. */
export type TreeTimes = ReadonlyMap<number, ProcessTime>;

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** A process and all below it. */
export async function timesOfTree(root: number): Promise<TreeTimes> {
  const all = new Map<number, ProcessTime>();
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
      // The name of a process, in brackets, may have spaces.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (fields.length < 22) return;
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      all.set(Number(name), { parent: Number(fields[1]), ms: ticks * TICK_MS });
    }),
  );
  const isInTree = (pid: number): boolean => pid === root || (all.has(pid) && isInTree(parentOf(pid)));
  const parentOf = (pid: number) => all.get(pid)?.parent ?? 0;
  return new Map([...all].filter(([pid]) => isInTree(pid)));
}

/** CPU time that a tree has used between two looks at it, in ms. */
export function cpuBetween(before: TreeTimes, after: TreeTimes): number {
  let ms = 0;
  for (const time of after.values()) ms += time.ms;
  for (const [pid, time] of before) {
    // The time of a process that has ended is its parent's now, if the parent has waited for it.
    if (after.has(pid) || after.has(time.parent)) ms -= time.ms;
  }
  return ms;
}

/** Memory of all processes, in MB: each page that several share counts once (PSS). */
export async function memoryOf(times: TreeTimes): Promise<number> {
  const sizes = [...times.keys()].map(async (pid) => {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
  });
  const kilobytes = await Promise.all(sizes);
  return kilobytes.reduce((sum, size) => sum + size, 0) / 1_024;
}
