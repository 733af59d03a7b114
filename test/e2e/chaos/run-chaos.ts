import type { Run } from "../../../functions/contract/runs/run.ts";
import type { StoredRun } from "../../../functions/runs/run.ts";
import { runJson } from "../../../functions/runs/run-json.ts";
import { MAX_CLAIMS } from "../../../functions/runs/run-limits.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import { creditsUsed, monthOf } from "../../../functions/store/credits.ts";
import { allDue } from "../../../functions/store/runs/due.ts";
import { listRuns } from "../../../functions/store/runs/runs.ts";
import { withService } from "../../../local/connect.ts";
import { putScraper } from "../../put-scraper.ts";
import { judgeChanges, storeRunBefore } from "./changes.ts";
import { ACCOUNT, type Kills, underFire, type Work } from "./chaos.ts";
import type { Received } from "./receiver.ts";
import { allRows, isKeyed, scraperOf } from "./site.ts";

export interface Summary {
  runs: number;
  kills: number;
  /** Runs that did not finish. */
  stuck: number;
  /** Runs that were given up because their executor, or their browser, was killed as often as a run may lose one. */
  given_up: number;
  /** Runs that failed for any other reason, though the site gave none. */
  failed: number;
  rows_missing: number;
  rows_doubled: number;
  credits_wrong: number;
  /** Runs that have no changes, which the next ones will have. */
  uncompared: number;
  /** Runs whose changes are wrong, lost, or would be reported again. */
  changes_wrong: number;
  webhooks_missing: number;
  webhooks_unverified: number;
  webhook_ids_changed: number;
  processes_left: number;
  /** Runs that are still held or due, and so have something left to do. */
  leases_left: number;
}

export interface ChaosOptions {
  runs: number;
  kills: Kills;
  /** How many kills. By default, as many as there are for so many runs. */
  count?: number;
  seed: number;
  /** Time after the last kill in which everything has to come to rest. */
  settleMs: number;
  /** Told of everything that went other than planned. */
  report: (line: string) => void;
  /** Told how far it is. */
  progress?: (line: string) => void;
}

/** Runs many scrapes while everything that can die is killed, and counts what that did. */
export async function runChaos({ runs, kills, report, ...options }: ChaosOptions): Promise<Summary> {
  const { count = Math.ceil(runs * kills.perRun) } = options;
  return underFire({ ...options, report, kills, count }, scrapes(runs, count, report));
}

/** A run, and the one before, if it is compared. */
interface Planned {
  list: number;
  pages: number;
  before: string | undefined;
  id: string;
}

/** Runs of lists, one scraper for each. */
const scrapes = (
  runs: number,
  kills: number,
  report: (line: string) => void,
): Work<Planned[], Omit<Summary, "processes_left">> => ({
  begin: ({ data, siteUrl, receiverUrl, random }) =>
    withService({ data }, async (table) => {
      const made = [];
      const quiet = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
      for (let list = 0; list < runs; list += 1) {
        const pages = 2 + Math.floor(random() * 3);
        const definition = scraperOf(siteUrl, list, pages);
        const scraper = await putScraper(table, ACCOUNT, definition, new Date());
        const ref = { account: ACCOUNT, scraper_id: scraper.id };
        const before = isKeyed(list) ? await storeRunBefore(table, ref, allRows(list, pages)) : undefined;
        // As if the process had died before it sent the message: the sweeper has to find every one.
        const request = { scraper_id: scraper.id, webhook_url: receiverUrl };
        const lost = { account: ACCOUNT, source: "api", request } as const;
        const started = await startRun(
          { table, queues: quiet, now: () => new Date(Date.now() - 55_000), log: { info() {}, error() {} } },
          lost,
        );
        if (started.outcome !== "started") throw new Error(started.outcome);
        made.push({ list, pages, before, id: started.run.id });
      }
      return made;
    }),
  unfinished: async (data) =>
    (await readRuns(data, 2 * runs)).filter((run) => run.status === "running" || run.undelivered).length,
  count: (data, plans, received) => count(data, plans, received, kills, report),
});

