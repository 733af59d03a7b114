import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { accountPartition, type Table, unlessConditionFails } from "./table.ts";

/** Inspections that an account may have in progress, so that others get browsers, too. */
export const INSPECTIONS_PER_ACCOUNT = 4;
/** Longer than an inspection takes: a slot that is never released is free after this time. */
const SLOT_MS = 90_000;

/** One of an account's inspections in progress. */
interface Slot {
  release(): Promise<void>;
}

const keyOf = (account: string) => ({ pk: accountPartition(account), sk: "INSPECTIONS" });

/** Takes one of an account's slots; undefined: all of them are in use. */
export async function takeInspectionSlot(
  { db, name: TableName }: Table,
  account: string,
  now: Date,
): Promise<Slot | undefined> {
  const Key = keyOf(account);
  const until = now.getTime() + SLOT_MS;
  for (let slot = 0; slot < INSPECTIONS_PER_ACCOUNT; slot += 1) {
    const ExpressionAttributeNames = { "#slot": `slot_${slot}` };
    const take = new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: "SET #slot = :until",
      ConditionExpression: "attribute_not_exists(#slot) OR #slot <= :now",
      ExpressionAttributeNames,
      ExpressionAttributeValues: { ":until": until, ":now": now.getTime() },
    });
    if ((await unlessConditionFails(db.send(take))) === undefined) continue;
    const release = new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: "REMOVE #slot",
      // Somebody else may have taken it after its time.
      ConditionExpression: "#slot = :until",
      ExpressionAttributeNames,
      ExpressionAttributeValues: { ":until": until },
    });
    return {
      release: async () => void (await unlessConditionFails(db.send(release))),
    };
  }
  return undefined;
}
