import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { numberKey, numberOf } from "./runs/numbering.ts";
import { accountPartition, queryAll, type Table } from "./table.ts";

/*
 * The credits that an account used in one month, those included that its runs have reserved. A run adds its credits in the
 * transaction that also changes the run, so they count once. A run's number selects one of several items of the month,
 * because transactions on the same item exclude each other.
 */
const PARTS = 16;

/** The month of a time, in UTC: `2026-11`. */
export const monthOf = (time: Date) => time.toISOString().slice(0, 7);

const partition = (account: string, month: string) => `${accountPartition(account)}#CREDITS#${month}`;

/** The partitions with an account's credits of the months from one time to another. */
export function creditsPartitions(account: string, from: Date, to: Date): string[] {
  const partitions: string[] = [];
  for (const month = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth())); month <= to; ) {
    partitions.push(partition(account, monthOf(month)));
    month.setUTCMonth(month.getUTCMonth() + 1);
  }
  return partitions;
}

/** The run that spends credits, and how many credits it has spent since the last write. They count in the month in which it was created. */
export interface SpentCredits {
  run: { account: string; id: string; created_at: string };
  credits: number;
}

/** Adds a run's credits to its account's month. For a transaction that changes the run, too. */
export function creditsUpdate({ name: TableName }: Table, { run, credits }: SpentCredits) {
  const month = monthOf(new Date(run.created_at));
  const part = (numberOf(run.id) ?? 0) % PARTS;
  return {
    TableName,
    Key: { pk: partition(run.account, month), sk: numberKey(part) },
    UpdateExpression: "ADD used :credits",
    ExpressionAttributeValues: { ":credits": credits },
  };
}

/** Adds credits that no run has used to an account's month. `id` selects one of the month's items. */
export async function addCredits(
  table: Table,
  { account, id, credits, at }: { account: string; id: string; credits: number; at: Date },
): Promise<void> {
  const run = { account, id, created_at: at.toISOString() };
  await table.db.send(new UpdateCommand(creditsUpdate(table, { run, credits })));
}

/** Credits that the account has used or reserved in this month. */
export async function creditsUsed(table: Table, account: string, month: string): Promise<number> {
  let sum = 0;
  const parts = queryAll<{ used: number }>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": partition(account, month) },
    ConsistentRead: true,
  });
  for await (const { used } of parts) sum += used;
  return sum;
}
