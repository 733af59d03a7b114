import { upstreamForRun } from "../egress/upstream-for-run.ts";
import type { RunRef } from "../runs/run.ts";
import { createBrowsers, singleProcessArgs } from "../scraping/browser/browsers.ts";
import { createScraper } from "../scraping/engine.ts";
import { type ExecuteRunDeps, executeRun } from "../workers/execute-run.ts";
import { sqsHandler } from "../workers/sqs-handler.ts";
import { allowHosts, taskRoot, userAgent } from "./environment.ts";
import { meter } from "./meter.ts";
import { now } from "./now.ts";
import { log, observers } from "./observe.ts";
import { once } from "./once.ts";
import { queues } from "./queues.ts";
import { readSecrets } from "./secrets.ts";
import { table } from "./table.ts";
import { upstreamProxies } from "./upstream-proxies.ts";

/** The function's package contains the unpacked browser, so that no start has to unpack it. */
const browsers = once(() =>
  createBrowsers({
    cacheFolder: taskRoot(),
    args: singleProcessArgs,
    egress: { allowHosts: allowHosts() },
    userAgent: userAgent(),
  }),
);
const scrape = once(() => createScraper(browsers()));

const deps: ExecuteRunDeps = {
  table,
  queues,
  scrape: (job, context) => scrape()(job, context),
  readSecrets,
  upstreamFor: (run) => upstreamForRun(run, upstreamProxies),
  now,
  log,
  meter,
};

const work = (ref: RunRef, deadline: number) => {
  // The browser starts while the run is claimed.
  browsers().warm();
  return executeRun(deps, ref, deadline);
};

export const handler = sqsHandler(work, log, observers);
