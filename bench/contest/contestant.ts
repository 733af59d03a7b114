import type { ChromiumInstall } from "../../functions/scraping/browser/install.ts";
import type { Workload } from "../engine/workloads.ts";

/** A row, whose fields may be in any order. */
export type ContestRow = Readonly<Record<string, string>>;

/** What a contestant has to do. */
export interface Task {
  workload: Workload;
  /** Origin of the shop. */
  origin: string;
  /** The packed Chromium. */
  chromium: ChromiumInstall;
  /** Starts something that the clock of the work does not count: a browser. */
  start<T>(start: () => Promise<T>): Promise<T>;
  /** Takes ms from the total time, for something that was done twice. */
  deduct(ms: number): void;
  /** Stops the clock of the work. What comes after it, such as closing the browser, counts in the total time only. */
  done(rows: readonly ContestRow[]): Promise<void>;
}

/** One way to do a workload. It has a process of its own, which does the workload once for each round. */
export interface Contestant {
  /** Starts what stays between rounds. Returns the process whose tree does the work, if that is not its own. */
  open?(origin: string): Promise<number>;
  run(task: Task): Promise<void>;
  /** Ends what stays between rounds. */
  close?(): Promise<void>;
}

/** Where the contestant's module is, which exports it as `contestant`. */
export interface Entry {
  name: string;
  module: string;
  /** The workloads that it can do; absent: all. */
  only?: readonly Workload["name"][];
}

/** What the contestant's process sends. The next message is sent when this one is answered. */
export type Report =
  | { type: "ready"; pid: number }
  | { type: "mark"; mark: "begun" | "starting" | "started" | "done" }
  | { type: "result"; workMs: number; totalMs: number; rows: number; digest: string }
  | { type: "error"; message: string };

/** What it is sent. */
export type Order = { type: "run"; workload: Workload; chromium: ChromiumInstall } | { type: "next" };
