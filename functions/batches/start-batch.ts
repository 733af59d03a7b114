import { createHash, randomUUID } from "node:crypto";
import type { BatchSettings, InputSource } from "../contract/batches/batch.ts";
import type { RunSource } from "../contract/runs/run-status.ts";
import { ValidationError } from "../contract/validate.ts";
import type { FetchFile } from "../egress/requests/fetch-file.ts";
import { type Queues, sendOrLog } from "../queues.ts";
import { RUN_TIMING } from "../run-timing.ts";
import { overrideSteps } from "../runs/overrides.ts";
import { expiryOf, isOutOfCredits, type StartRunDeps } from "../runs/start-run.ts";
import { takeNumber, takeNumbers } from "../store/accounts.ts";
import { beginBatch, openBatch, putHead, readBatch } from "../store/batches/batches.ts";
import { putInputs } from "../store/batches/inputs.ts";
import { findRecord, putRecord } from "../store/idempotency.ts";
import { FIRST_BATCH, FIRST_OF_BATCHES, newId } from "../store/runs/numbering.ts";
import { noteBatchOf } from "../store/runs/scraper-runs.ts";
import { getScraper } from "../store/scrapers.ts";
import { type BatchHead, STORING_MS, type StoredBatch } from "./batch.ts";
import { columnsOfInputs, inputProblems } from "./check-inputs.ts";
import { ownInputs } from "./own-inputs.ts";
import type { ParsedInputs } from "./parsed-inputs.ts";
import { resolveSource } from "./sources/resolve-source.ts";

export interface StartBatchDeps extends StartRunDeps {
  queues: Queues;
  /** Gets a file by the egress rules, for inputs that come from an address. */
  fetchFile: FetchFile;
}

export interface StartBatch {
  account: string;
  source: RunSource;
  settings: BatchSettings;
  /** The inputs, or where they come from; undefined for those of the scraper. */
  inputs: ParsedInputs | InputSource | undefined;
  /** For 24 hours, the same key with the same request returns the same batch. */
  idempotencyKey?: string | undefined;
}

export type StartBatchResult =
  | { outcome: "started"; batch: StoredBatch }
  /** The account has no such scraper. */
  | { outcome: "unknown_scraper" }
  /** The account's credits of this month are used up. */
  | { outcome: "no_credits" }
  /** The idempotency key was used for another request. */
  | { outcome: "key_reused" }
  /** The batch that the idempotency key has created was deleted. */
  | { outcome: "deleted" }
  /** Another request with the same idempotency key is storing the batch. */
  | { outcome: "in_progress" };

/** The batch that an idempotency key has created. */
interface BatchRecord {
  batch_id: string;
}

/**
 * Stores a batch and queues it. If the process dies between the writes, the batch begins, or the sweep removes what is
 * stored of it.
 * @throws ValidationError with the problems of the inputs
 */
export async function startBatch(deps: StartBatchDeps, input: StartBatch): Promise<StartBatchResult> {
  const { table, now } = deps;
  const { account, idempotencyKey } = input;
  if (idempotencyKey === undefined) return storeBatch(deps, input, await newBatchId(deps, account));
  // Not a key of a run or a scraper: names of sources are not this word. Each source has its own keys.
  const key = `batches ${input.source} ${idempotencyKey}`;
  const record = await findRecord<BatchRecord>(table, account, key, now());
  if (record !== undefined) {
    if (record.fingerprint !== fingerprint(input)) return { outcome: "key_reused" };
    return (await storedAs(deps, account, record.batch_id)) ?? storeBatch(deps, input, record.batch_id);
  }
  const batch_id = await newBatchId(deps, account);
  return storeBatch(deps, input, batch_id, () =>
    putRecord(table, account, key, { fingerprint: fingerprint(input), batch_id }, now()),
  );
}

const newBatchId = async ({ table, now }: StartBatchDeps, account: string): Promise<string> =>
  newId(FIRST_BATCH + (await takeNumber(table, account, "batch")), now());

/** The batch with this id, if it was completed; undefined if it was not. */
async function storedAs(
  { table }: StartBatchDeps,
  account: string,
  id: string,
): Promise<StartBatchResult | undefined> {
  const batch = await readBatch(table, { account, id });
  if (batch === undefined || batch.status === "storing") return undefined;
  const isThere = batch.status === "running" || batch.status === "finished";
  return isThere ? { outcome: "started", batch } : { outcome: "deleted" };
}

