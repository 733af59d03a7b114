import { setTimeout as sleep } from "node:timers/promises";
import { resetSchedules } from "../functions/schedules/reset-schedules.ts";
import { sweptSchedules } from "../functions/schedules/schedules.ts";
import type { StartScheduledRunDeps } from "../functions/schedules/start-scheduled-run.ts";
import { sweepSchedules } from "../functions/schedules/sweep-schedules.ts";
import { resumeWebhooks } from "./recover.ts";

/** The pause between two reads of the due schedules. It is short, because another process may store a scraper. */
const POLL_MS = 1_000;

/**
 * Starts scheduled runs until `stop` is called. At the beginning, starts one run for each scraper that missed some. If the
 * clock is set back, schedules and webhooks go on by the new time.
 */
export function startScheduler(deps: Omit<StartScheduledRunDeps, "schedules">): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const done = poll({ ...deps, schedules: sweptSchedules }, stopping.signal);
  return {
    stop() {
      stopping.abort();
      return done;
    },
  };
}

async function poll(deps: Parameters<typeof sweepSchedules>[0], stop: AbortSignal): Promise<void> {
  // At the start, it may have been: while no service ran.
  let isAhead = true;
  let last = deps.now();
  while (!stop.aborted) {
    const now = deps.now();
    isAhead ||= now < last;
    last = now;
    try {
      if (isAhead) {
        await resetSchedules(deps, now);
        await resumeWebhooks(deps);
      }
      isAhead = false;
      await sweepSchedules(deps, now, stop);
    } catch (error) {
      deps.log.error("Could not read the due schedules", { error });
    }
    await sleep(POLL_MS, undefined, { signal: stop }).catch(() => {});
  }
}
