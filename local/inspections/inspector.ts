import type { ProxyList } from "../../functions/egress/proxy-list.ts";
import { upstreamForRun } from "../../functions/egress/upstream-for-run.ts";
import { type InspectDeps, inspect } from "../../functions/inspections/inspect.ts";
import type { Inspect } from "../../functions/inspections/task.ts";
import { stopped } from "../../functions/runs/run-limits.ts";
import { createLocalEngine } from "../engine.ts";

/** How many inspections can run at the same time: for example one of a user and one of an agent. */
const CONCURRENCY = 2;

export interface InspectorOptions
  extends Omit<InspectDeps, "scrape" | "upstreamFor">,
    Pick<Parameters<typeof createLocalEngine>[0], "egress" | "userAgent"> {
  proxies?: ProxyList | undefined;
}

/**
 * Runs inspections in browsers on this machine. `inspect` returns undefined if too many are in progress. An inspection
 * is stopped if its client closes the connection. `stop` closes the browsers.
 */
export function createInspector(options: InspectorOptions): { inspect: Inspect; stop(): Promise<void> } {
  const { egress, userAgent, proxies = [] } = options;
  const engine = createLocalEngine({ egress, userAgent });
  const deps = {
    ...options,
    scrape: engine.scrape,
    upstreamFor: (source: Parameters<typeof upstreamForRun>[0]) => upstreamForRun(source, () => proxies),
  };
  let working = 0;
  return {
    async inspect(task, closed) {
      if (working >= CONCURRENCY) return undefined;
      working += 1;
      const stopping = new AbortController();
      const stop = () => stopping.abort(stopped());
      closed?.addEventListener("abort", stop);
      if (closed?.aborted) stop();
      try {
        return await inspect({ ...deps, stopped: stopping.signal }, task);
      } finally {
        closed?.removeEventListener("abort", stop);
        working -= 1;
      }
    },
    stop: engine.close,
  };
}
