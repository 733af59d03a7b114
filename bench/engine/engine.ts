import type { Row } from "../../functions/contract/runs/run.ts";
import {
  type Browsers,
  createBrowsers,
  type OwnBrowsers,
} from "../../functions/scraping/browser/browsers.ts";
import type { LeasedBrowser } from "../../functions/scraping/browser/leased-browser.ts";
import { openRunContext } from "../../functions/scraping/browser/run-context.ts";
import { createScraper } from "../../functions/scraping/engine.ts";
import type { ScrapeJob } from "../../functions/scraping/job.ts";
import { cacheFolder } from "../../local/data/cache-folder.ts";
import type { Contestant, Task } from "../contest/contestant.ts";

const TIMEOUT_MS = 120_000;

interface Settings extends Pick<ScrapeJob, "engine" | "concurrency"> {
  /** Steps before the list. */
  steps?: ScrapeJob["steps"];
}

/** The engine by its own entry point, with its egress proxy. */
export const engine = (settings: Settings = {}): Contestant => ({ run: (task) => run(task, settings) });

export const contestant = engine();

async function run(task: Task, { steps = [], ...settings }: Settings): Promise<void> {
  const { workload, origin } = task;
  const host = new URL(origin).host;
  const browsers = createBrowsers({
    cacheFolder: cacheFolder(),
    egress: { allowHosts: [host] },
  });
  try {
    const browser = await task.start(async () => {
      const leased = await browsers.lease();
      await leased.context.close();
      return leased;
    });
    const batches = createScraper(inContextOf(browsers, browser, host, task))(
      {
        steps: [
          { type: "visit", url: origin + workload.path },
          ...(workload.steps ?? []),
          ...steps,
          { type: "get_list", ...workload.list },
        ],
        pagination: workload.pagination,
        rowsLimit: workload.rows,
        ...settings,
      },
      { onPageLoad: () => {}, deadline: Date.now() + TIMEOUT_MS },
    );
    const rows: Row[] = [];
    for await (const batch of batches) {
      rows.push(...batch.rows);
      if (rows.length >= workload.rows) await task.done(rows);
    }
  } finally {
    await browsers.close();
  }
}

/** Opens the run's context and page in a browser that runs already, as the scripts do. */
function inContextOf(browsers: OwnBrowsers, running: LeasedBrowser, host: string, task: Task): Browsers {
  const lease = async (): Promise<LeasedBrowser> => {
    const began = performance.now();
    const options = { egress: { allowHosts: [host] }, userAgent: undefined, loadsAll: false };
    const opened = await openRunContext(running.browser, { ...options, onExcess: running.end });
    // A leased browser has a context of its own already.
    task.deduct(performance.now() - began);
    const close = async () => {
      await Promise.all([running.close(), opened.egress.close()]);
    };
    return { ...running, ...opened, close };
  };
  return { ...browsers, lease };
}
