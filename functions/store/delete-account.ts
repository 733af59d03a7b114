import type { StoredBatch } from "../batches/batch.ts";
import { accountKey, getAccount } from "./accounts.ts";
import { deleteApiKeys } from "./api-keys.ts";
import { auditPartition } from "./audit.ts";
import { batchesPartition, batchPartition } from "./batches/batch-keys.ts";
import { creditsPartitions } from "./credits.ts";
import { deleteAll, deletePartition } from "./delete-items.ts";
import { deliveriesPartition } from "./delivery-keys.ts";
import { filesOfAccount } from "./files.ts";
import { alertsPartition, hooksKey } from "./hooks/hook-keys.ts";
import { evidenceKey } from "./runs/evidence.ts";
import { rowsPartition } from "./runs/rows-keys.ts";
import { changesPartition } from "./runs/run-changes.ts";
import { filesPartition } from "./runs/run-files.ts";
import { isState, runsPartition, scraperRunsPartition } from "./runs/run-keys.ts";
import { logPartition } from "./runs/run-log.ts";
import { runNumbers } from "./runs/run-numbers.ts";
import { countAllRuns } from "./runs/statuses.ts";
import { isScraperRuns, scrapersPartition } from "./scraper-keys.ts";
import { deleteMemory } from "./scraper-memory.ts";
import { deleteScraper } from "./scrapers.ts";
import { sessionsPartition } from "./sessions.ts";
import { storagePartition } from "./storage.ts";
import { accountPartition, queryAll, type Table } from "./table.ts";

/*
 * The account itself is deleted last, and items that lead to other items are deleted after these. So an interrupted
 * deletion can be repeated. Idempotency records and turns of hosts, which no item leads to, expire within a day.
 */

interface Item {
  pk: string;
  sk: string;
  id: string;
}

/**
 * Deletes an account with its keys, scrapers, batches, runs, hooks and credits. Runs and batches in progress prevent it: their number, and whether
 * the keys and scrapers are deleted already. `deleteSecrets`: deletes what is stored elsewhere.
 */
export async function deleteAccount(
  table: Table,
  account: string,
  now: Date,
  deleteSecrets: () => Promise<void>,
): Promise<"deleted" | "unknown" | { running: number; isBegun: boolean }> {
  const found = await getAccount(table, account);
  if (found === undefined) return "unknown";
  const before = await countRunning(table, account);
  if (before > 0) return { running: before, isBegun: false };
  await deleteApiKeys(table, account);
  for await (const { id, sk } of itemsOf(table, scrapersPartition(account)))
    if (!isScraperRuns(sk)) await deleteScraper(table, account, id);
  // From here on, no run can start.
  const running = await countRunning(table, account);
  if (running > 0) return { running, isBegun: true };
  await deleteSecrets();
  await table.files.remove(filesOfAccount(account));
  await deleteBatches(table, account);
  await deleteRuns(table, account);
  await deleteScrapers(table, account);
  for (const pk of creditsPartitions(account, new Date(found.created_at), now))
    await deletePartition(table, pk);
  const others = [
    storagePartition,
    alertsPartition,
    deliveriesPartition,
    sessionsPartition,
    auditPartition,
  ].map((partition) => partition(account));
  for (const pk of [...others, hooksKey(account).pk]) await deletePartition(table, pk);
  const { sk } = accountKey(account);
  for await (const item of itemsOf(table, accountPartition(account)))
    if (item.sk !== sk) await deleteAll(table, [{ pk: item.pk, sk: item.sk }]);
  await deleteAll(table, [accountKey(account)]);
  return "deleted";
}

/** How many runs are in progress. A batch in progress counts as one, besides its runs that it has. */
async function countRunning(table: Table, account: string): Promise<number> {
  let count = await countAllRuns(table, account, "running");
  for await (const { status } of itemsOf<StoredBatch>(table, batchesPartition(account)))
    if (status === "storing" || status === "running") count += 1;
  return count;
}

async function deleteBatches(table: Table, account: string): Promise<void> {
  for await (const { pk, sk, id } of itemsOf(table, batchesPartition(account))) {
    await deletePartition(table, batchPartition({ account, id }));
    await deleteAll(table, [{ pk, sk }]);
  }
}

async function deleteRuns(table: Table, account: string): Promise<void> {
  const partition = runsPartition(account);
  for await (const { pk, sk, id } of itemsOf(table, partition)) {
    if (!isState(sk)) {
      await deletePartition(table, rowsPartition(account, id));
      await deletePartition(table, logPartition({ account, id }));
      await deletePartition(table, changesPartition({ account, id }));
      await deletePartition(table, filesPartition(account, id));
      await deleteAll(table, [evidenceKey({ account, id })]);
    }
    await deleteAll(table, [{ pk, sk }]);
  }
  await deletePartition(table, runNumbers(table, account, undefined).notes);
}

async function deleteScrapers(table: Table, account: string): Promise<void> {
  for await (const { pk, sk, id } of itemsOf(table, scrapersPartition(account))) {
    if (!isScraperRuns(sk)) {
      await deleteMemory(table, { account, scraper_id: id });
      await deletePartition(table, scraperRunsPartition(account, id));
      await deletePartition(table, runNumbers(table, account, id).notes);
    }
    await deleteAll(table, [{ pk, sk }]);
  }
}

const itemsOf = <T = Item>(table: Table, pk: string): AsyncGenerator<T> =>
  queryAll<T>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": pk },
    ProjectionExpression: "pk, sk, id, #status",
    ExpressionAttributeNames: { "#status": "status" },
    ConsistentRead: true,
  });
