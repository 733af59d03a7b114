import type { HookEventType } from "../../../functions/contract/hooks/hook.ts";
import type { StoredHook } from "../../../functions/hooks/hook.ts";
import type { RunRef, StoredRun } from "../../../functions/runs/run.ts";
import { newRun } from "../../../functions/runs/start-run.ts";
import { createAccount, takeNumber } from "../../../functions/store/accounts.ts";
import { listAlerts } from "../../../functions/store/hooks/alerts.ts";
import { createHook } from "../../../functions/store/hooks/hooks.ts";
import { newId } from "../../../functions/store/runs/numbering.ts";
import { claimRun, finishRun } from "../../../functions/store/runs/run-state.ts";
import { createRun, getRun } from "../../../functions/store/runs/runs.ts";
import { takeScraperRunNumber } from "../../../functions/store/runs/scraper-runs.ts";
import type { StoredScraper } from "../../../functions/store/scrapers.ts";
import type { Table } from "../../../functions/store/table.ts";
import { reportEnd } from "../../../functions/workers/report-end.ts";
import { definition, storeScraper } from "../store/samples.ts";

const CHANGES: NonNullable<StoredRun["changes"]> = {
  baseline: "earlier",
  new: 0,
  changed: 0,
  removed: 0,
  same: 3,
  mostly_changed: [],
  final: true,
  message: null,
  stored: { prefix: "", pieces: 0 },
};
const SECOND = 1_000;
const log = { info() {}, error() {} };

export interface RunOptions {
  /** The code with which the run fails; absent: it is successful. */
  error?: string;
  warnings?: string[];
  credits?: number;
  changes?: Partial<StoredRun["changes"]>;
  scraper?: StoredScraper;
  steps?: StoredScraper["steps"];
  /** Whether its request asks for new rows only. */
  only_new?: boolean;
}

/** An account with a scraper, whose runs end as the test says, and whose hooks keep what they are told. */
export async function startAccount(table: Table, account: string, creditLimit: number | null = null) {
  let time = Date.parse("2026-11-21T00:00:00.000Z");
  const now = () => new Date(time);
  await createAccount(table, { name: account, credit_limit: creditLimit, rate_limit: null, created_at: "" });
  const scraper = await storeScraper(table, account, definition, now());
  const sent: RunRef[] = [];
  const queues = {
    sendRun: async () => {},
    sendBatch: async () => {},
    sendWebhook: async (ref: RunRef) => void sent.push(ref),
  };
  const deps = { table, queues, now, log };

  /** A run that has ended, and of which no hook was told. */
  async function endRun(options: RunOptions = {}): Promise<StoredRun> {
    const { error, warnings = [], credits = 0, changes, scraper: of = scraper, steps = of.steps } = options;
    time += 60 * SECOND;
    const id = newId(await takeNumber(table, account, "run"), now());
    const scraper_number = await takeScraperRunNumber(table, account, of.id, id);
    const request = { scraper_id: of.id, only_new: options.only_new };
    const prepared = { id, account, source: "api" as const, request, scraper: of, steps, created: now() };
    await createRun(table, newRun({ ...prepared, scraper_number }), now());
    const claimed = await claimRun(table, { account, id }, now(), SECOND);
    if (claimed === undefined) throw new Error("not claimed");
    time += SECOND;
    const progress = {
      row_count: 3,
      row_bytes: 0,
      segments: [],
      credits_used: credits,
      warnings: warnings.map((code) => ({ code, message: "Check it.", step: null })),
      elapsed_ms: 1,
      ...(changes && { changes: { ...CHANGES, ...changes } }),
    };
    const ending = {
      status: error === undefined ? ("successful" as const) : ("failed" as const),
      error: error === undefined ? null : { code: error, message: "No element matches.", step: 1 },
      finished_at: now().toISOString(),
    };
    await finishRun(table, claimed, progress, ending, now(), { unreported: true });
    return (await getRun(table, claimed)) as StoredRun;
  }
  const report = (run: RunRef, on: Table = table) => reportEnd({ ...deps, table: on }, () => getRun(on, run));
  return {
    account,
    scraper,
    sent,
    deps,
    now,
    endRun,
    report,
    wait(ms: number) {
      time += ms;
    },
    /** A run ends, and hooks are told. */
    async end(options: RunOptions = {}): Promise<StoredRun> {
      const run = await endRun(options);
      await report(run);
      return run;
    },
    async hook(events: HookEventType[], scraper_id: string | null = null): Promise<StoredHook> {
      const url = `https://example.org/${events.join("-")}-${scraper_id}`;
      const result = await createHook(table, account, { url, format: "standard", events, scraper_id }, now());
      if (result.outcome !== "created") throw new Error(result.outcome);
      return result.hook;
    },
    /** What a hook was told, oldest first. */
    told: async (hook: StoredHook) =>
      (await listAlerts(table, account, hook.id, now())).map(({ event }) => event).reverse(),
  };
}
