import { crc32 } from "node:zlib";
import { indexes, queryAll, type Table } from "../table.ts";

/*
 * The `due` index has what needs attention by a time. Each kind of work is divided among partitions by id, because
 * DynamoDB limits the writes per second of one partition key.
 */
const PARTITIONS = 16;

/** What can be due. */
export type DueKind = "RUN" | "SCHEDULE";

/** An item in the `due` index: its account, its id, and when it needs attention. */
export interface DueItem {
  account: string;
  id: string;
  due_at: string;
}

const PER_READ = 1_000;

/** The partition of the `due` index for this item. */
export const duePartition = (kind: DueKind, id: string) => `${kind}#${crc32(id) % PARTITIONS}`;

/** Due items of each partition of a kind, the longest overdue first. */
export const dueItems = (table: Table, kind: DueKind, by: Date): AsyncGenerator<DueItem>[] =>
  Array.from({ length: PARTITIONS }, (_, partition) =>
    queryAll(table, {
      IndexName: indexes.due,
      KeyConditionExpression: "due = :due AND due_at <= :by",
      ExpressionAttributeValues: { ":due": `${kind}#${partition}`, ":by": by.toISOString() },
      Limit: PER_READ,
    }),
  );

/** The items of all partitions, one partition after the other. */
export async function* allDue(table: Table, kind: DueKind, by: Date): AsyncGenerator<DueItem> {
  for (const items of dueItems(table, kind, by)) yield* items;
}
