import type { StoredBatch } from "../batches/batch.ts";
import { batchJson } from "../batches/batch-json.ts";
import type { AlertFacts, HookEventType } from "../contract/hooks/hook.ts";
import { whyNotBatch, whyNotRun } from "../deliveries/why-not.ts";
import { tellsHealth, turnOf } from "../hooks/health.ts";
import type { StoredHook } from "../hooks/hook.ts";
import { noFacts } from "../hooks/no-facts.ts";
import type { Log } from "../log.ts";
import { type Queues, sendOrLog } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import type { StoredRun } from "../runs/run.ts";
import { getAccount } from "../store/accounts.ts";
import { creditsUsed, monthOf } from "../store/credits.ts";
import { newDelivery } from "../store/deliveries.ts";
import { newAlert } from "../store/hooks/alerts.ts";
import { listHooks } from "../store/hooks/hooks.ts";
import { type Report, readHealth, readLowCredits, storeReport } from "../store/hooks/reports.ts";
import { getScraper, type StoredScraper } from "../store/scrapers.ts";
import type { Table } from "../store/table.ts";

export interface ReportEndDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
  log: Log;
  timing?: RunTiming;
}

/** A run or a batch that has finished. */
type Ended = StoredRun | StoredBatch;

/** An event that an end means. */
interface Event {
  type: HookEventType;
  facts: AlertFacts;
}

/** With less than this share of the month's credits left, they are low. */
const LOW_SHARE = 0.2;
/** How often a report is made anew because another end has changed what it is based on. */
const TRIES = 10;

const isBatch = (ended: Ended): ended is StoredBatch => "flying" in ended;

/**
 * Tells the hooks of the account what the end of a run or a batch means, and begins the deliveries of its rows. All alerts and
 * deliveries are stored in one transaction, with the health of the scraper and the mark that the end is reported. So an end is reported once, also if its message comes twice,
 * if other runs of the scraper end at the same time, or if this process dies. `read`: reads the run or batch.
 */
export async function reportEnd(deps: ReportEndDeps, read: () => Promise<Ended | undefined>): Promise<void> {
  const { table, queues, log } = deps;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ended = await read();
    if (!ended?.unreported) return;
    const report = await makeReport(deps, ended);
    if (!(await storeReport(table, ended, report))) continue;
    for (const { account, id } of [...report.alerts, ...report.deliveries])
      await sendOrLog(log, { account, id }, queues.sendWebhook({ account, id }));
    return;
  }
  throw new Error("Other ends kept changing what the report of this one is based on.");
}

async function makeReport({ table, now, timing = RUN_TIMING }: ReportEndDeps, ended: Ended): Promise<Report> {
  const { account } = ended;
  const scraper = await getScraper(table, account, ended.scraper_id);
  const time = now();
  const due = new Date(time.getTime() + timing.overdueMs);
  const deliveries = deliveriesOf(ended, scraper, { now: time, due });
  const hooks = await listHooks(table, account);
  if (hooks.length === 0) return { alerts: [], deliveries };
  const base = noFacts({ id: ended.scraper_id, name: scraper?.name ?? null });
  const ofRun = isBatch(ended)
    ? { events: [batchFinished(ended, base)] }
    : await runEnd(table, ended, scraper, base);
  const credits = await lowCredits(table, account, new Date(ended.created_at));
  const events = [...ofRun.events, ...(credits === undefined ? [] : [credits.event])];
  const alerts = events.flatMap(({ type, facts }) =>
    hooks
      .filter((hook) => wants(hook, type, ended.scraper_id))
      .map((hook) => newAlert(account, hook, { event: type, facts, now: time, due })),
  );
  return {
    alerts,
    deliveries,
    ...("health" in ofRun && ofRun.health && { health: ofRun.health }),
    ...(credits && { credits: credits.change }),
  };
}

