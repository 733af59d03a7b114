import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "../../../functions/contract/run.ts";
import type { StoredRun } from "../../../functions/runs/run.ts";
import { runJson } from "../../../functions/runs/run-json.ts";
import { MAX_CLAIMS } from "../../../functions/runs/run-limits.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import { creditsUsed, monthOf } from "../../../functions/store/credits.ts";
import { allDue } from "../../../functions/store/runs/due.ts";
import { listRuns } from "../../../functions/store/runs/runs.ts";
import { webhookSecrets } from "../../../functions/store/webhooks.ts";
import { newWebhookSecret } from "../../../functions/webhooks/signature.ts";
import { withService } from "../../../local/connect.ts";
import { putScraper } from "../../put-scraper.ts";
import { pick, type Random, seeded } from "./random.ts";
import { type Received, startReceiver } from "./receiver.ts";
import { allRows, scraperOf, startSite } from "./site.ts";
import { descendants, identityOf, stillThere, Victim } from "./victims.ts";

export const ACCOUNT = "default";

/** What is killed, how often, and when. */
export interface Kills {
  /** Kills for each run. */
  perRun: number;
  /** What each kill may hit; one of them is chosen. */
  victims: readonly ("browser" | "executor" | "service")[];
  /** The time before a kill, in ms. `chance`: a number from 0 to 1. */
  pauseMs: (chance: number) => number;
  /** Whether an executor runs beside the service, in a process of its own. */
  hasExecutor: boolean;
}

export const KILLS = {
  /** As on AWS, where each part may die alone. */
  parts: {
    perRun: 1 / 4,
    victims: ["browser", "browser", "executor", "service"],
    pauseMs: (chance) => 300 + chance * 2_000,
    hasExecutor: true,
  },
  /** The whole local service, before most runs have got any rows. */
  service: { perRun: 1 / 2, victims: ["service"], pauseMs: () => 5_000, hasExecutor: false },
} as const satisfies Record<string, Kills>;

/** How many runs may be given up. The end of the whole service never counts against a run. */
export const mostGivenUp = ({ hasExecutor }: Kills, runs: number) =>
  hasExecutor ? Math.max(5, Math.floor(runs / 20)) : 0;

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
  seed: number;
  /** Time after the last kill in which everything has to come to rest. */
  settleMs: number;
  /** Told of everything that went other than planned. */
  report: (line: string) => void;
  /** Told how far it is. */
  progress?: (line: string) => void;
}

/** What goes on while parts are killed. */
export interface Work<Plan, Counts> {
  /** Stores what is to be done. The service runs already. */
  begin(places: { data: string; siteUrl: string; receiverUrl: string; random: Random }): Promise<Plan>;
  /** How much is not finished. */
  unfinished(data: string): Promise<number>;
  count(data: string, plan: Plan, received: Map<string, Received>): Promise<Counts>;
}

/** The whole service, whose parts are killed while it works. */
export interface UnderFire {
  kills: Kills;
  /** How many kills. */
  count: number;
  seed: number;
  settleMs: number;
  report: (line: string) => void;
  progress?: ((line: string) => void) | undefined;
}

/** Runs many scrapes while everything that can die is killed, and counts what that did. */
export async function runChaos({ runs, kills, report, ...options }: ChaosOptions): Promise<Summary> {
  const count = Math.ceil(runs * kills.perRun);
  return underFire({ ...options, report, kills, count }, scrapes(runs, count, report));
}

