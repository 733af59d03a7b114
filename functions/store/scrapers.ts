import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Scraper } from "../contract/scraper.ts";
import { getAccount, takeScraperNumber } from "./accounts.ts";
import { newId, numberKey, numberOf } from "./numbering.ts";
import { type Page, readPage } from "./pages.ts";
import { accountPartition, type Table, unlessConditionFails } from "./table.ts";

interface ScraperItem {
  id: string;
  scraper: Scraper;
  /** The newest number given to a run of this scraper. */
  run_count: number;
}

const partition = (account: string) => `${accountPartition(account)}#SCRAPERS`;

function keyOf(account: string, id: string): { pk: string; sk: string } | undefined {
  const number = numberOf(id);
  return number === undefined ? undefined : { pk: partition(account), sk: numberKey(number) };
}

/** Stores a new scraper under a new id. */
export async function createScraper(
  table: Table,
  account: string,
  scraper: Omit<Scraper, "id" | "created_at">,
  now: Date,
): Promise<Scraper> {
  const number = await takeScraperNumber(table, account);
  const stored: Scraper = { ...scraper, id: newId(number, now), created_at: now.toISOString() };
  const item: ScraperItem = { id: stored.id, scraper: stored, run_count: 0 };
  await table.db.send(
    new PutCommand({
      TableName: table.name,
      Item: { pk: partition(account), sk: numberKey(number), ...item },
      ConditionExpression: "attribute_not_exists(pk)",
    }),
  );
  return stored;
}

/** Replaces a scraper's definition; its id, time of creation and runs stay. Undefined when there is none of that id. */
export async function replaceScraper(
  { db, name: TableName }: Table,
  account: string,
  id: string,
  scraper: Omit<Scraper, "id" | "created_at">,
): Promise<Scraper | undefined> {
  const Key = keyOf(account, id);
  if (Key === undefined) return undefined;
  const definition = Object.entries(scraper);
  const result = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: `SET ${definition.map((_, index) => `scraper.#${index} = :${index}`).join(", ")}`,
        ConditionExpression: "id = :id",
        ExpressionAttributeNames: Object.fromEntries(
          definition.map(([field], index) => [`#${index}`, field]),
        ),
        ExpressionAttributeValues: {
          ":id": id,
          ...Object.fromEntries(definition.map(([, value], index) => [`:${index}`, value])),
        },
        ReturnValues: "ALL_NEW",
      }),
    ),
  );
  return (result?.Attributes as ScraperItem | undefined)?.scraper;
}

export async function getScraper(table: Table, account: string, id: string): Promise<Scraper | undefined> {
  return (await readItem(table, account, id))?.scraper;
}

/** Page `page` of the account's scrapers, newest first. */
export async function listScrapers(table: Table, account: string, page: number): Promise<Page<Scraper>> {
  const count = (await getAccount(table, account))?.scraper_count ?? 0;
  const list = { partition: { attribute: "pk", value: partition(account) }, numberAttribute: "sk", count };
  const { items, nextPage } = await readPage<ScraperItem>(table, list, page);
  return { items: items.map((item) => item.scraper), nextPage };
}

/** Takes the next number for a run of this scraper, and reads the scraper in the same write; undefined: no such one. */
export async function takeScraperRunNumber(
  { db, name: TableName }: Table,
  account: string,
  id: string,
): Promise<{ scraper: Scraper; number: number } | undefined> {
  const Key = keyOf(account, id);
  if (Key === undefined) return undefined;
  const result = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: "ADD run_count :one",
        ConditionExpression: "id = :id",
        ExpressionAttributeValues: { ":one": 1, ":id": id },
        ReturnValues: "ALL_NEW",
      }),
    ),
  );
  if (result === undefined) return undefined;
  const { scraper, run_count: number } = result.Attributes as ScraperItem;
  return { scraper, number };
}

/** Gives back a number that no run was stored under, while it is still the newest (see returnRunNumber). */
export async function returnScraperRunNumber(
  { db, name: TableName }: Table,
  account: string,
  id: string,
  number: number,
): Promise<void> {
  await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key: keyOf(account, id),
        UpdateExpression: "SET run_count = :before",
        ConditionExpression: "id = :id AND run_count = :number",
        ExpressionAttributeValues: { ":id": id, ":before": number - 1, ":number": number },
      }),
    ),
  );
}

/** The newest number given to a run of this scraper; 0 when there is no such scraper. */
export async function countScraperRuns(table: Table, account: string, id: string): Promise<number> {
  return (await readItem(table, account, id))?.run_count ?? 0;
}

async function readItem(
  { db, name: TableName }: Table,
  account: string,
  id: string,
): Promise<ScraperItem | undefined> {
  const Key = keyOf(account, id);
  if (Key === undefined) return undefined;
  const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item?.id === id ? (Item as ScraperItem) : undefined;
}
