import type { ProxyList } from "../../functions/egress/connect/proxy-list.ts";
import { upstreamForRun } from "../../functions/egress/connect/upstream-for-run.ts";
import { type InspectDeps, inspect } from "../../functions/inspections/inspect.ts";
import type { Inspect } from "../../functions/inspections/task.ts";
import { stopped } from "../../functions/runs/run-limits.ts";
import { SpareThread } from "../../functions/threads/spare-thread.ts";
import { createLocalEngine } from "../engine.ts";
import { FairQueue } from "../queues/fair-queue.ts";

/** How many inspections run at the same time: two of one account, such as a user's and an agent's, and one of another. */
const INSPECTIONS_AT_ONCE = 3;
/**
 * How long an inspection waits for a browser, in ms. Together with the inspection itself, it is less than the time after
 * which the slot of the account expires, and clients give up.
 */
const MAX_WAIT_MS = 20_000;

export interface InspectorOptions
  extends Omit<InspectDeps, "scrape" | "upstreamFor" | "threads">,
    Pick<Parameters<typeof createLocalEngine>[0], "egress" | "userAgent"> {
  proxies?: ProxyList | undefined;
  /** How long an inspection waits for a browser, in ms. */
  waitMs?: number;
}

export interface Inspector {
  inspect: Inspect;
  /** How many browsers are open. */
  browsers(): number;
  stop(): Promise<void>;
}

/**
 * Runs inspections in browsers on this machine. `inspect` waits for a browser, in turns by account, and returns
 * undefined if none is free in time. An inspection is stopped if its client closes the connection. `stop` closes the
 * browsers, and ends the thread that waits.
 */
export function createInspector(options: InspectorOptions): Inspector {
  const { egress, userAgent, proxies = [], waitMs = MAX_WAIT_MS } = options;
  const engine = createLocalEngine({ egress, userAgent });
  const threads = new SpareThread();
  const deps = {
    ...options,
    threads,
    scrape: engine.scrape,
    upstreamFor: (source: Parameters<typeof upstreamForRun>[0]) => upstreamForRun(source, () => proxies),
  };
  const waiting = new FairQueue<() => Promise<void>>(INSPECTIONS_AT_ONCE);
  waiting.start((run) => run());
  return {
    inspect(task, closed) {
      const stopping = new AbortController();
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Inspect>>>();
      const run = () => inspect({ ...deps, stopped: stopping.signal }, task).then(resolve, reject);
      const giveUp = () => {
        if (waiting.remove(task.account, run)) resolve(undefined);
      };
      const leave = () => {
        stopping.abort(stopped());
        giveUp();
      };
      closed?.addEventListener("abort", leave);
      const waitTimer = setTimeout(giveUp, waitMs);
      if (closed?.aborted) stopping.abort(stopped());
      waiting.add(task.account, run);
      return promise.finally(() => {
        closed?.removeEventListener("abort", leave);
        clearTimeout(waitTimer);
      });
    },
    browsers: engine.count,
    async stop() {
      await Promise.all([engine.close(), threads.close()]);
    },
  };
}
