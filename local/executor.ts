import type { ProxyList } from "../functions/egress/connect/proxy-list.ts";
import { upstreamForRun } from "../functions/egress/connect/upstream-for-run.ts";
import type { PolicyOptions } from "../functions/egress/policy/address-policy.ts";
import type { Log } from "../functions/log.ts";
import type { Meter } from "../functions/meter.ts";
import type { Queues } from "../functions/queues.ts";
import type { RunTiming } from "../functions/run-timing.ts";
import type { StoredRun } from "../functions/runs/run.ts";
import type { SecretReader } from "../functions/secrets/secret.ts";
import type { OnStage } from "../functions/stages.ts";
import type { Table } from "../functions/store/table.ts";
import { executeRun } from "../functions/workers/execute-run.ts";
import { sqsHandler } from "../functions/workers/sqs-handler.ts";
import { createLocalEngine } from "./engine.ts";
import type { WorkQueue } from "./queues/work-queue.ts";

/** The timeout of one execution, in ms. It is the same as on AWS: the longest that Lambda allows. */
export const EXECUTOR_TIMEOUT_MS = 15 * 60_000;

export interface ExecutorOptions {
  readSecrets: SecretReader;
  table: Table;
  queues: Queues;
  /** The queue of the runs to execute. */
  runs: WorkQueue;
  egress: PolicyOptions;
  proxies?: ProxyList | undefined;
  userAgent?: string | undefined;
  timing: RunTiming;
  meter?: Meter;
  onStage?: OnStage | undefined;
  now: () => Date;
  log: Log;
}

export interface Executor {
  /** Why the browsers run without their sandbox; undefined if they have it, or can't be started. */
  whyNoSandbox(): Promise<string | undefined>;
  /** How many browsers are open. */
  browsers(): number;
  stop(): Promise<void>;
}

/** Executes the runs of a queue in browsers on this machine. */
export function startExecutor(options: ExecutorOptions): Executor {
  const { runs, egress, proxies = [], userAgent, log } = options;
  const stopping = new AbortController();
  const engine = createLocalEngine({ egress, userAgent });
  const deps = {
    ...options,
    scrape: engine.scrape,
    upstreamFor: (run: StoredRun) => upstreamForRun(run, () => proxies),
    stop: stopping.signal,
  };
  const handler = sqsHandler((ref, deadline) => {
    // The browser already starts while the run is claimed.
    engine.warm();
    return executeRun(deps, ref, deadline);
  }, log);
  runs.start(handler, EXECUTOR_TIMEOUT_MS);
  return {
    // A browser that can't be started is reported by the first run.
    whyNoSandbox: () => engine.whyNoSandbox().catch(() => undefined),
    browsers: engine.count,
    async stop() {
      stopping.abort();
      await Promise.all([engine.close(), runs.stop()]);
    },
  };
}