/** Kills parts of the service while it works, waits for it to come to rest, and counts. */
export async function underFire<Plan, Counts extends object>(
  { kills: plan, count, seed, settleMs, report, progress }: UnderFire,
  work: Work<Plan, Counts>,
): Promise<Counts & { processes_left: number }> {
  const random = seeded(seed);
  const data = await mkdtemp(join(tmpdir(), "gleaner-chaos-"));
  const logFile = join(data, "processes.log");
  let secrets: string[] = [];
  const site = await startSite();
  const receiver = await startReceiver(seed, () => secrets);
  const args = (start: number) => [
    data,
    String(seed * 1000 + start),
    // The share of the runs that the service executes itself.
    plan.hasExecutor ? "0.5" : "1",
    new URL(site.url).host,
    new URL(receiver.url).host,
  ];
  const service = new Victim("./service-process.ts", args, logFile);
  const executor = new Victim("./executor-process.ts", (start) => args(start + 500), logFile);
  // A process that was never started has the number 0, which is also the parent of all processes.
  const ours = () => descendants([service.pid, executor.pid].filter((pid) => pid !== 0));
  const seen = new Set<string>();
  const note = async () => {
    for (const process of await ours()) seen.add(identityOf(process));
  };
  try {
    await service.start();
    if (plan.hasExecutor) await executor.start();
    secrets = await withService({ data }, (table) => webhookSecrets(table, ACCOUNT, newWebhookSecret));

    const planned = await work.begin({ data, siteUrl: site.url, receiverUrl: receiver.url, random });

    for (let kill = 1; kill <= count; kill += 1) {
      await sleep(plan.pauseMs(random()));
      await note();
      await killOne(pick(random, plan.victims));
      progress?.(`${kill} of ${count} kills`);
    }

    const unfinished = async () => {
      await note();
      return work.unfinished(data);
    };
    const end = Date.now() + settleMs;
    for (let left = await unfinished(); left > 0 && Date.now() < end; left = await unfinished()) {
      progress?.(`${left} to finish`);
      await sleep(1_000);
    }

    const summary = await work.count(data, planned, receiver.byRun);
    await executor.end("SIGTERM");
    await service.end("SIGTERM");
    // A process that has ended is gone a moment later.
    let left = await stillThere(seen);
    for (let waited = 0; left.length > 0 && waited < 60; waited += 1) {
      await sleep(500);
      left = await stillThere(seen);
    }
    for (const identity of left) report(`still there: ${identity}`);
    return { ...summary, processes_left: left.length };
  } finally {
    await executor.end("SIGKILL");
    await service.end("SIGKILL");
    site.close();
    receiver.close();
    await rm(data, { recursive: true });
  }

  async function killOne(what: "browser" | "executor" | "service"): Promise<void> {
    if (what === "browser") {
      const browsers = (await ours()).filter(({ command }) => /chrom/.test(command));
      if (browsers.length > 0) {
        try {
          process.kill(pick(random, browsers).pid, "SIGKILL");
        } catch {
          // It was faster.
        }
        return;
      }
    }
    if (what === "service") {
      await service.end("SIGKILL");
      await service.start();
    }
    if (!plan.hasExecutor) return;
    await executor.end("SIGKILL");
    await executor.start();
  }
}

/** Runs of lists, one scraper for each. */
const scrapes = (
  runs: number,
  kills: number,
  report: (line: string) => void,
): Work<{ list: number; pages: number; id: string }[], Omit<Summary, "processes_left">> => ({
  begin: ({ data, siteUrl, receiverUrl, random }) =>
    withService({ data }, async (table) => {
      const made = [];
      const quiet = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
      for (let list = 0; list < runs; list += 1) {
        const pages = 2 + Math.floor(random() * 3);
        const definition = { ...scraperOf(siteUrl, list, pages), webhook_url: receiverUrl };
        const scraper = await putScraper(table, ACCOUNT, definition, new Date());
        // As if the process had died before it sent the message: the sweeper has to find every one.
        const lost = { account: ACCOUNT, source: "api", request: { scraper_id: scraper.id } } as const;
        const started = await startRun(
          { table, queues: quiet, now: () => new Date(Date.now() - 55_000), log: { info() {}, error() {} } },
          lost,
        );
        if (started.outcome !== "started") throw new Error(started.outcome);
        made.push({ list, pages, id: started.run.id });
      }
      return made;
    }),
  unfinished: async (data) =>
    (await readRuns(data, runs)).filter((run) => run.status === "running" || run.undelivered).length,
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
  plans: readonly { list: number; pages: number; id: string }[],
  received: Map<string, Received>,
  kills: number,
  report: (line: string) => void,
): Promise<Omit<Summary, "processes_left">> {
  const stored = new Map((await readRuns(data, plans.length)).map((run) => [run.id, run]));
  const summary = {
    runs: plans.length,
    kills,
    stuck: 0,
    given_up: 0,
    failed: 0,
    rows_missing: 0,
    rows_doubled: 0,
    credits_wrong: 0,
    webhooks_missing: 0,
    webhooks_unverified: 0,
    webhook_ids_changed: 0,
    leases_left: 0,
  };
  let credits = 0;
  for (const { list, pages, id } of plans) {
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
    const expected = allRows(list, pages).map((row) => JSON.stringify(row));
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
