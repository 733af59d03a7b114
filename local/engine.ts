import type { BrowsersOptions, OwnBrowsers } from "../functions/scraping/browser/browsers.ts";
import { rootHasNoSandbox } from "../functions/scraping/browser/root.ts";
import type { Scrape } from "../functions/scraping/job.ts";
import { cacheFolder } from "./cache-folder.ts";

/** The engine with browsers of its own. */
export interface LocalEngine extends Pick<OwnBrowsers, "warm" | "whyNoSandbox" | "close"> {
  scrape: Scrape;
}

/**
 * The engine, which is loaded when it is first needed: with Playwright, that takes 50 MB and a third of the time that the
 * service needs to start.
 */
export function createLocalEngine(options: Omit<BrowsersOptions, "cacheFolder">): LocalEngine {
  let loaded: ReturnType<typeof load> | undefined;
  let isClosed = false;
  const loadOpen = async () => {
    const engine = await load(options);
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
      // The run tells what fails.
      get()
        .then(({ browsers }) => browsers.warm())
        .catch(() => {});
    },
    whyNoSandbox: async () => rootHasNoSandbox() ?? (await get()).browsers.whyNoSandbox(),
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
