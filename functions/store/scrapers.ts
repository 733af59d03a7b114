import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Scraper } from "../contract/scraper.ts";
import { getAccount, takeScraperNumber } from "./accounts.ts";
import { newId, numberKey, numberOf } from "./numbering.ts";
import { type Page, readPage } from "./pages.ts";
import { returnRunNumber } from "./run-count.ts";
import { accountPartition, type Table, unlessConditionFails } from "./table.ts";

/** When the service runs a scraper automatically. */
export interface StoredSchedule {
  interval: string;
  timezone: string;
  /** The time from which all occurrences are computed, ISO 8601. */
  anchor: string;
}

export type StoredScraper = Omit<Scraper, "schedule"> & { schedule: StoredSchedule | null };

export interface ScraperItem {
  id: string;
  /** Absent if the scraper was deleted. The rest stays, so that its runs can still be listed. */
  scraper?: StoredScraper;
  /** The newest number of a run of this scraper. */
  run_count: number;
  /** The next occurrence of its schedule, ISO 8601. */
  due_at?: string;
}

const partition = (account: string) => `${accountPartition(account)}#SCRAPERS`;

/** The partition of the `due` index with the scrapers that have a schedule. */
export const SCHEDULE_DUE = "SCHEDULE";

export function scraperKey(account: string, id: string): { pk: string; sk: string } | undefined {
  const number = numberOf(id);
  return number === undefined ? undefined : { pk: partition(account), sk: numberKey(number) };
}

/** Stores a new scraper with a new id. `dueAt`: the first occurrence of its schedule. */
export async function createScraper(
  table: Table,
  account: string,
  scraper: Omit<StoredScraper, "id" | "created_at">,
  now: Date,
  dueAt?: Date,
): Promise<StoredScraper> {
  const number = await takeScraperNumber(table, account);
  const stored: StoredScraper = { ...scraper, id: newId(number, now), created_at: now.toISOString() };
  const item: ScraperItem = { id: stored.id, scraper: stored, run_count: 0 };
  const due = dueAt && { due: SCHEDULE_DUE, due_at: dueAt.toISOString(), account };
  await table.db.send(
    new PutCommand({
      TableName: table.name,
      Item: { pk: partition(account), sk: numberKey(number), ...item, ...due },
      ConditionExpression: "attribute_not_exists(pk)",
    }),
  );
  return stored;
}

/**
 * Replaces a scraper's definition; its id, creation time and runs stay. Undefined if there is no such scraper, or if its
 * next occurrence is no longer `due.before`. `due.next`: its new next occurrence.
 */
export async function replaceScraper(
  { db, name: TableName }: Table,
  account: string,
  id: string,
  scraper: Omit<StoredScraper, "id" | "created_at">,
  due: { before?: Date | undefined; next?: Date | undefined } = {},
): Promise<StoredScraper | undefined> {
  const Key = scraperKey(account, id);
  if (Key === undefined) return undefined;
  const definition = Object.entries(scraper);
  const set = definition.map((_, index) => `scraper.#${index} = :${index}`);
  if (due.next !== undefined) set.push("due = :due", "due_at = :next", "account = :account");
  const result = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: `SET ${set.join(", ")}${due.next === undefined ? " REMOVE due, due_at" : ""}`,
        ConditionExpression: `id = :id AND attribute_exists(scraper) AND ${
          due.before === undefined ? "attribute_not_exists(due_at)" : "due_at = :before"
        }`,
        ExpressionAttributeNames: Object.fromEntries(
          definition.map(([field], index) => [`#${index}`, field]),
        ),
        ExpressionAttributeValues: {
          ":id": id,
          ...(due.before && { ":before": due.before.toISOString() }),
          ...(due.next && { ":due": SCHEDULE_DUE, ":next": due.next.toISOString(), ":account": account }),
          ...Object.fromEntries(definition.map(([, value], index) => [`:${index}`, value])),
        },
        ReturnValues: "ALL_NEW",
      }),
    ),
  );
  return (result?.Attributes as ScraperItem | undefined)?.scraper;
}

/** Deletes a scraper and its schedule; its runs stay. False if there is no such scraper. */
export async function deleteScraper(
  { db, name: TableName }: Table,
  account: string,
  id: string,
): Promise<boolean> {
  const Key = scraperKey(account, id);
  if (Key === undefined) return false;
  const result = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: "REMOVE scraper, due, due_at",
        ConditionExpression: "id = :id AND attribute_exists(scraper)",
        ExpressionAttributeValues: { ":id": id },
      }),
    ),
  );
  return result !== undefined;
}

export async function getScraper(
  table: Table,
  account: string,
  id: string,
): Promise<StoredScraper | undefined> {
  return (await readScraperItem(table, account, id))?.scraper;
}

/** Page `page` of the account's scrapers, newest first. */
export async function listScrapers(
  table: Table,
  account: string,
  page: number,
): Promise<Page<StoredScraper>> {
  const count = (await getAccount(table, account))?.scraper_count ?? 0;
  const list = { partition: { attribute: "pk", value: partition(account) }, numberAttribute: "sk", count };
  const { items, nextPage } = await readPage<ScraperItem>(table, list, page);
  return { items: items.flatMap((item) => item.scraper ?? []), nextPage };
}

/** Takes the next number of a run of this scraper and reads the scraper, in one write. Undefined: no such scraper. */
export async function takeScraperRunNumber(
  { db, name: TableName }: Table,
  account: string,
  id: string,
): Promise<{ scraper: StoredScraper; number: number } | undefined> {
  const Key = scraperKey(account, id);
  if (Key === undefined) return undefined;
  const result = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: "ADD run_count :one",
        ConditionExpression: "id = :id AND attribute_exists(scraper)",
        ExpressionAttributeValues: { ":one": 1, ":id": id },
        ReturnValues: "ALL_NEW",
      }),
    ),
  );
  if (result === undefined) return undefined;
  const { scraper, run_count: number } = result.Attributes as Required<ScraperItem>;
  return { scraper, number };
}

/** Returns a number that no run was stored under. */
export const returnScraperRunNumber = (table: Table, account: string, id: string, number: number) =>
  returnRunNumber(table, scraperKey(account, id), number);

/** The newest number of a run of this scraper; 0 if the scraper never existed. */
export async function countScraperRuns(table: Table, account: string, id: string): Promise<number> {
  return (await readScraperItem(table, account, id))?.run_count ?? 0;
}

export async function readScraperItem(
  { db, name: TableName }: Table,
  account: string,
  id: string,
): Promise<ScraperItem | undefined> {
  const Key = scraperKey(account, id);
  if (Key === undefined) return undefined;
  const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item?.id === id ? (Item as ScraperItem) : undefined;
}
