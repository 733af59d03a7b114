import { isAbort } from "./api-error.ts";
import { pause } from "./request.ts";

/** The pause between two calls, `every` ms, while the polling is younger than `until` ms. */
const PACES = [
  { until: 30_000, every: 1_000 },
  { until: 300_000, every: 2_000 },
  { until: Number.POSITIVE_INFINITY, every: 5_000 },
] as const;

/** The pause before the next call, in ms, when the polling is `ms` old. */
export const paceAfter = (ms: number): number => PACES.find(({ until }) => ms < until)?.every ?? 5_000;

/**
 * Calls `read` at once, and then repeatedly until it returns false or `signal` is aborted. Waits while the tab is
 * hidden. `read` has to handle its own errors: one that it throws ends the polling, and is thrown to the caller.
 */
export async function poll(
  read: (signal: AbortSignal) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  try {
    while (!signal.aborted) {
      await untilVisible(signal);
      if (!(await read(signal))) return;
      await pause(paceAfter(performance.now() - start), signal);
    }
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}

async function untilVisible(signal: AbortSignal): Promise<void> {
  while (document.hidden) {
    signal.throwIfAborted();
    await new Promise<void>((resolve) => {
      const wake = () => resolve();
      document.addEventListener("visibilitychange", wake, { once: true });
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}
