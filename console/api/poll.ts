import { isAbort } from "./api-error.ts";
import { pause } from "./request.ts";

/** How long after the previous request the next one is sent, by the age of the polling. */
const PACES = [
  { until: 30_000, every: 1_000 },
  { until: 300_000, every: 2_000 },
  { until: Number.POSITIVE_INFINITY, every: 5_000 },
] as const;

export const paceAfter = (ms: number): number => PACES.find(({ until }) => ms < until)?.every ?? 5_000;

/**
 * Calls `read` at once, and again and again until it returns false or `signal` is aborted. A tab that nobody sees asks
 * for nothing. An error does not end it: `read` shows it, and the next call may succeed.
 */
export async function poll(
  read: (signal: AbortSignal) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  try {
    while (!signal.aborted) {
      await visible(signal);
      if (!(await read(signal))) return;
      await pause(paceAfter(performance.now() - start), signal);
    }
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

async function visible(signal: AbortSignal): Promise<void> {
  while (document.hidden) {
    signal.throwIfAborted();
    await new Promise<void>((resolve) => {
      const wake = () => resolve();
      document.addEventListener("visibilitychange", wake, { once: true });
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}
