import {
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import type { Ending, FollowUp, NewRun, Progress, RunRef, StoredRun } from "../runs/run.ts";
import { getAccount } from "./accounts.ts";
import { type DueItem, dueItems } from "./due.ts";
import { numberKey, numberOf } from "./numbering.ts";
import { type Page, readPage } from "./pages.ts";
import { countScraperRuns } from "./scrapers.ts";
import { accountPartition, indexes, type Table, unlessConditionFails } from "./table.ts";

const partition = (account: string) => `${accountPartition(account)}#RUNS`;
const scraperPartition = (account: string, scraperId: string) =>
  `${accountPartition(account)}#SCRAPER#${scraperId}`;

/** The partition of the `due` index with the runs that need attention by a certain time. */
export const DUE = "RUN";

function keyOf({ account, id }: RunRef): { pk: string; sk: string } | undefined {
  const number = numberOf(id);
  return number === undefined ? undefined : { pk: partition(account), sk: numberKey(number) };
}

/**
 * Stores a new run, due at `dueAt`. Does nothing if the run is stored already.
 * @throws Error if another run has its number
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

/** The newest run of a scraper. */
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
 * Claims a running run for a new attempt until `leaseUntil`. Undefined if the run has finished or another attempt still
 * holds it.
 */
export async function claimRun(
  table: Table,
  ref: RunRef,
  now: Date,
  leaseUntil: Date,
): Promise<StoredRun | undefined> {
  return updateRun(table, ref, {
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

/** Stores an attempt's progress and renews its lease until `leaseUntil`. False if the attempt has lost the run. */
export function saveProgress(
  table: Table,
  run: RunRef & { attempt: number },
  progress: Progress,
  leaseUntil: Date,
): Promise<boolean> {
  const until = leaseUntil.toISOString();
  return writeOwned(table, run, { ...stored(progress), lease_until: until, due_at: until });
}

/**
 * Stores an attempt's progress and releases the run for another attempt, which must start by `dueAt`. False if the
 * attempt has lost the run.
 */
export function releaseRun(
  table: Table,
  run: RunRef & { attempt: number },
  progress: Progress,
  now: Date,
  dueAt: Date = now,
): Promise<boolean> {
  const released = { lease_until: now.toISOString(), due_at: dueAt.toISOString() };
  return writeOwned(table, run, { ...stored(progress), claims: 0, ...released });
}

/** Ends a run, which stays due until its follow-up work is done. False if the attempt has lost the run. */
export function finishRun(
  table: Table,
  run: RunRef & { attempt: number },
  progress: Progress,
  ending: Ending,
  followUp: FollowUp,
  dueAt: Date,
): Promise<boolean> {
  return writeOwned(table, run, {
    ...stored(progress),
    ...ending,
    ...followUp,
    place: undefined,
    lease_until: undefined,
    due_at: dueAt.toISOString(),
  });
}

/** The attributes that hold an attempt's progress. */
const stored = ({ checkpoint, ...progress }: Progress) => ({ ...progress, place: checkpoint });

/** Writes under the condition of every attempt: the run is still running, and nobody has claimed it since. */
async function writeOwned(
  table: Table,
  run: RunRef & { attempt: number },
  values: Record<string, unknown>,
): Promise<boolean> {
  const fields = Object.entries(values).map(([name, value], index) => ({ name, value, index }));
  const set = fields.filter(({ value }) => value !== undefined);
  const removed = fields.filter(({ value }) => value === undefined);
  const result = await updateRun(table, run, {
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

/** Updates a run under a condition. Returns the new run, or undefined if the condition or the id did not match. */
export async function updateRun(
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

/** Ends the lease on a run, so that it can be claimed at once. Only for callers that know that its holder is dead. */
export async function breakLease(table: Table, ref: RunRef, now: Date): Promise<void> {
  await updateRun(table, ref, {
    UpdateExpression: "SET lease_until = :now",
    ConditionExpression: "id = :id AND #status = :running AND lease_until > :now",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: { ":running": "running", ":now": now.toISOString() },
  });
}

/** Changes the due time of a run, so that two sweeps never handle the same run. False if it has changed already. */
export async function postponeRun(
  table: Table,
  ref: RunRef & { due_at: string },
  dueAt: Date,
): Promise<boolean> {
  const result = await updateRun(table, ref, {
    UpdateExpression: "SET due_at = :next",
    ConditionExpression: "id = :id AND due_at = :seen",
    ExpressionAttributeValues: { ":seen": ref.due_at, ":next": dueAt.toISOString() },
    ReturnValues: "ALL_NEW",
  });
  return result !== undefined;
}

/** Runs that are due at `now`, the longest overdue first. */
export const dueRuns = (table: Table, now: Date): AsyncGenerator<DueItem> => dueItems(table, DUE, now);
