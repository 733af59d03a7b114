import middy from "@middy/core";
import { upstreamForRun } from "../egress/connect/upstream-for-run.ts";
import { inspect } from "../inspections/inspect.ts";
import type { InspectionTask } from "../inspections/task.ts";
import { createBrowsers, singleProcessArgs } from "../scraping/browser/browsers.ts";
import { createScraper } from "../scraping/engine.ts";
import { SpareThread } from "../threads/spare-thread.ts";
import { allowHosts, taskRoot, userAgent } from "./bindings/environment.ts";
import { now } from "./bindings/now.ts";
import { observers } from "./bindings/observe.ts";
import { once } from "./bindings/once.ts";
import { table } from "./bindings/table.ts";
import { ticketedSecrets } from "./bindings/ticketed-secrets.ts";
import { upstreamProxies } from "./bindings/upstream-proxies.ts";

/** The function's package contains the unpacked browser, so that a cold start does not unpack it. */
const scrape = once(() =>
  createScraper(
    createBrowsers({
      cacheFolder: taskRoot(),
      args: singleProcessArgs,
      egress: { allowHosts: allowHosts() },
      userAgent: userAgent(),
    }),
  ),
);

/** The event. It is not validated, because only the route can invoke this function. */
interface Request {
  task: InspectionTask;
  ticket: string;
}

const threads = new SpareThread();

/** Runs one inspection in a fresh browser. */
export const handler = middy(({ task, ticket }: Request) =>
  inspect(
    {
      table,
      threads,
      scrape: scrape(),
      readSecrets: ticketedSecrets(ticket),
      upstreamFor: (source) => upstreamForRun(source, upstreamProxies),
      now,
    },
    task,
  ),
).use(observers);
