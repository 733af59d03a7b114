import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { returnRunNumber } from "./run-count.ts";
import { accountPartition, type Table, unlessConditionFails } from "./table.ts";

/** An account, identified by its name. */
export interface Account {
  name: string;
  /** Credits per month; null: no limit. */
  credit_limit: number | null;
  /** Requests of one key in each rate-limit window; null: the service's default. */
  rate_limit: number | null;
  created_at: string;
}

interface AccountItem extends Account {
  /** The newest numbers of a run and of a scraper of this account. */
  run_count: number;
  scraper_count: number;
  /** The month (`2026-11`) in which the credit limit was reached. */
  exhausted_month?: string;
}

const key = (account: string) => ({ pk: accountPartition(account), sk: "ACCOUNT" });

/** False if the name is taken. */
export async function createAccount({ db, name: TableName }: Table, account: Account): Promise<boolean> {
  const Item = { ...key(account.name), ...account, run_count: 0, scraper_count: 0 };
  const put = new PutCommand({ TableName, Item, ConditionExpression: "attribute_not_exists(pk)" });
  return (await unlessConditionFails(db.send(put))) !== undefined;
}

export async function getAccount(
  { db, name: TableName }: Table,
  account: string,
): Promise<AccountItem | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName, Key: key(account), ConsistentRead: true }));
  return Item as AccountItem | undefined;
}

/** Takes the next run number; undefined if the account's credits of this month are used up. */
export async function takeRunNumber(
  { db, name: TableName }: Table,
  account: string,
  month: string,
): Promise<number | undefined> {
  const result = await unlessConditionFails(
    db.send(
      new UpdateCommand({
        TableName,
        Key: key(account),
        UpdateExpression: "ADD run_count :one",
        ConditionExpression:
          "attribute_exists(pk) AND (attribute_not_exists(exhausted_month) OR exhausted_month <> :month)",
        ExpressionAttributeValues: { ":one": 1, ":month": month },
        ReturnValues: "UPDATED_NEW",
      }),
    ),
  );
  return result?.Attributes?.run_count;
}

/** Takes the next scraper number. */
export async function takeScraperNumber({ db, name: TableName }: Table, account: string): Promise<number> {
  const { Attributes } = await db.send(
    new UpdateCommand({
      TableName,
      Key: key(account),
      UpdateExpression: "ADD scraper_count :one",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":one": 1 },
      ReturnValues: "UPDATED_NEW",
    }),
  );
  return Attributes?.scraper_count;
}

/** Returns a number that no run was stored under. */
export const returnAccountRunNumber = (table: Table, account: string, number: number) =>
  returnRunNumber(table, key(account), number);

/** Records that the account has used up its credits of this month. Until the next month, it can create no run. */
export async function markExhausted(
  { db, name: TableName }: Table,
  account: string,
  month: string,
): Promise<void> {
  await db.send(
    new UpdateCommand({
      TableName,
      Key: key(account),
      UpdateExpression: "SET exhausted_month = :month",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":month": month },
    }),
  );
}