/** The deliveries of what has ended: to the destinations that its scraper has now. A run of a batch has none. */
function deliveriesOf(
  ended: Ended,
  scraper: StoredScraper | undefined,
  times: { now: Date; due: Date },
): Report["deliveries"] {
  if (scraper === undefined || (!isBatch(ended) && ended.batch_id !== undefined)) return [];
  return (scraper.deliveries ?? []).map((settings, index) => {
    const whyNot = isBatch(ended) ? whyNotBatch(ended, settings) : whyNotRun(ended, scraper, settings);
    return newDelivery({ of: ended, settings, index, whyNot, ...times });
  });
}

const wants = ({ disabled, events, scraper_id }: StoredHook, type: HookEventType, scraperId: string) =>
  disabled === null && events.includes(type) && (scraper_id === null || scraper_id === scraperId);

const batchFinished = (batch: StoredBatch, base: AlertFacts): Event => {
  const { id, total, successful, warned, failed, row_count, finished_at } = batchJson(batch);
  return {
    type: "batch.finished",
    facts: {
      ...base,
      batch: { id, total, successful, warned, failed, row_count, finished_at: finished_at ?? "" },
    },
  };
};

/** The events of a run, and the health of its scraper after it. A run of a batch is only a part of that. */
async function runEnd(
  table: Table,
  run: StoredRun,
  scraper: StoredScraper | undefined,
  base: AlertFacts,
): Promise<{ events: Event[]; health?: Report["health"] }> {
  if (run.batch_id !== undefined) return { events: [] };
  const { id, status, row_count, error, created_at, finished_at, account, scraper_id } = run;
  const facts: AlertFacts = {
    ...base,
    run: {
      ...{ id, status, row_count, error, warnings: run.warnings, created_at },
      changes: changesOf(run),
      finished_at: finished_at ?? "",
    },
  };
  const isChanged = Object.values(facts.run?.changes ?? {}).some((count) => count > 0);
  const finished: Event[] = [
    ...(isChanged ? [{ type: "run.changed" as const, facts }] : []),
    { type: "run.finished", facts },
  ];
  if (scraper === undefined || !tellsHealth(run, scraper)) return { events: finished };
  const before = await readHealth(table, account, scraper_id);
  const turn = turnOf(before, run);
  if (turn === undefined) return { events: finished };
  const health = { scraperId: scraper_id, before, after: turn.health };
  if (turn.event === undefined) return { events: finished, health };
  const since = turn.event === "scraper.failing" ? turn.health.since : (before?.since ?? null);
  const last_good_at = before?.last_good_at ?? null;
  return {
    events: [{ type: turn.event, facts: { ...facts, since, last_good_at } }, ...finished],
    health,
  };
}

/**
 * The changes that are reported once. Those of a run that is not good are reported again by the next good one. A run that
 * leaves out known rows has no baseline, but new rows; to the first run of a scraper, all are new.
 */
function changesOf(run: StoredRun): NonNullable<AlertFacts["run"]>["changes"] {
  const { changes } = run;
  const isCompared = changes?.baseline !== null || (run.only_new === true && run.scraper_number !== 1);
  if (changes === undefined || !changes.final || !isCompared) return null;
  return { new: changes.new, changed: changes.changed, removed: changes.removed };
}

/** Whether the account has to be told that its credits of a month are low: once for each month and limit. */
async function lowCredits(
  table: Table,
  account: string,
  created: Date,
): Promise<{ event: Event; change: NonNullable<Report["credits"]> } | undefined> {
  const limit = (await getAccount(table, account))?.credit_limit ?? null;
  if (limit === null) return undefined;
  const month = monthOf(created);
  const used = await creditsUsed(table, account, month);
  if (limit - used >= limit * LOW_SHARE) return undefined;
  const before = await readLowCredits(table, account);
  if (before !== undefined && before.month >= month && before.limit === limit) return undefined;
  return {
    event: { type: "credits.low", facts: { ...noFacts(null), credits: { used, limit } } },
    change: { before, after: { month, limit } },
  };
}
