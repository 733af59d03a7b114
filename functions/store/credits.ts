import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { accountPartition, type Table, unlessConditionFails } from "./table.ts";

/*
 * The credits that an account used in one month. One write adds the credits of a finished run and records the run's
 * number, so that a run counts only once. The time selects one of four slots for the number, and the two slots that were
 * written longest ago are emptied. So a number is kept for at least 20 minutes, longer than any process that has read the
 * run as uncounted can live (the limit of Lambda is 15 minutes), and the item stays small.
 */
const SLOT_MS = 20 * 60 * 1000;
const SLOTS = 4;

/** The month of a time, in UTC: `2026-11`. */
export const monthOf = (time: Date) => time.toISOString().slice(0, 7);

const keyOf = (account: string, month: string) => ({ pk: accountPartition(account), sk: `CREDITS#${month}` });

/** Credits that the account has used in this month. */
export async function creditsUsed(
  { db, name: TableName }: Table,
  account: string,
  month: string,
): Promise<number> {
  const { Item } = await db.send(
    new GetCommand({ TableName, Key: keyOf(account, month), ConsistentRead: true }),
  );
  return Item?.used ?? 0;
}

/** Adds the credits of a finished run to its account's month, unless they were added before. */
export async function countCredits(
  { db, name: TableName }: Table,
  run: { account: string; number: number; credits_used: number; month: string },
  now: Date,
): Promise<void> {
  const slot = Math.floor(now.getTime() / SLOT_MS);
  const slotName = (ahead: number) => `settled_${(slot + ahead) % SLOTS}`;
  const update = new UpdateCommand({
    TableName,
    Key: keyOf(run.account, run.month),
    UpdateExpression: "ADD used :credits, #slot :numbers REMOVE #next, #afterNext",
    ConditionExpression: "NOT contains(#slot, :number) AND NOT contains(#before, :number)",
    ExpressionAttributeNames: {
      "#slot": slotName(0),
      "#next": slotName(1),
      "#afterNext": slotName(2),
      "#before": slotName(3),
    },
    ExpressionAttributeValues: {
      ":credits": run.credits_used,
      ":number": run.number,
      ":numbers": new Set([run.number]),
    },
  });
  await unlessConditionFails(db.send(update));
}
