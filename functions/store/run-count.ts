import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { type Table, unlessConditionFails } from "./table.ts";

/**
 * Gives back the newest run number that an account or a scraper gave and that nothing was stored under, so that lists
 * have no hole. It works only while no later number was taken; a hole that stays makes a page shorter by one, nothing
 * else.
 */
export async function returnRunNumber(
  { db, name: TableName }: Table,
  Key: Record<string, string> | undefined,
  number: number,
): Promise<void> {
  const update = new UpdateCommand({
    TableName,
    Key,
    UpdateExpression: "SET run_count = :before",
    ConditionExpression: "run_count = :number",
    ExpressionAttributeValues: { ":before": number - 1, ":number": number },
  });
  await unlessConditionFails(db.send(update));
}
