import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { type Table, unlessConditionFails } from "./table.ts";

/**
 * Returns the newest run number of an account or scraper if no run was stored under it, so that lists have no gap. This
 * works only until the next number is taken. A remaining gap makes one page shorter by one item.
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