async function readRuns(data: string, runs: number): Promise<StoredRun[]> {
  return withService({ data }, async (table) => {
    const all: StoredRun[] = [];
    for (let page = 1; page <= Math.ceil(runs / 50) + 1; page += 1) {
      all.push(...(await listRuns(table, ACCOUNT, { page })).items);
    }
    return all;
  });
}

async function count(
  data: string,
  plans: readonly Planned[],
  received: Map<string, Received>,
  kills: number,
  report: (line: string) => void,
): Promise<Omit<Summary, "processes_left">> {
  const stored = new Map((await readRuns(data, 2 * plans.length)).map((run) => [run.id, run]));
  const summary = {
    runs: plans.length,
    kills,
    stuck: 0,
    given_up: 0,
    failed: 0,
    rows_missing: 0,
    rows_doubled: 0,
    credits_wrong: 0,
    uncompared: 0,
    changes_wrong: 0,
    webhooks_missing: 0,
    webhooks_unverified: 0,
    webhook_ids_changed: 0,
    leases_left: 0,
  };
  let credits = 0;
  for (const { list, pages, before, id } of plans) {
    const run = stored.get(id);
    if (run === undefined || run.status === "running") {
      summary.stuck += 1;
      continue;
    }
    credits += run.credits_used;
    const json = await withService({ data }, async (table) =>
      (await Array.fromAsync(runJson(table, run), String)).join(""),
    );
    const rows = ((JSON.parse(json) as Run).result_rows ?? []).map((row) => JSON.stringify(row));
    const all = allRows(list, pages);
    const changes = before && (await withService({ data }, (table) => judgeChanges(table, run, before, all)));
    const isCompared = run.status === "successful" && run.claims < MAX_CLAIMS;
    if (changes === "none" && isCompared) summary.uncompared += 1;
    if (changes === "wrong") {
      report(`the changes are ${JSON.stringify(run.changes)} after ${run.claims} claims, run ${id}`);
      summary.changes_wrong += 1;
    }
    const expected = all.map((row) => JSON.stringify(row));
    if (run.status === "failed") {
      const lostExecutors = run.error?.code === "internal_error" && run.claims >= MAX_CLAIMS;
      const lostBrowsers = run.error?.code === "browser_failed" || run.error?.code === "page_crashed";
      if (lostExecutors || lostBrowsers) summary.given_up += 1;
      else summary.failed += 1;
      report(`failed after ${run.attempt} attempts: ${run.error?.code}: ${run.error?.message}`);
    }
    if (run.status === "successful" && run.credits_used !== pages) summary.credits_wrong += 1;
    // A failed run keeps a beginning of the list; what is neither that nor the whole is wrong.
    const wanted = run.status === "failed" ? expected.slice(0, rows.length) : expected;
    if (rows.join() !== wanted.join()) {
      report(`${rows.length} rows instead of ${wanted.length} after ${run.attempt} attempts, run ${id}`);
      summary.rows_missing += Math.max(1, wanted.length - rows.length);
      summary.rows_doubled += Math.max(0, rows.length - wanted.length);
    }
    const deliveries = received.get(id);
    if (deliveries === undefined) summary.webhooks_missing += 1;
    else {
      if (deliveries.unverified > 0) summary.webhooks_unverified += 1;
      if (deliveries.ids.size !== 1 || !deliveries.ids.has(id)) summary.webhook_ids_changed += 1;
    }
  }
  await withService({ data }, async (table) => {
    for await (const _ of allDue(table, "RUN", new Date(Date.now() + 1e12))) summary.leases_left += 1;
    if ((await creditsUsed(table, ACCOUNT, monthOf(new Date()))) !== credits) summary.credits_wrong += 1;
  });
  return summary;
}
