import type { BrowsersOptions, OwnBrowsers } from "../functions/scraping/browser/browsers.ts";
import { rootHasNoSandbox } from "../functions/scraping/browser/process-usage.ts";
import type { Scrape } from "../functions/scraping/job.ts";
import { cacheFolder } from "./data/cache-folder.ts";

/** The scraping engine with its own browsers. */
export interface LocalEngine extends Pick<OwnBrowsers, "warm" | "whyNoSandbox" | "count" | "close"> {
  scrape: Scrape;
}

/**
 * Creates an engine that loads its code, including Playwright, when it is first needed. Otherwise, loading it would
 * take 50 MB of memory and a third of the time in which the service starts.
 */
export function createLocalEngine(options: Omit<BrowsersOptions, "cacheFolder">): LocalEngine {
  let loaded: ReturnType<typeof load> | undefined;
  let isClosed = false;
  let count = () => 0;
  const loadOpen = async () => {
    const engine = await load(options);
    count = engine.browsers.count;
    if (isClosed) await engine.browsers.close();
    return engine;
  };
  const get = () => {
    loaded ??= loadOpen();
    return loaded;
  };
  return {
    async *scrape(job, context) {
      const { scrape } = await get();
      return yield* scrape(job, context);
    },
    warm() {
      // Errors are ignored here: the run that needs the browser reports them.
      get()
        .then(({ browsers }) => browsers.warm())
        .catch(() => {});
    },
    whyNoSandbox: async () => rootHasNoSandbox() ?? (await get()).browsers.whyNoSandbox(),
    count: () => count(),
    async close() {
      isClosed = true;
      await (await loaded)?.browsers.close();
    },
  };
}

async function load(options: Omit<BrowsersOptions, "cacheFolder">) {
  const [{ createBrowsers }, { createScraper }] = await Promise.all([
    import("../functions/scraping/browser/browsers.ts"),
    import("../functions/scraping/engine.ts"),
  ]);
  const browsers = createBrowsers({ ...options, cacheFolder: cacheFolder() });
  return { browsers, scrape: createScraper(browsers) };
}
