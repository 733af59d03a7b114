import { randomUUID } from "node:crypto";
import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Scraper } from "../contract/scrapers/scraper.ts";
import { accountKey, gapsOfAccount, takeNumber } from "./accounts.ts";
import { type Found, type NumberedList, type Page, readPage } from "./pages.ts";
import { duePartition } from "./runs/due.ts";
import { addGaps } from "./runs/gaps.ts";
import { newId, numberKey, numberOf } from "./runs/numbering.ts";
import { countRunsOf, type ScraperRuns } from "./runs/scraper-runs.ts";
import {
  endOfScraper,
  isScraperRuns,
  type ScraperKey,
  scraperKey,
  scrapersPartition,
} from "./scraper-keys.ts";
import { queryAll, type Table, unlessConditionFails } from "./table.ts";

/** When the service runs a scraper automatically. */
export interface StoredSchedule {
  interval: string;
  timezone: string;
  /** The time from which all occurrences are computed, ISO 8601. */
  anchor: string;
  /**
   * Nobody has set the first occurrence: the anchor is the time at which the schedule was stored. If the clock was ahead
   * then, there are occurrences before the anchor.
   */
  open_start?: true;
  /** Nothing is due while it is paused. */
  paused?: true;
}

export interface StoredScraper extends Omit<Scraper, "schedule" | "last_run" | "rows_limit"> {
  /** Absent if the definition states none. */
  rows_limit?: number | undefined;
  schedule: StoredSchedule | null;
}

export interface ScraperItem {
  id: string;
  /** Absent if the scraper was deleted. The rest stays, so that its runs can still be listed. */
  scraper?: StoredScraper;
  /** The next occurrence of its schedule, ISO 8601. */
  due_at?: string;
  /** The batch that its schedule has started last. */
  last_batch?: string;
  /** Identifies the request that deleted it. */
  deletion?: string;
}

/** A scraper in a list. `runs` is absent until it runs, if an earlier version of the service has stored it. */
export interface ListedScraper {
  scraper: StoredScraper;
  runs: ScraperRuns | undefined;
}

/** A definition to store, without what the store adds to it. */
export type NewScraper = Omit<StoredScraper, "id" | "created_at" | "updated_at" | "version">;

/** An id for a new scraper. If no scraper is stored under it, its number becomes a gap. */
export const newScraperId = async (table: Table, account: string, now: Date): Promise<string> =>
  newId(await takeNumber(table, account, "scraper"), now);

/**
 * Stores a new scraper. `dueAt`: the first occurrence of its schedule. Undefined if there is, or was, a scraper with this
 * id.
 */
export async function createScraper(
  table: Table,
  account: string,
  id: string,
  scraper: NewScraper,
  now: Date,
  dueAt?: Date,
): Promise<StoredScraper | undefined> {
  const time = now.toISOString();
  const stored: StoredScraper = { ...scraper, id, version: 1, created_at: time, updated_at: time };
  const item: ScraperItem = { id: stored.id, scraper: stored };
  const due = dueAt && { due: duePartition("SCHEDULE", stored.id), due_at: dueAt.toISOString(), account };
  await countRunsOf(table, account, { id, run_count: 0, newest_run: null });
  const put = new PutCommand({
    TableName: table.name,
    Item: { ...scraperKey(account, id), ...item, ...due },
    ConditionExpression: "attribute_not_exists(pk)",
  });
  return (await unlessConditionFails(table.db.send(put))) && stored;
}

/**
 * Replaces version `before.version` of a scraper's definition; its id, creation time and runs stay. Undefined if there is
 * no such scraper, if it has another version, or if its next occurrence is no longer `due.before`. `due.next`: its new
 * next occurrence.
 */
export async function replaceScraper(
  { db, name: TableName }: Table,
  account: string,
  { id, version, created_at }: Pick<StoredScraper, "id" | "version" | "created_at">,
  scraper: NewScraper,
  now: Date,
  due: { before?: Date | undefined; next?: Date | undefined } = {},
): Promise<StoredScraper | undefined> {
  const Key = scraperKey(account, id);
  if (Key === undefined) return undefined;
  // As a whole, so that settings which the new definition leaves out are gone.
  const stored = { ...scraper, id, version: version + 1, created_at, updated_at: now.toISOString() };
  const set = ["scraper = :scraper"];
  if (due.next !== undefined) set.push("due = :due", "due_at = :next", "account = :account");
  const result = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: `SET ${set.join(", ")}${due.next === undefined ? " REMOVE due, due_at" : ""}`,
        ConditionExpression: `id = :id AND ${isVersion(version)} AND ${
          due.before === undefined ? "attribute_not_exists(due_at)" : "due_at = :before"
        }`,
        ExpressionAttributeValues: {
          ":id": id,
          ":version": version,
          ...(due.before && { ":before": due.before.toISOString() }),
          ...(due.next && {
            ":due": duePartition("SCHEDULE", id),
            ":next": due.next.toISOString(),
            ":account": account,
          }),
          ":scraper": stored,
        },
        ReturnValues: "ALL_NEW",
      }),
    ),
  );
  return (result?.Attributes as ScraperItem | undefined)?.scraper;
}

