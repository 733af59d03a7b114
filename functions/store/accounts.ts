import { randomUUID } from "node:crypto";
import { GetCommand, PutCommand, ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { accountPartition, type Table, unlessConditionFails } from "./table.ts";

/** An account, identified by its name. */
export interface Account {
  name: string;
  /** Credits per month; null: no limit. */
  credit_limit: number | null;
  /** Requests of one key in each rate-limit window; null: the service's default. */
  rate_limit: number | null;
  /** Bytes that its runs may store; absent: the service's default. */
  storage_limit?: number | null | undefined;
  created_at: string;
}

interface AccountItem extends Account {
  /** The newest number of a run, and of a scraper, of this account. */
  run_count: number;
  scraper_count: number;
  /** Present if the account has, or had, hooks. */
  has_hooks?: true;
  /** Identifies the request that created it. */
  creation?: string;
}

export const accountKey = (account: string) => ({ pk: accountPartition(account), sk: "ACCOUNT" });

/** The item with the gaps in the numbers of one of the account's lists. */
export const gapsOfAccount = (account: string, list: "RUNS" | "SCRAPERS" | "BATCHES") => ({
  pk: accountPartition(account),
  sk: `GAPS#${list}`,
});

/** False if the name is taken. */
export async function createAccount(table: Table, account: Account): Promise<boolean> {
  const { db, name: TableName } = table;
  const creation = randomUUID();
  const Item = { ...accountKey(account.name), ...account, run_count: 0, scraper_count: 0, creation };
  const put = new PutCommand({ TableName, Item, ConditionExpression: "attribute_not_exists(pk)" });
  if ((await unlessConditionFails(db.send(put))) !== undefined) return true;
  // If the answer to a successful write is lost, its repetition by the SDK fails.
  return (await getAccount(table, account.name))?.creation === creation;
}

export async function getAccount(
  { db, name: TableName }: Table,
  account: string,
): Promise<AccountItem | undefined> {
  const { Item } = await db.send(
    new GetCommand({ TableName, Key: accountKey(account), ConsistentRead: true }),
  );
  return Item as AccountItem | undefined;
}

/** All accounts, by name. Reads the whole table, because accounts are listed rarely. */
export async function listAccounts({ db, name: TableName }: Table): Promise<Account[]> {
  const accounts: Account[] = [];
  let next: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await db.send(
      new ScanCommand({
        TableName,
        FilterExpression: "sk = :sk",
        ExpressionAttributeValues: { ":sk": accountKey("").sk },
        ExclusiveStartKey: next,
      }),
    );
    accounts.push(...(Items as Account[]));
    next = LastEvaluatedKey;
  } while (next !== undefined);
  return accounts
    .map(({ name, credit_limit, rate_limit, storage_limit, created_at }) => {
      return { name, credit_limit, rate_limit, storage_limit, created_at };
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** Takes the next number of a run, a scraper or a batch. A number that is not used leaves a gap. */
export const takeNumber = (
  table: Table,
  account: string,
  list: "run" | "scraper" | "batch",
): Promise<number> => takeNumbers(table, account, list, 1);

/** Takes the next `count` numbers, and returns the last one. */
export async function takeNumbers(
  { db, name: TableName }: Table,
  account: string,
  list: "run" | "scraper" | "batch" | "batch_run",
  count: number,
): Promise<number> {
  const { Attributes } = await db.send(
    new UpdateCommand({
      TableName,
      Key: accountKey(account),
      UpdateExpression: "ADD #count :count",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeNames: { "#count": `${list}_count` },
      ExpressionAttributeValues: { ":count": count },
      ReturnValues: "UPDATED_NEW",
    }),
  );
  return Attributes?.[`${list}_count`];
}

/** Changes the limits that are given. Undefined if there is no such account. */
export async function setLimits(
  { db, name: TableName }: Table,
  account: string,
  limits: Partial<Pick<Account, "credit_limit" | "rate_limit" | "storage_limit">>,
): Promise<Account | undefined> {
  const fields = Object.entries(limits);
  const result = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key: accountKey(account),
        UpdateExpression: `SET ${fields.map(([name]) => `${name} = :${name}`).join(", ")}`,
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeValues: Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
        ReturnValues: "ALL_NEW",
      }),
    ),
  );
  return result?.Attributes as Account | undefined;
}
