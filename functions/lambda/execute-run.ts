import { upstreamForRun } from "../egress/connect/upstream-for-run.ts";
import { createBrowsers, singleProcessArgs } from "../scraping/browser/browsers.ts";
import { createScraper } from "../scraping/engine.ts";
import { putIntoBucket } from "../store/files-bucket.ts";
import { type ExecuteRunDeps, executeRun } from "../workers/execute-run.ts";
import { type RunMessage, sqsHandler } from "../workers/sqs-handler.ts";
import { allowHosts, taskRoot, userAgent } from "./bindings/environment.ts";
import { meter } from "./bindings/meter.ts";
import { now } from "./bindings/now.ts";
import { log, observers } from "./bindings/observe.ts";
import { once } from "./bindings/once.ts";
import { passingQueues } from "./bindings/queues.ts";
import { bucket, tableWithFiles } from "./bindings/table-with-files.ts";
import { ticketedSecrets } from "./bindings/ticketed-secrets.ts";
import { upstreamProxies } from "./bindings/upstream-proxies.ts";
import { stageTracer } from "./bindings/x-ray.ts";

const table = tableWithFiles({ put: putIntoBucket(bucket) });

/** The function's package contains the unpacked browser, so that a cold start does not unpack it. */
const browsers = once(() =>
  createBrowsers({
    cacheFolder: taskRoot(),
    args: singleProcessArgs,
    egress: { allowHosts: allowHosts() },
    userAgent: userAgent(),
  }),
);
const scrape = once(() => createScraper(browsers()));

const depsFor = ({ ticket }: RunMessage): ExecuteRunDeps => ({
  table,
  queues: passingQueues(ticket),
  scrape: (job, context) => scrape()(job, context),
  readSecrets: ticketedSecrets(ticket),
  upstreamFor: (run) => upstreamForRun(run, upstreamProxies),
  now,
  log,
  meter,
  onStage: stageTracer(),
});

const work = (message: RunMessage, deadline: number) => {
  // The browser starts while the run is claimed.
  browsers().warm();
  return executeRun(depsFor(message), message, deadline);
};

export const handler = sqsHandler(work, log, observers);
