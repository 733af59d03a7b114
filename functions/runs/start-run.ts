import { createHash } from "node:crypto";
import type { CreateRunRequest, RunSource } from "../contract/run.ts";
import { browsingOf } from "../contract/scraper.ts";
import type { Meter } from "../meter.ts";
import type { Queues } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import { returnAccountRunNumber, takeRunNumber } from "../store/accounts.ts";
import { monthOf } from "../store/credits.ts";
import { findRecord, putRecord } from "../store/idempotency.ts";
import { newId, numberOf } from "../store/numbering.ts";
import { createRun, getRun } from "../store/runs.ts";
import {
  getScraper,
  returnScraperRunNumber,
  type StoredScraper,
  takeScraperRunNumber,
} from "../store/scrapers.ts";
import type { Table } from "../store/table.ts";
import { overrideSteps } from "./overrides.ts";
import type { NewRun, StoredRun } from "./run.ts";

export interface StartRunDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
  timing?: RunTiming;
  meter?: Meter;
}

export interface StartRun {
  account: string;
  source: RunSource;
  request: CreateRunRequest;
  /** The same key with the same request returns the same run for 24 hours. Each source has its own keys. */
  idempotencyKey?: string | undefined;
}

export type StartRunResult<R = NewRun | StoredRun> =
  | { outcome: "started"; run: R }
  /** The account has no such scraper. */
  | { outcome: "unknown_scraper" }
  /** The account's credits of this month are used up. */
  | { outcome: "no_credits" }
  /** The idempotency key was used for another request. */
  | { outcome: "key_reused" };

/**
 * Creates a run and queues it. If the process dies between the writes, the run either does not exist or will be executed:
 * it is due from its first write on, and the sweeper queues unclaimed runs.
 * @throws ValidationError if the step overrides don't match the scraper
 */
export async function startRun(deps: StartRunDeps, input: StartRun): Promise<StartRunResult> {
  const key = recordKey(input);
  if (key !== undefined) {
    const again = await repeatRun(deps, input, key);
    if (again !== undefined) return again;
  }
  const prepared = await prepareRun(deps, input);
  if (prepared.outcome !== "started") return prepared;
  const { run } = prepared;
  if (key !== undefined) {
    const record = { fingerprint: fingerprint(input), run };
    if (!(await putRecord(deps.table, input.account, key, record, deps.now()))) {
      await returnNumbers(deps, run, key);
      return (await repeatRun(deps, input, key)) ?? startRun(deps, input);
    }
  }
  await storeAndQueue(deps, run);
  deps.meter?.runStarted(run.source);
  return { outcome: "started", run };
}

/** Whether an earlier call of `startRun` with this idempotency key has started a run. */
export async function wasStarted({ table, now }: StartRunDeps, input: StartRun): Promise<boolean> {
  const key = recordKey(input);
  return key !== undefined && (await findRecord(table, input.account, key, now())) !== undefined;
}

/** The source is a prefix, so that no client can choose a key of the scheduler. No source has a space in its name. */
const recordKey = ({ source, idempotencyKey }: StartRun) =>
  idempotencyKey === undefined ? undefined : `${source} ${idempotencyKey}`;

/** The run of an earlier request with this key, created now if that request died half-way. Undefined: there was none. */
async function repeatRun(
  deps: StartRunDeps,
  input: StartRun,
  key: string,
): Promise<StartRunResult | undefined> {
  const record = await findRecord(deps.table, input.account, key, deps.now());
  if (record === undefined) return undefined;
  if (record.fingerprint !== fingerprint(input)) return { outcome: "key_reused" };
  const stored = await getRun(deps.table, record.run);
  if (stored !== undefined) return { outcome: "started", run: stored };
  await storeAndQueue(deps, record.run);
  return { outcome: "started", run: record.run };
}

async function storeAndQueue(
  { table, queues, now, timing = RUN_TIMING }: StartRunDeps,
  run: NewRun,
): Promise<void> {
  await createRun(table, run, new Date(now().getTime() + timing.overdueMs));
  await queues.sendRun(run);
}

/** Checks the request against the scraper and takes the run's numbers, but stores nothing of the run. */
async function prepareRun(
  { table, now }: StartRunDeps,
  { account, source, request }: StartRun,
): Promise<StartRunResult<NewRun>> {
  const overrides = request.steps ?? [];
  if (overrides.length > 0) {
    // Checked before a number is taken, so that invalid requests leave no gaps in the lists.
    const scraper = await getScraper(table, account, request.scraper_id);
    if (scraper === undefined) return { outcome: "unknown_scraper" };
    overrideSteps(scraper.steps, overrides);
  }
  const taken = await takeScraperRunNumber(table, account, request.scraper_id);
  if (taken === undefined) return { outcome: "unknown_scraper" };
  const created = now();
  const number = await takeRunNumber(table, account, monthOf(created));
  if (number === undefined) {
    await returnScraperRunNumber(table, account, request.scraper_id, taken.number);
    return { outcome: "no_credits" };
  }
  const run = newRun(taken.scraper, { account, source, request, number, created });
  return { outcome: "started", run: { ...run, scraper_number: taken.number } };
}

function newRun(
  scraper: StoredScraper,
  {
    account,
    source,
    request,
    number,
    created,
  }: Omit<StartRun, "idempotencyKey"> & { number: number; created: Date },
): Omit<NewRun, "scraper_number"> {
  return {
    id: newId(number, created),
    account,
    scraper_id: scraper.id,
    source,
    status: "running",
    credits_used: 0,
    steps: overrideSteps(scraper.steps, request.steps ?? []).map(({ id: _, ...step }) => step),
    rows_limit: request.rows_limit ?? scraper.rows_limit,
    webhook_url: request.webhook_url ?? scraper.webhook_url,
    created_at: created.toISOString(),
    finished_at: null,
    error: null,
    warnings: [],
    pagination: scraper.pagination,
    proxy: scraper.proxy,
    ...browsingOf(scraper),
  };
}

/** Returns the numbers if a concurrent request with the same key has created its run first. */
async function returnNumbers({ table, now }: StartRunDeps, run: NewRun, key: string): Promise<void> {
  // A write that returned an error may have succeeded: then the record is the one of this run.
  const record = await findRecord(table, run.account, key, now());
  if (record?.run.id === run.id) return;
  await returnAccountRunNumber(table, run.account, numberOf(run.id) ?? 0);
  await returnScraperRunNumber(table, run.account, run.scraper_id, run.scraper_number);
}

const fingerprint = ({ source, request }: StartRun) =>
  createHash("sha256")
    .update(JSON.stringify([source, request]))
    .digest("hex");
