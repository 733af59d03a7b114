import type { Worker } from "playwright-core";
import { within } from "../time-limit.ts";

/** Lets `ms` of a worker's own time pass: it may start late, or be busy. One that is gone does nothing any more. */
export const passInWorker = (worker: Worker, ms: number, timeout: number): Promise<void> =>
  within(
    timeout,
    worker.evaluate((wait) => new Promise<void>((done) => setTimeout(done, wait)), ms),
  ).catch(() => {});
