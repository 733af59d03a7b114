import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { indexes, type Table } from "./table.ts";

/** What the `due` index tells of an item: whose it is, which, and by when it is to be looked at. */
export interface DueItem {
  account: string;
  id: string;
  due_at: string;
}

const PER_READ = 100;

/** Items of one partition of the `due` index whose time has come, the longest overdue first. */
export async function* dueItems(
  { db, name: TableName }: Table,
  partition: string,
  by: Date,
): AsyncGenerator<DueItem> {
  let next: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await db.send(
      new QueryCommand({
        TableName,
        IndexName: indexes.due,
        KeyConditionExpression: "due = :due AND due_at <= :by",
        ExpressionAttributeValues: { ":due": partition, ":by": by.toISOString() },
        Limit: PER_READ,
        ExclusiveStartKey: next,
      }),
    );
    yield* Items as DueItem[];
    next = LastEvaluatedKey;
  } while (next !== undefined);
}
