import { entryOf, keyOf, type Schema } from "./schema.ts";
import { areEqual, type Item, itemSize } from "./values.ts";

/** How many bytes one capacity unit reads or writes. */
const READ_UNIT = 4 * 1024;
const WRITE_UNIT = 1024;

/** The capacity units that a request consumes. */
export interface Units {
  table: number;
  /** The units of each index, by its name. */
  indexes: ReadonlyMap<string, number>;
}

export const readUnits = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / READ_UNIT)) * (isConsistent ? 1 : 0.5);

const unitsOf = (...items: (Item | undefined)[]) =>
  Math.max(1, ...items.map((item) => (item ? Math.ceil(itemSize(item) / WRITE_UNIT) : 0)));

/**
 * The units of one write: for the item in the table, and for each index entry that the write adds, changes or removes.
 */
export function writeUnits(schema: Schema, before: Item | undefined, after: Item | undefined): Units {
  const indexes = new Map<string, number>();
  for (const index of schema.indexes) {
    const [old, entry] = [before, after].map((item) => item && entryOf(schema, index, item));
    const [oldKey, key] = [old, entry].map((item) => item && keyOf(index.keys, item));
    if (old && entry && oldKey?.hash === key?.hash && oldKey?.range === key?.range) {
      if (!areEqual({ M: old }, { M: entry })) indexes.set(index.name, unitsOf(old, entry));
    } else {
      const units = (old ? unitsOf(old) : 0) + (entry ? unitsOf(entry) : 0);
      if (units > 0) indexes.set(index.name, units);
    }
  }
  return { table: unitsOf(before, after), indexes };
}

/**
 * The sum of the units of several writes. Those of the table are multiplied by `factor`, which is 2 for transactions.
 */
export function addUnits(all: readonly Units[], factor = 1): Units {
  const indexes = new Map<string, number>();
  for (const units of all) {
    for (const [name, count] of units.indexes) indexes.set(name, (indexes.get(name) ?? 0) + count);
  }
  return { table: all.reduce((sum, { table }) => sum + table * factor, 0), indexes };
}

/** The `ConsumedCapacity` of a response. `wanted` is the request's `ReturnConsumedCapacity`. */
export function consumedCapacity(schema: Schema, wanted: string | undefined, { table, indexes }: Units) {
  if (wanted === undefined || wanted === "NONE") return undefined;
  const CapacityUnits = [...indexes.values()].reduce((sum, units) => sum + units, table);
  const total = { TableName: schema.table, CapacityUnits };
  if (wanted === "TOTAL") return total;
  return {
    ...total,
    Table: { CapacityUnits: table },
    ...(indexes.size > 0 && {
      GlobalSecondaryIndexes: Object.fromEntries(
        [...indexes].map(([name, units]) => [name, { CapacityUnits: units }]),
      ),
    }),
  };
}
