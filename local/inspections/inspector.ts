import type { ProxyList } from "../../functions/egress/proxy-list.ts";
import { upstreamForRun } from "../../functions/egress/upstream-for-run.ts";
import { type InspectDeps, inspect } from "../../functions/inspections/inspect.ts";
import type { Inspect } from "../../functions/inspections/task.ts";
import { createBrowsers } from "../../functions/scraping/browser/browsers.ts";
import { createScraper } from "../../functions/scraping/engine.ts";

/** Inspections at a time: one for a person, and one for an agent. */
const CONCURRENCY = 2;

export interface InspectorOptions
  extends Omit<InspectDeps, "scrape" | "upstreamFor">,
    Pick<Parameters<typeof createBrowsers>[0], "cacheFolder" | "egress" | "userAgent"> {
  proxies?: ProxyList | undefined;
}

/** Does inspections in browsers on this machine. `stop` closes them. */
export function createInspector(options: InspectorOptions): { inspect: Inspect; stop(): Promise<void> } {
  const { cacheFolder, egress, userAgent, proxies = [] } = options;
  const browsers = createBrowsers({ cacheFolder, egress, userAgent });
  const deps = {
    ...options,
    scrape: createScraper(browsers),
    upstreamFor: (source: Parameters<typeof upstreamForRun>[0]) => upstreamForRun(source, () => proxies),
  };
  let working = 0;
  return {
    async inspect(task) {
      if (working >= CONCURRENCY) return undefined;
      working += 1;
      try {
        return await inspect(deps, task);
      } finally {
        working -= 1;
      }
    },
    stop: () => browsers.close(),
  };
}