/** A scraper that was stored before scrapers had versions has version 1. */
const isVersion = (version: number) =>
  version === 1
    ? "attribute_exists(scraper) AND (attribute_not_exists(scraper.version) OR scraper.version = :version)"
    : "scraper.version = :version";

/** Deletes a scraper and its schedule; its runs stay. False if there is no such scraper. */
export async function deleteScraper(table: Table, account: string, id: string): Promise<boolean> {
  const Key = scraperKey(account, id);
  const number = numberOf(id);
  if (Key === undefined || number === undefined) return false;
  const deletion = randomUUID();
  const result = await unlessConditionFails(
    table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key,
        UpdateExpression: "SET deletion = :deletion REMOVE scraper, due, due_at",
        ConditionExpression: "id = :id AND attribute_exists(scraper)",
        ExpressionAttributeValues: { ":id": id, ":deletion": deletion },
      }),
    ),
  );
  if (result === undefined) {
    // If the answer to a successful write is lost, its repetition by the SDK fails.
    const item = await readScraperItem(table, account, id);
    if (item?.deletion !== deletion) return false;
  }
  // If the process dies here, the next reader of the list finds the gap.
  await addGaps(table, accountScrapers(table, account).keys, [number]);
  return true;
}

export async function getScraper(
  table: Table,
  account: string,
  id: string,
): Promise<StoredScraper | undefined> {
  return (await readScraperItem(table, account, id))?.scraper;
}

const withVersion = (scraper: StoredScraper): StoredScraper => ({
  ...scraper,
  version: scraper.version ?? 1,
  updated_at: scraper.updated_at ?? scraper.created_at,
});

/** Page `page` of the account's scrapers, newest first. */
export const listScrapers = (
  table: Table,
  account: string,
  page: number,
  now = new Date(),
): Promise<Page<ListedScraper>> => readPage(table, accountScrapers(table, account), page, now);

const accountScrapers = (table: Table, account: string): NumberedList<ListedScraper> => ({
  keys: {
    count: accountKey(account),
    countAttribute: "scraper_count",
    gaps: gapsOfAccount(account, "SCRAPERS"),
  },
  async read(oldest, newest, most) {
    const items = queryAll<ScraperKey & (ScraperItem | ScraperRuns)>(table, {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :oldest AND :newest",
      ExpressionAttributeValues: {
        ":pk": scrapersPartition(account),
        ":oldest": numberKey(oldest),
        ":newest": endOfScraper(newest),
      },
      ScanIndexForward: false,
      ConsistentRead: true,
    });
    const found: Found<ListedScraper> = [];
    let live = 0;
    // Of each scraper, what is known of its runs precedes the definition.
    let runs: ScraperRuns | undefined;
    for await (const item of items) {
      if (isScraperRuns(item.sk)) {
        runs = item as ScraperRuns;
        continue;
      }
      const { id, scraper } = item as ScraperItem;
      const number = numberOf(id) ?? 0;
      if (scraper === undefined) {
        found.push({ number, item: undefined });
        continue;
      }
      if (live === most) return { found, more: true };
      const listed = { scraper: withVersion(scraper), runs: runs?.id === id ? runs : undefined };
      found.push({ number, created_at: scraper.created_at, item: listed });
      live += 1;
    }
    return { found, more: false };
  },
});

export async function readScraperItem(
  { db, name: TableName }: Table,
  account: string,
  id: string,
): Promise<ScraperItem | undefined> {
  const Key = scraperKey(account, id);
  if (Key === undefined) return undefined;
  const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  if (Item?.id !== id) return undefined;
  const item = Item as ScraperItem;
  return item.scraper === undefined ? item : { ...item, scraper: withVersion(item.scraper) };
}
