import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { type Key, queryAll, type Table } from "./table.ts";

/** Items that are deleted at a time. */
const AT_ONCE = 10;

export const deleteAll = ({ db, name: TableName }: Table, keys: readonly Key[]) =>
  Promise.all(keys.map((Key) => db.send(new DeleteCommand({ TableName, Key }))));

/** Deletes all items of a partition, in the order of their keys. */
export async function deletePartition(table: Table, pk: string): Promise<void> {
  const items = queryAll<Key>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": pk },
    ProjectionExpression: "pk, sk",
    // Nothing leads to an item that is missed here.
    ConsistentRead: true,
  });
  let batch: Key[] = [];
  for await (const { sk } of items) {
    batch.push({ pk, sk });
    if (batch.length < AT_ONCE) continue;
    await deleteAll(table, batch);
    batch = [];
  }
  await deleteAll(table, batch);
}
