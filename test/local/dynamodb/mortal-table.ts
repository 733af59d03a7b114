import { TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { openLocalTable, TABLE_NAME, tableOf } from "../../../local/backend.ts";

/*
 * Writes a count to an item, moves the item about in an index, and adds to two other items in one transaction, for ever. It
 * tells its parent of each write that is acknowledged.
 */
const [file = "", first = ""] = process.argv.slice(2);
const { db } = tableOf(openLocalTable(file));

const update = (sk: string, count: number) => ({
  TableName: TABLE_NAME,
  Key: { pk: "ITEMS", sk },
  UpdateExpression: "SET #count = :count, due = :due, due_at = :at, id = :count",
  ExpressionAttributeNames: { "#count": "count" },
  ExpressionAttributeValues: { ":count": count, ":due": "RUN", ":at": String(count % 7) },
});

for (let count = Number(first); ; count += 1) {
  await db.send(new UpdateCommand(update("single", count)));
  await db.send(
    new TransactWriteCommand({
      TransactItems: [{ Update: update("left", count) }, { Update: update("right", count) }],
    }),
  );
  process.send?.(count);
}
