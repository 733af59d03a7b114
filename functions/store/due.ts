import { indexes, queryAll, type Table } from "./table.ts";

/** An item in the `due` index: its account, its id, and when it needs attention. */
export interface DueItem {
  account: string;
  id: string;
  due_at: string;
}

const PER_READ = 100;

/** Due items of one partition of the `due` index, the longest overdue first. */
export const dueItems = (table: Table, partition: string, by: Date): AsyncGenerator<DueItem> =>
  queryAll(table, {
    IndexName: indexes.due,
    KeyConditionExpression: "due = :due AND due_at <= :by",
    ExpressionAttributeValues: { ":due": partition, ":by": by.toISOString() },
    Limit: PER_READ,
  });
