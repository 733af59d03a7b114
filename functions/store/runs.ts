import {
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import type { RunError, RunHead, RunStatus, RunWarning } from "../contract/run.ts";
import type { Browsing, Pagination, ProxySettings } from "../contract/scraper.ts";
import type { Checkpoint } from "../runs/checkpoint.ts";
import { getAccount } from "./accounts.ts";
import { type DueItem, dueItems } from "./due.ts";
import { numberKey, numberOf } from "./numbering.ts";
import { type Page, readPage } from "./pages.ts";
import type { StoredRows } from "./rows.ts";
import { countScraperRuns } from "./scrapers.ts";
import { accountPartition, indexes, type Table, unlessConditionFails } from "./table.ts";

/** What identifies a run, and all that a queue message says. */
export interface RunRef {
  account: string;
  id: string;
}

/** A run as it is created: what clients see, and what the scraper said at that time. */
export interface NewRun extends RunHead, Browsing {
  account: string;
  pagination: Pagination;
  proxy: ProxySettings;
  /** Its number among the runs of its scraper. */
  scraper_number: number;
}

/** What is still to be done for a run that has finished; each is taken off when it is done. */
export interface Aftermath {
  /** The credits have to be added to the account's month. */
  unsettled?: true;
  /** The webhook has to be delivered. */
  undelivered?: true;
}

/** A run as stored. */
export interface StoredRun extends NewRun, StoredRows, Aftermath {
  /** How often an executor has claimed this run. The newest claim alone may write. */
  attempt: number;
  /** Claims since an attempt last let the run go of its own accord: all but the last of them died. */
  claims: number;
  /** When the run was first claimed, ISO 8601. */
  started_at?: string;
  /** Until when the newest claim holds, ISO 8601. */
  lease_until?: string;
  /** Where the next attempt goes on; absent: at the first step. */
  place?: Checkpoint;
  /** How often the webhook was tried, and when it may be tried next (ISO 8601). */
  webhook_attempts?: number;
  webhook_next_at?: string;
  /** How its delivery ended. */
  webhook_outcome?: WebhookOutcome;
}

/** What an attempt has got so far. */
export type Progress = StoredRows & {
  place: Checkpoint | undefined;
  credits_used: number;
  /** Absent: the stored ones stay. */
  warnings?: RunWarning[];
};

/** How a run ended. */
export interface Ending {
  status: Exclude<RunStatus, "running">;
  error: RunError | null;
  finished_at: string;
}

const partition = (account: string) => `${accountPartition(account)}#RUNS`;
const scraperPartition = (account: string, scraperId: string) =>
  `${accountPartition(account)}#SCRAPER#${scraperId}`;

/** The one partition of the `due` index: runs that somebody has to look at by a time. */
const DUE = "RUN";

function keyOf({ account, id }: RunRef): { pk: string; sk: string } | undefined {
  const number = numberOf(id);
  return number === undefined ? undefined : { pk: partition(account), sk: numberKey(number) };
}

/**
 * Stores a new run, due for a look at `dueAt`; one that is stored already stays as it is.
 * @throws Error when its number is another run's
 */
export async function createRun(table: Table, run: NewRun, dueAt: Date): Promise<void> {
  const { db, name: TableName } = table;
  const Item = {
    ...keyOf(run),
    ...run,
    scraper_runs: scraperPartition(run.account, run.scraper_id),
    scraper_number: numberKey(run.scraper_number),
    row_count: 0,
    segments: [],
    attempt: 0,
    claims: 0,
    due: DUE,
    due_at: dueAt.toISOString(),
  };
  const put = new PutCommand({ TableName, Item, ConditionExpression: "attribute_not_exists(pk)" });
  if ((await unlessConditionFails(db.send(put))) !== undefined) return;
  if ((await getRun(table, run)) === undefined) throw new Error(`The number of run ${run.id} is taken.`);
}

export async function getRun({ db, name: TableName }: Table, ref: RunRef): Promise<StoredRun | undefined> {
  const Key = keyOf(ref);
  if (Key === undefined) return undefined;
  const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item?.id === ref.id ? (Item as StoredRun) : undefined;
}

/** Page `page` of the account's runs, or of those of one scraper, newest first. */
export async function listRuns(
  table: Table,
  account: string,
  { page, scraperId }: { page: number; scraperId?: string | undefined },
): Promise<Page<StoredRun>> {
  if (scraperId === undefined) {
    const count = (await getAccount(table, account))?.run_count ?? 0;
    const list = { partition: { attribute: "pk", value: partition(account) }, numberAttribute: "sk", count };
    return readPage(table, list, page);
  }
  const list = {
    index: indexes.runsByScraper,
    partition: { attribute: "scraper_runs", value: scraperPartition(account, scraperId) },
    numberAttribute: "scraper_number",
    count: await countScraperRuns(table, account, scraperId),
  };
  return readPage(table, list, page);
}

/** The last run that was created of a scraper. */
export async function newestRunOf(
  { db, name: TableName }: Table,
  account: string,
  scraperId: string,
): Promise<StoredRun | undefined> {
  const { Items = [] } = await db.send(
    new QueryCommand({
      TableName,
      IndexName: indexes.runsByScraper,
      KeyConditionExpression: "scraper_runs = :runs",
      ExpressionAttributeValues: { ":runs": scraperPartition(account, scraperId) },
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  return Items[0] as StoredRun | undefined;
}

/**
 * Takes a running run for a new attempt until `leaseUntil`. Undefined when it has finished, or when another attempt
 * still holds it.
 */
export async function claimRun(
  table: Table,
  ref: RunRef,
  now: Date,
  leaseUntil: Date,
): Promise<StoredRun | undefined> {
  return update(table, ref, {
    UpdateExpression:
      "SET lease_until = :until, due_at = :until, started_at = if_not_exists(started_at, :now) ADD attempt :one, claims :one",
    ConditionExpression:
      "id = :id AND #status = :running AND (attribute_not_exists(lease_until) OR lease_until <= :now)",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ":running": "running",
      ":now": now.toISOString(),
      ":until": leaseUntil.toISOString(),
      ":one": 1,
    },
    ReturnValues: "ALL_NEW",
  });
}

/** Stores what an attempt has got, and holds the run until `leaseUntil`. False when the run is no longer its own. */
export function saveProgress(
  table: Table,
  run: RunRef & { attempt: number },
  progress: Progress,
  leaseUntil: Date,
): Promise<boolean> {
  const until = leaseUntil.toISOString();
  return writeOwned(table, run, { ...progress, lease_until: until, due_at: until });
}

/**
 * Stores what an attempt has got, and lets the run go for another attempt, which has to have begun by `dueAt`. False
 * when it was no longer its own.
 */
export function releaseRun(
  table: Table,
  run: RunRef & { attempt: number },
  progress: Progress,
  now: Date,
  dueAt: Date = now,
): Promise<boolean> {
  const released = { lease_until: now.toISOString(), due_at: dueAt.toISOString() };
  return writeOwned(table, run, { ...progress, claims: 0, ...released });
}

/** Ends a run. It stays due until its aftermath is done. False when it was no longer this attempt's own. */
export function finishRun(
  table: Table,
  run: RunRef & { attempt: number },
  progress: Progress,
  ending: Ending,
  aftermath: Aftermath,
  dueAt: Date,
): Promise<boolean> {
  return writeOwned(table, run, {
    ...progress,
    ...ending,
    ...aftermath,
    place: undefined,
    lease_until: undefined,
    due_at: dueAt.toISOString(),
  });
}

/** The condition that fences every write of an attempt: the run still runs, and nobody has claimed it since. */
async function writeOwned(
  table: Table,
  run: RunRef & { attempt: number },
  values: Record<string, unknown>,
): Promise<boolean> {
  const fields = Object.entries(values).map(([name, value], index) => ({ name, value, index }));
  const set = fields.filter(({ value }) => value !== undefined);
  const removed = fields.filter(({ value }) => value === undefined);
  const result = await update(table, run, {
    UpdateExpression: [
      `SET ${set.map(({ index }) => `#${index} = :${index}`).join(", ")}`,
      removed.length > 0 ? `REMOVE ${removed.map(({ index }) => `#${index}`).join(", ")}` : "",
    ].join(" "),
    ConditionExpression: "id = :id AND #runStatus = :running AND attempt = :attempt",
    ExpressionAttributeNames: {
      "#runStatus": "status",
      ...Object.fromEntries(fields.map(({ name, index }) => [`#${index}`, name])),
    },
    ExpressionAttributeValues: {
      ":running": "running",
      ":attempt": run.attempt,
      ...Object.fromEntries(set.map(({ value, index }) => [`:${index}`, value])),
    },
    ReturnValues: "ALL_NEW",
  });
  return result !== undefined;
}

/** Updates a run under a condition; the run as it is now, or undefined when the condition (or the id) did not hold. */
async function update(
  { db, name: TableName }: Table,
  ref: RunRef,
  input: Omit<UpdateCommandInput, "TableName" | "Key">,
): Promise<StoredRun | undefined> {
  const Key = keyOf(ref);
  if (Key === undefined) return undefined;
  const ExpressionAttributeValues = { ":id": ref.id, ...input.ExpressionAttributeValues };
  const command = new UpdateCommand({ TableName, Key, ...input, ExpressionAttributeValues });
  return (await unlessConditionFails(db.send(command)))?.Attributes as StoredRun | undefined;
}

/** Notes that a run's credits have been added to its account's month. */
export async function markSettled(table: Table, ref: RunRef): Promise<void> {
  const result = await update(table, ref, {
    UpdateExpression: "REMOVE unsettled",
    ConditionExpression: "id = :id",
    ReturnValues: "ALL_NEW",
  });
  if (result !== undefined) await leaveDue(table, result);
}

/** Takes a run that nothing is left to do for off the `due` index. */
export async function leaveDue(table: Table, run: StoredRun): Promise<void> {
  if (run.status === "running" || run.unsettled || run.undelivered) return;
  await update(table, run, {
    UpdateExpression: "REMOVE due, due_at",
    ConditionExpression: "id = :id AND attribute_not_exists(unsettled) AND attribute_not_exists(undelivered)",
  });
}

/** How the delivery of a webhook ended. */
export type WebhookOutcome = "delivered" | "failed";

/** Ends the delivery of a run's webhook. */
export async function endWebhook(table: Table, ref: RunRef, outcome: WebhookOutcome): Promise<void> {
  const run = await update(table, ref, {
    UpdateExpression: "SET webhook_outcome = :outcome REMOVE undelivered, webhook_next_at",
    ConditionExpression: "id = :id AND attribute_exists(undelivered)",
    ExpressionAttributeValues: { ":outcome": outcome },
    ReturnValues: "ALL_NEW",
  });
  if (run !== undefined) await leaveDue(table, run);
}

/** Has a finished run's webhook delivered again, from the first attempt on. False where there is none to deliver. */
export async function resendWebhook(table: Table, ref: RunRef, now: Date): Promise<boolean> {
  const run = await update(table, ref, {
    UpdateExpression:
      "SET undelivered = :true, webhook_attempts = :none, #due = :due, due_at = :now REMOVE webhook_next_at, webhook_outcome",
    ConditionExpression: "id = :id AND #status <> :running AND attribute_type(webhook_url, :string)",
    ExpressionAttributeNames: { "#status": "status", "#due": "due" },
    ExpressionAttributeValues: {
      ":running": "running",
      ":true": true,
      ":none": 0,
      ":due": DUE,
      ":now": now.toISOString(),
      ":string": "S",
    },
    ReturnValues: "ALL_NEW",
  });
  return run !== undefined;
}

/** Notes that the webhook was tried `attempts` times and is to be tried again at `nextAt`. */
export async function scheduleWebhook(
  table: Table,
  ref: RunRef,
  { attempts, nextAt, dueAt }: { attempts: number; nextAt: Date; dueAt: Date },
): Promise<void> {
  await update(table, ref, {
    UpdateExpression: "SET webhook_attempts = :attempts, webhook_next_at = :next, due_at = :due_at",
    ConditionExpression: "id = :id AND attribute_exists(undelivered)",
    ExpressionAttributeValues: {
      ":attempts": attempts,
      ":next": nextAt.toISOString(),
      ":due_at": dueAt.toISOString(),
    },
  });
}

/** Takes a run from whoever holds it, so that it can be claimed at once: for who knows that the holder is dead. */
export async function breakLease(table: Table, ref: RunRef, now: Date): Promise<void> {
  await update(table, ref, {
    UpdateExpression: "SET lease_until = :now",
    ConditionExpression: "id = :id AND #status = :running AND lease_until > :now",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: { ":running": "running", ":now": now.toISOString() },
  });
}

/** Moves the time at which a run is looked at next, so that two sweeps don't act on the same one. False: it moved. */
export async function postponeRun(
  table: Table,
  ref: RunRef & { due_at: string },
  dueAt: Date,
): Promise<boolean> {
  const result = await update(table, ref, {
    UpdateExpression: "SET due_at = :next",
    ConditionExpression: "id = :id AND due_at = :seen",
    ExpressionAttributeValues: { ":seen": ref.due_at, ":next": dueAt.toISOString() },
    ReturnValues: "ALL_NEW",
  });
  return result !== undefined;
}

/** Runs whose time has come by `now`, the longest overdue first. */
export const dueRuns = (table: Table, now: Date): AsyncGenerator<DueItem> => dueItems(table, DUE, now);
