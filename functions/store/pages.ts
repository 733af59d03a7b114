import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { PAGE_SIZE } from "../contract/routes.ts";
import { numberKey } from "./numbering.ts";
import type { Table } from "./table.ts";

/** One page of a list; `nextPage` is null on the last page. */
export interface Page<T> {
  items: T[];
  nextPage: number | null;
}

/** A list of numbered items: their partition, and the attribute with their number. */
export interface NumberedList {
  index?: string;
  partition: { attribute: string; value: string };
  numberAttribute: string;
  /** The newest number. */
  count: number;
}

/**
 * One page of a numbered list, newest first. Reads PAGE_SIZE + 1 items for every page; the extra item is the first of the
 * following page. An unused number leaves a gap and moves no other item to another page.
 */
export async function readPage<T>({ db, name }: Table, list: NumberedList, page: number): Promise<Page<T>> {
  const newest = list.count - (page - 1) * PAGE_SIZE;
  if (newest < 1) return { items: [], nextPage: null };
  const items: Record<string, unknown>[] = [];
  let next: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await db.send(
      new QueryCommand({
        TableName: name,
        IndexName: list.index,
        KeyConditionExpression: "#partition = :partition AND #number <= :newest",
        ExpressionAttributeNames: { "#partition": list.partition.attribute, "#number": list.numberAttribute },
        ExpressionAttributeValues: { ":partition": list.partition.value, ":newest": numberKey(newest) },
        ScanIndexForward: false,
        Limit: PAGE_SIZE + 1 - items.length,
        ExclusiveStartKey: next,
        ConsistentRead: list.index === undefined,
      }),
    );
    items.push(...Items);
    next = LastEvaluatedKey;
    // A Query returns at most 1 MB: items with many long steps or rows need several.
  } while (next !== undefined && items.length <= PAGE_SIZE);
  const oldest = numberKey(newest - PAGE_SIZE + 1);
  const isOnPage = (item: Record<string, unknown>) => String(item[list.numberAttribute]) >= oldest;
  return {
    items: items.filter(isOnPage) as T[],
    nextPage: items.some((item) => !isOnPage(item)) ? page + 1 : null,
  };
}
