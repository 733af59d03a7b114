import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChromiumInstall } from "../../functions/scraping/browser/install.ts";
import { expectedRows } from "../engine/expected-rows.ts";
import type { Workload } from "../engine/workloads.ts";
import type { Entry } from "./contestant.ts";
import { ContestantProcess, type Measure } from "./contestant-handle.ts";
import { digestOf } from "./digest.ts";

/** Longer than that, a contestant is measured once. */
const LONG_MS = 10_000;
/** The processes of the one before have to be gone. */
const PAUSE_MS = 300;

/** Medians of one contestant in one workload; times in ms, memory in MB. */
export interface Result {
  workload: Workload["name"];
  contestant: string;
  /** What the server waits before each answer. */
  latency_ms: number;
  /** From the order to the rows, with a context and a page of its own, in a browser that is open. */
  wall_ms: number;
  /** The same, with the start and the end of the browser. */
  total_ms: number;
  /** CPU time of the contestant's processes while `wall_ms` passes. */
  cpu_ms: number;
  /** Memory of these processes when the rows are there. */
  pss_mb: number;
  /** Whether they are the rows that the pages show, in order, in each round. */
  rows_equal: boolean;
  /** Rounds that the medians are taken of. */
  rounds: number;
  /** Why it has no figures. */
  error?: string;
}

export interface ContestOptions {
  entries: readonly Entry[];
  workloads: readonly Workload[];
  latencies: readonly number[];
  rounds: number;
  chromium: ChromiumInstall;
  onResult?: (result: Result) => void;
}

/** Lets all contestants do all workloads, in turn. */
export async function contest({ latencies, workloads, ...options }: ContestOptions): Promise<Result[]> {
  const results: Result[] = [];
  for (const latency of latencies) {
    const server = fork(new URL("../engine/shop-server.ts", import.meta.url), [String(latency)]);
    const [{ origin }] = (await once(server, "message")) as [{ origin: string }];
    for (const workload of workloads) {
      const found = await measureAll(workload, { ...options, latency, origin });
      for (const result of found) options.onResult?.(result);
      results.push(...found);
    }
    server.disconnect();
  }
  return results;
}

interface Place extends Pick<ContestOptions, "entries" | "rounds" | "chromium"> {
  latency: number;
  origin: string;
}

async function measureAll(
  workload: Workload,
  { entries, rounds, latency, origin, chromium }: Place,
): Promise<Result[]> {
  const expected = digestOf(expectedRows(workload, origin));
  const runners = entries
    .filter(({ only }) => only?.includes(workload.name) ?? true)
    .map((entry) => ({
      entry,
      process: new ContestantProcess(entry, origin),
      measures: [] as (Measure | string)[],
    }));
  // The first round warms disks, caches and compilers.
  for (let round = -1; round < rounds; round += 1) {
    for (const { process, measures } of inTurn(runners, round)) {
      if (measures.some(isLong)) continue;
      await sleep(PAUSE_MS);
      const measure = await process.run({ workload, chromium });
      if (round >= 0 || isLong(measure)) measures.push(measure);
    }
  }
  await Promise.all(runners.map(({ process }) => process.close()));
  return runners.map(({ entry, measures }) => ({
    workload: workload.name,
    contestant: entry.name,
    latency_ms: latency,
    ...summaryOf(measures, expected),
  }));
}

const isLong = (measure: Measure | string) => typeof measure === "string" || measure.totalMs > LONG_MS;

/** Everybody comes first once. */
const inTurn = <T>(all: readonly T[], round: number): T[] =>
  all.map((_, index) => all[(index + round + 1) % all.length] as T);

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

function summaryOf(measures: readonly (Measure | string)[], expected: string) {
  const error = measures.find((measure) => typeof measure === "string");
  const done = measures.filter((measure) => typeof measure !== "string");
  const of = (key: "workMs" | "totalMs" | "cpuMs" | "memoryMb") =>
    Math.round(median(done.map((measure) => measure[key])));
  return {
    wall_ms: of("workMs"),
    total_ms: of("totalMs"),
    cpu_ms: of("cpuMs"),
    pss_mb: of("memoryMb"),
    rows_equal: error === undefined && done.every(({ digest }) => digest === expected),
    rounds: done.length,
    ...(error !== undefined && { error }),
  };
}
