import type { DestinationDeps } from "../../../functions/deliveries/destinations.ts";
import type { FetchFile } from "../../../functions/egress/requests/fetch-file.ts";
import type { Post } from "../../../functions/egress/requests/post-json.ts";
import { RunFailure } from "../../../functions/runs/failure.ts";
import type { RunRef, StoredRun } from "../../../functions/runs/run.ts";
import { type StartRun, startRun } from "../../../functions/runs/start-run.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { getRun } from "../../../functions/store/runs/runs.ts";
import type { StoredScraper } from "../../../functions/store/scrapers.ts";
import type { Table } from "../../../functions/store/table.ts";
import { advanceBatch } from "../../../functions/workers/advance-batch.ts";
import { deliverWebhook } from "../../../functions/workers/deliver-webhook.ts";
import { type ExecuteRunDeps, executeRun } from "../../../functions/workers/execute-run.ts";
import { sweep } from "../../../functions/workers/sweep.ts";
import { noFiles } from "../../no-files.ts";
import { definition, storeScraper } from "../store/samples.ts";

let accounts = 0;

export const START = Date.parse("2026-11-21T00:00:00.000Z");

export interface LifeOptions {
  creditLimit?: number;
  scraper?: Partial<StoredScraper>;
  scrape: Scrape;
  post?: Post;
  destinations?: DestinationDeps;
}

/** Writes all that an attempt can write: a turn at a host, a page load, a large chunk of rows, and a failure with evidence. */
export const takeTurnAndFail: Scrape = async function* (_, { turns, onPageLoad }) {
  await turns?.take("shop.example", 10, Number.MAX_SAFE_INTEGER);
  onPageLoad();
  yield { rows: [{ title: "a".repeat(400_000) }], checkpoint: { page: 1 } };
  const down = new RunFailure("http_error", "It is down.");
  down.evidence = { url: "https://shop.example/", title: "Down" };
  throw down;
};

/** A run whose rows can be compared with those of others. */
export const takeTurn: Scrape = async function* () {
  yield { rows: [{ title: "a" }], checkpoint: {} };
  return "done";
};

/** An account with a scraper, a clock that stands still, and the queues and workers of the service. */
export async function startLife(
  table: Table,
  { creditLimit, scraper: own, scrape, post, destinations }: LifeOptions,
) {
  accounts += 1;
  const account = `life-${process.pid}-${accounts}`;
  const clock = { time: START };
  const now = () => new Date(clock.time);
  const limits = { credit_limit: creditLimit ?? null, rate_limit: null };
  await createAccount(table, { name: account, ...limits, created_at: now().toISOString() });
  const scraper = await storeScraper(table, account, { ...definition, rows_limit: 1_000_000, ...own }, now());
  const runs: { ref: RunRef; delay: number | undefined }[] = [];
  const webhooks: RunRef[] = [];
  const batches: RunRef[] = [];
  const logged: { message: string; fields: Record<string, unknown> }[] = [];
  const keep = (message: string, fields: Record<string, unknown> = {}) =>
    void logged.push({ message, fields });
  const deps: ExecuteRunDeps & { post: Post; fetchFile: FetchFile; destinations?: DestinationDeps } = {
    fetchFile: noFiles,
    ...(destinations && { destinations }),
    table,
    queues: {
      async sendRun(ref, delay) {
        // A sweep handles the runs of other tests, too.
        if (ref.account === account) runs.push({ ref, delay });
      },
      async sendBatch(ref) {
        if (ref.account === account) batches.push(ref);
      },
      async sendWebhook(ref) {
        if (ref.account === account) webhooks.push(ref);
      },
    },
    scrape,
    readSecrets: async () => new Map(),
    upstreamFor: async () => undefined,
    post: post ?? (async () => ({ status: 200, body: "", durationMs: 1 })),
    now,
    log: { info: keep, error: keep },
  };
  return {
    account,
    scraper,
    clock,
    deps,
    runs,
    webhooks,
    batches,
    logged,
    async start(request: Partial<StartRun> = {}): Promise<RunRef> {
      const result = await startRun(deps, {
        account,
        source: "api",
        request: { scraper_id: scraper.id },
        ...request,
      });
      if (result.outcome !== "started") throw new Error(result.outcome);
      return { account, id: result.run.id };
    },
    execute: (ref: RunRef, other: Partial<ExecuteRunDeps> = {}) =>
      executeRun({ ...deps, ...other }, ref, clock.time + 600_000),
    deliver: (ref: RunRef) => deliverWebhook(deps, ref),
    advance: (ref: RunRef) => advanceBatch(deps, ref),
    sweep: () => sweep(deps),
    /** Lets minutes go by: the queues are worked off and a sweep runs in each. */
    async pass(minutes: number, other: Partial<ExecuteRunDeps> = {}) {
      for (let minute = 0; minute < minutes; minute += 1) {
        for (const { ref } of runs.splice(0))
          await executeRun({ ...deps, ...other }, ref, clock.time + 600_000);
        for (const ref of batches.splice(0)) await advanceBatch(deps, ref);
        for (const ref of webhooks.splice(0)) await deliverWebhook(deps, ref);
        clock.time += 60_000;
        await sweep(deps);
      }
    },
    read: async (ref: RunRef): Promise<StoredRun> => {
      const run = await getRun(table, ref);
      if (run === undefined) throw new Error("no run");
      return run;
    },
  };
}
