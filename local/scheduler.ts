import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../functions/log.ts";
import type { StartRunDeps } from "../functions/runs/start-run.ts";
import { sweptSchedules } from "../functions/schedules/schedules.ts";
import { sweepSchedules } from "../functions/schedules/sweep-schedules.ts";

/** Scrapers are stored by other processes too, so the table is looked at often: one short read of the due index. */
const LOOK_MS = 1_000;

/** Starts the runs of schedules from now on, and first, once for each scraper, those missed while nobody did. */
export function startScheduler(deps: StartRunDeps & { log: Log }): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const done = look({ ...deps, schedules: sweptSchedules }, stopping.signal);
  return {
    stop() {
      stopping.abort();
      return done;
    },
  };
}

async function look(deps: Parameters<typeof sweepSchedules>[0], stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await sweepSchedules(deps, deps.now(), stop).catch((error) => {
      deps.log.error("Could not look for scheduled runs", { error });
    });
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => {});
  }
}
