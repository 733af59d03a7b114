import { gunzipSync, gzipSync } from "node:zlib";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { getAll, type Key, type Table, unlessConditionFails } from "../table.ts";

/*
 * A numbered list counts its newest number, and knows the numbers below it that have no item: those of deleted items, and
 * those that were taken by a process that died. So the number at which a page begins can be computed, and every page but
 * the last is full. The ranges of a list are one item, which takes some 3 bytes for each range.
 */

/** Where the count and the gaps of a list are stored. `countAttribute`: the attribute with the newest number. */
export interface ListKeys {
  count: Key;
  countAttribute: string;
  /** Whose count it is, where the key alone does not say so, and where earlier versions of the service kept it. */
  counted?: { id: string; before: Key };
  gaps: Key;
}

/** Numbers without an item: from the first to the second of each pair. In ascending order, and apart from each other. */
export type Ranges = [from: number, to: number][];

export interface Extent {
  /** The newest number; 0: the list is empty. */
  count: number;
  gaps: Ranges;
  /** The version of the gaps' item; undefined: there is none. */
  version: number | undefined;
}

/** How far a list goes and where it has gaps, in one request. */
export async function readExtent(table: Table, keys: ListKeys): Promise<Extent> {
  const items = await getAll<Record<string, unknown>>(table, [keys.count, keys.gaps]);
  const gaps = items.find(({ pk, sk }) => pk === keys.gaps.pk && sk === keys.gaps.sk);
  const stored = items.find((item) => item !== gaps);
  const { counted } = keys;
  const isOther = counted !== undefined && stored?.id !== counted.id;
  const [count] = isOther ? await getAll<Record<string, unknown>>(table, [counted.before]) : [stored];
  return {
    count: Number(count?.[keys.countAttribute] ?? 0),
    gaps: gaps === undefined ? [] : decode(gaps.ranges as Uint8Array),
    version: gaps?.version as number | undefined,
  };
}

/** The number of the item that so many newer items precede; less than 1 if there are not that many. */
export function numberAt({ count, gaps }: Pick<Extent, "count" | "gaps">, newer: number): number {
  let top = count;
  let left = newer;
  for (const [from, to] of gaps.toReversed()) {
    const items = top - to;
    if (left < items) break;
    left -= items;
    top = from - 1;
  }
  return top - left;
}

/** Records that these numbers, or ranges of numbers, have no item and will never have one. */
export async function addGaps(
  table: Table,
  keys: ListKeys,
  missing: readonly (number | Ranges[number])[],
): Promise<void> {
  for (;;) {
    const { gaps, version } = await readExtent(table, keys);
    const update = new UpdateCommand({
      TableName: table.name,
      Key: keys.gaps,
      UpdateExpression: "SET #ranges = :ranges, #version = :next",
      ConditionExpression: version === undefined ? "attribute_not_exists(pk)" : "#version = :version",
      ExpressionAttributeNames: { "#ranges": "ranges", "#version": "version" },
      ExpressionAttributeValues: {
        ":ranges": encode(withGaps(gaps, missing)),
        ":next": (version ?? 0) + 1,
        ...(version !== undefined && { ":version": version }),
      },
    });
    if ((await unlessConditionFails(table.db.send(update))) !== undefined) return;
    // Another process has added its own in the meantime.
  }
}

/** The ranges with these numbers and ranges added. */
function withGaps(ranges: Ranges, missing: readonly (number | Ranges[number])[]): Ranges {
  const all = [...ranges, ...missing].map((gap): [number, number] =>
    typeof gap === "number" ? [gap, gap] : [...gap],
  );
  all.sort(([one], [other]) => one - other);
  const merged: Ranges = [];
  for (const [from, to] of all) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Each number is stored as its distance from the one before it, which compresses well. */
function encode(ranges: Ranges): Uint8Array {
  const numbers = ranges.flat();
  return gzipSync(JSON.stringify(numbers.map((number, index) => number - (numbers[index - 1] ?? 0))));
}

function decode(data: Uint8Array): Ranges {
  let sum = 0;
  const numbers = (JSON.parse(gunzipSync(data).toString()) as number[]).map((distance) => {
    sum += distance;
    return sum;
  });
  return numbers.flatMap(
    (from, index): Ranges => (index % 2 === 0 ? [[from, numbers[index + 1] ?? from]] : []),
  );
}
