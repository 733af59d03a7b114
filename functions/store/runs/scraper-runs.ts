import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { type ScraperKey, scraperRunsKey } from "../scraper-keys.ts";
import { type Table, unlessConditionFails } from "../table.ts";
import type { ListKeys } from "./gaps.ts";
import { scraperRunsPartition } from "./run-keys.ts";

/** What is known of a scraper's runs. */
export interface ScraperRuns {
  /** The id of the scraper. */
  id: string;
  /** The newest number of a run. */
  run_count: number;
  /** Whether there was a batch, whose runs have no number. */
  has_batches?: boolean;
  /** The run that got it, or the newest one that was left later; null: there is none. */
  newest_run: string | null;
}

/** The same, as versions stored it that kept it apart from the scraper. `newest_run` is absent in the oldest ones. */
export type EarlierRuns = ScraperKey & Pick<ScraperRuns, "run_count"> & { newest_run?: string };

export const earlierRunsKey = (account: string, scraperId: string): ScraperKey => ({
  pk: scraperRunsPartition(account, scraperId),
  sk: "COUNT",
});

/** Where the list of a scraper's runs has its count and its gaps. */
export const scraperListKeys = (account: string, scraperId: string): ListKeys => ({
  count: scraperRunsKey(account, scraperId),
  countAttribute: "run_count",
  counted: { id: scraperId, before: earlierRunsKey(account, scraperId) },
  gaps: { pk: scraperRunsPartition(account, scraperId), sk: "GAPS" },
});

/** Begins to count the runs of a scraper, unless they are counted already. */
export async function countRunsOf(
  { db, name: TableName }: Table,
  account: string,
  { id, run_count, newest_run }: ScraperRuns,
): Promise<void> {
  const update = new UpdateCommand({
    TableName,
    Key: scraperRunsKey(account, id),
    UpdateExpression: "SET id = :id, run_count = :count, newest_run = :newest",
    ConditionExpression: "attribute_not_exists(pk)",
    ExpressionAttributeValues: { ":id": id, ":count": run_count, ":newest": newest_run },
  });
  await unlessConditionFails(db.send(update));
}

/** Notes that a scraper has a batch. Returns whether it had neither a run nor a batch before. */
export async function noteBatchOf(
  { db, name: TableName }: Table,
  account: string,
  scraperId: string,
): Promise<boolean> {
  const update = new UpdateCommand({
    TableName,
    Key: scraperRunsKey(account, scraperId),
    UpdateExpression: "SET has_batches = :true",
    ConditionExpression: "id = :id",
    ExpressionAttributeValues: { ":id": scraperId, ":true": true },
    ReturnValues: "ALL_OLD",
  });
  const before = (await unlessConditionFails(db.send(update)))?.Attributes as ScraperRuns | undefined;
  return before !== undefined && before.run_count === 0 && before.has_batches !== true;
}

/** Takes the next number of a run of this scraper, for the run with this id. A number that is not used leaves a gap. */
export async function takeScraperRunNumber(
  table: Table,
  account: string,
  scraperId: string,
  runId: string,
): Promise<number> {
  const { db, name: TableName } = table;
  const update = new UpdateCommand({
    TableName,
    Key: scraperRunsKey(account, scraperId),
    UpdateExpression: "SET newest_run = :run ADD run_count :one",
    ConditionExpression: "id = :id",
    ExpressionAttributeValues: { ":id": scraperId, ":one": 1, ":run": runId },
    ReturnValues: "UPDATED_NEW",
  });
  const taken = await unlessConditionFails(db.send(update));
  if (taken !== undefined) return taken.Attributes?.run_count;
  // An earlier version of the service has stored this scraper.
  const Key = earlierRunsKey(account, scraperId);
  const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const earlier = Item as EarlierRuns | undefined;
  await countRunsOf(table, account, {
    id: scraperId,
    run_count: earlier?.run_count ?? 0,
    newest_run: earlier?.newest_run ?? null,
  });
  return (await db.send(update)).Attributes?.run_count;
}

/** Replaces the newest run of a scraper, which is gone for good, by the one before it. Does nothing if there is a newer one. */
export async function replaceNewestRun(
  { db, name: TableName }: Table,
  account: string,
  scraperId: string,
  { gone, next }: { gone: string; next: string | null },
): Promise<void> {
  const update = new UpdateCommand({
    TableName,
    Key: scraperRunsKey(account, scraperId),
    UpdateExpression: "SET newest_run = :next",
    ConditionExpression: "id = :id AND newest_run = :gone",
    ExpressionAttributeValues: { ":id": scraperId, ":next": next, ":gone": gone },
  });
  await unlessConditionFails(db.send(update));
}