type Prepared =
  | ({ outcome: "prepared"; inputs: ParsedInputs["inputs"] } & Required<BatchHead>)
  | Extract<StartBatchResult, { outcome: "unknown_scraper" | "no_credits" }>;

const NO_INPUTS = {
  path: "inputs",
  message: "is required, or inputs_from: the scraper has no inputs of its own",
};

/** @throws ValidationError */
async function prepare(
  deps: StartBatchDeps,
  { account, settings, inputs: given }: StartBatch,
): Promise<Prepared> {
  const { table, now } = deps;
  const stored = await getScraper(table, account, settings.scraper_id);
  if (stored === undefined) return { outcome: "unknown_scraper" };
  const { schedule: _, ...scraper } = stored;
  if (await isOutOfCredits(table, account, now())) return { outcome: "no_credits" };
  const own = settings.steps ?? [];
  const wanted = given ?? ownInputs(scraper);
  if (wanted === undefined) throw new ValidationError([NO_INPUTS]);
  const parsed = "placeOf" in wanted ? wanted : await resolveSource(deps, account, wanted);
  const { inputs, placeOf, overrides: before = [] } = parsed;
  const overrides = [...before.filter(({ id }) => !own.some((one) => one.id === id)), ...own];
  const steps = overrideSteps(scraper, overrides);
  const columns = columnsOfInputs(inputs);
  const problems = inputProblems({ ...scraper, steps }, inputs, columns, placeOf);
  if (problems.length > 0) throw new ValidationError(problems);
  return { outcome: "prepared", scraper: { ...scraper, steps }, overrides, inputs, columns };
}

/** Whether other inputs than those of a batch are the ones that its scraper has, or that another batch had. */
const isPart = ({ inputs }: StartBatch, scraper: Parameters<typeof ownInputs>[0]): boolean =>
  inputs !== undefined && (ownInputs(scraper) !== undefined || "failed_of" in inputs);

/** `reserve`: reserves the id for this request. False if another one was faster. */
async function storeBatch(
  deps: StartBatchDeps,
  input: StartBatch,
  id: string,
  reserve = async () => true,
): Promise<StartBatchResult> {
  const { table, queues, log, now, runDays, timing = RUN_TIMING } = deps;
  const { account, source, settings } = input;
  const prepared = await prepare(deps, input);
  if (prepared.outcome !== "prepared") return prepared;
  if (!(await reserve())) return startBatch(deps, input);
  const { scraper, overrides, columns, inputs } = prepared;
  const created = now();
  const last = await takeNumbers(table, account, "batch_run", inputs.length);
  const is_first = await noteBatchOf(table, account, scraper.id);
  const batch: StoredBatch & { due_at: string } = {
    account,
    id,
    status: "storing",
    scraper_id: scraper.id,
    scraper_version: scraper.version,
    source,
    rows_limit: settings.rows_limit ?? scraper.rows_limit,
    concurrency: settings.concurrency,
    webhook_url: settings.webhook_url ?? scraper.webhook_url,
    ...(scraper.deliveries !== undefined && { delivers: true }),
    ...(isPart(input, scraper) && { is_part: true }),
    ...((settings.rows_limit ?? scraper.rows_limit) !== scraper.rows_limit && { is_limited: true }),
    created_at: created.toISOString(),
    finished_at: null,
    total: inputs.length,
    next: 0,
    flying: [],
    successful: 0,
    failed: 0,
    row_count: 0,
    credits_used: 0,
    first_number: FIRST_OF_BATCHES + last - inputs.length + 1,
    ...(is_first && { is_first }),
    writer: randomUUID(),
    version: 0,
    due_at: new Date(created.getTime() + STORING_MS).toISOString(),
    ...expiryOf(created, runDays?.()),
  };
  if (await beginBatch(table, batch)) {
    // The runs of a batch send no webhooks, and their rows are sent with those of the batch.
    const { deliveries: _, ...plain } = scraper;
    await putHead(table, batch, { scraper: { ...plain, webhook_url: null }, overrides, columns });
    await putInputs(table, batch, inputs);
    await openBatch(table, batch, new Date(now().getTime() + timing.overdueMs));
  }
  // Another request with the same key may have been faster.
  const result = (await storedAs(deps, account, id)) ?? { outcome: "in_progress" };
  if (result.outcome === "started") await sendOrLog(log, batch, queues.sendBatch({ account, id }));
  return result;
}

const fingerprint = ({ source, settings, inputs }: StartBatch): string =>
  createHash("sha256")
    .update(JSON.stringify([source, settings, inputs && "placeOf" in inputs ? inputs.inputs : inputs]))
    .digest("hex");
