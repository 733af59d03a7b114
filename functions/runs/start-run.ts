import { createHash } from "node:crypto";
import { watchingProblems } from "../changes/watching-problems.ts";
import type { CreateRunRequest } from "../contract/runs/run.ts";
import type { RunSource } from "../contract/runs/run-status.ts";
import { browsingOf } from "../contract/scrapers/scraper.ts";
import { ValidationError } from "../contract/validate.ts";
import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import { type Queues, queueRun } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import { getAccount, takeNumber } from "../store/accounts.ts";
import { creditsUsed, monthOf } from "../store/credits.ts";
import { findRecord, putRecord } from "../store/idempotency.ts";
import { newId } from "../store/runs/numbering.ts";
import { readStates } from "../store/runs/run-state.ts";
import { createRun, dropNumbers, getRun } from "../store/runs/runs.ts";
import { takeScraperRunNumber } from "../store/runs/scraper-runs.ts";
import { getScraper, type StoredScraper } from "../store/scrapers.ts";
import type { Table } from "../store/table.ts";
import { isDeleted } from "./deleted-run.ts";
import { overrideSteps } from "./overrides.ts";
import type { NewRun, StoredRun } from "./run.ts";

export interface StartRunDeps {
  table: Table;
  queues: Queues;
  now: () => Date;
  timing?: RunTiming;
  log: Log;
  meter?: Meter;
  /** How many days a run is kept; undefined if it is kept for ever. */
  runDays?: () => number | undefined;
}

/** The run that an idempotency key has created. */
interface RunRecord {
  run: NewRun;
}

export interface StartRun {
  account: string;
  source: RunSource;
  request: CreateRunRequest;
  /** For 24 hours, the same key with the same request returns the same run. Each source has its own keys. */
  idempotencyKey?: string | undefined;
}

export type StartRunResult<R = NewRun | StoredRun> =
  | { outcome: "started"; run: R }
  /** The account has no such scraper. */
  | { outcome: "unknown_scraper" }
  /** The account's credits of this month are used up. */
  | { outcome: "no_credits" }
  /** The idempotency key was used for another request. */
  | { outcome: "key_reused" }
  /** The run that the idempotency key has created was deleted. */
  | { outcome: "deleted" };

/**
 * Creates a run and queues it. If the process dies between the writes, the run either does not exist or will be
 * executed, because the sweeper queues stored runs that no executor has claimed.
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
      await dropUnused(deps, run, key);
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

/** The key with its source, so that no client can use a key of the scheduler. Names of sources have no spaces. */
const recordKey = ({ source, idempotencyKey }: StartRun) =>
  idempotencyKey === undefined ? undefined : `${source} ${idempotencyKey}`;

/**
 * The run of an earlier request with this key; undefined if there was none. If that request died before it stored the
 * run, the run is stored now.
 */
async function repeatRun(
  deps: StartRunDeps,
  input: StartRun,
  key: string,
): Promise<StartRunResult | undefined> {
  const record = await findRecord<RunRecord>(deps.table, input.account, key, deps.now());
  if (record === undefined) return undefined;
  if (record.fingerprint !== fingerprint(input)) return { outcome: "key_reused" };
  const stored = await getRun(deps.table, record.run);
  if (stored !== undefined) return { outcome: "started", run: stored };
  const [state] = await readStates(deps.table, [record.run]);
  if (state !== undefined && isDeleted(state)) return { outcome: "deleted" };
  await storeAndQueue(deps, record.run);
  return { outcome: "started", run: record.run };
}

async function storeAndQueue(deps: StartRunDeps, run: NewRun): Promise<void> {
  const { table, queues, log, now, timing = RUN_TIMING } = deps;
  try {
    await createRun(table, run, new Date(now().getTime() + timing.overdueMs));
  } catch (error) {
    // A write that returned an error may have succeeded. The run is executed then, so the client must get its id.
    if ((await getRun(table, run)) === undefined) throw error;
  }
  await queueRun(queues, log, run);
}

/**
 * Makes the run, with new numbers, but does not store it.
 * @throws ValidationError if overrides don't match the scraper
 */
async function prepareRun(
  { table, now, runDays }: StartRunDeps,
  { account, source, request }: StartRun,
): Promise<StartRunResult<NewRun>> {
  const scraper = await getScraper(table, account, request.scraper_id);
  if (scraper === undefined) return { outcome: "unknown_scraper" };
  const steps = overrideSteps(scraper, request.steps ?? []);
  const problems = watchingProblems(steps, { only_new: request.only_new ?? undefined });
  if (problems.length > 0) throw new ValidationError(problems);
  const created = now();
  if (await isOutOfCredits(table, account, created)) return { outcome: "no_credits" };
  const id = newId(await takeNumber(table, account, "run"), created);
  const scraper_number = await takeScraperRunNumber(table, account, request.scraper_id, id);
  return {
    outcome: "started",
    run: {
      ...newRun({ id, account, source, request, scraper, steps, created, scraper_number }),
      ...expiryOf(created, runDays?.()),
    },
  };
}

/** When what is created now is removed, in seconds since the epoch; nothing if it is kept for ever. */
export const expiryOf = (created: Date, days: number | undefined): Pick<NewRun, "expires_at"> =>
  days === undefined ? {} : { expires_at: Math.ceil(created.getTime() / 1000) + days * 24 * 3600 };

/** Whether the account's credits of this month are used up. */
export async function isOutOfCredits(table: Table, account: string, now: Date): Promise<boolean> {
  const limit = (await getAccount(table, account))?.credit_limit ?? null;
  return limit !== null && (await creditsUsed(table, account, monthOf(now))) >= limit;
}

interface PreparedRun extends Omit<StartRun, "idempotencyKey"> {
  id: string;
  scraper: Omit<StoredScraper, "schedule">;
  steps: StoredScraper["steps"];
  created: Date;
  scraper_number?: number;
}

/** The steps of a scraper as its runs have them. */
export const plainSteps = (steps: NewRun["steps"]): NewRun["steps"] =>
  steps.map(({ id: _, ...step }) => step);

/** A run as it is at its creation. */
export const newRun = ({
  id,
  account,
  source,
  request,
  scraper,
  steps,
  created,
  scraper_number,
}: PreparedRun): NewRun => ({
  id,
  account,
  scraper_id: scraper.id,
  source,
  status: "running",
  credits_used: 0,
  steps: plainSteps(steps),
  rows_limit: request.rows_limit ?? scraper.rows_limit,
  webhook_url: request.webhook_url ?? scraper.webhook_url,
  created_at: created.toISOString(),
  finished_at: null,
  error: null,
  warnings: [],
  scraper_version: scraper.version,
  pagination: scraper.pagination,
  proxy: scraper.proxy,
  ...((request.steps ?? []).length > 0 && { is_overridden: true as const }),
  ...(scraper_number !== undefined && { scraper_number }),
  ...(scraper.deliveries !== undefined && { delivers: true as const }),
  ...browsingOf({ ...scraper, only_new: request.only_new ?? scraper.only_new }),
});

/** Gives up the numbers of a run, if a concurrent request with the same key has created its run first. */
async function dropUnused({ table, now }: StartRunDeps, run: NewRun, key: string): Promise<void> {
  // A write that returned an error may have succeeded. The record is then that of this run.
  const record = await findRecord<RunRecord>(table, run.account, key, now());
  if (record?.run.id !== run.id) await dropNumbers(table, run);
}

const fingerprint = ({ source, request }: StartRun) =>
  createHash("sha256")
    .update(JSON.stringify([source, request]))
    .digest("hex");
