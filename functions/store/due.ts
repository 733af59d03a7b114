import { indexes, queryAll, type Table } from "./table.ts";

/** What the `due` index tells of an item: whose it is, which, and by when it is to be looked at. */
export interface DueItem {
  account: string;
  id: string;
  due_at: string;
}

const PER_READ = 100;

/** Items of one partition of the `due` index whose time has come, the longest overdue first. */
export const dueItems = (table: Table, partition: string, by: Date): AsyncGenerator<DueItem> =>
  queryAll(table, {
    IndexName: indexes.due,
    KeyConditionExpression: "due = :due AND due_at <= :by",
    ExpressionAttributeValues: { ":due": partition, ":by": by.toISOString() },
    Limit: PER_READ,
  });
