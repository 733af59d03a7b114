import type { CreateTableCommandInput } from "@aws-sdk/client-dynamodb";
import { DynamoDbError, invalid, invalidParameter } from "./errors.ts";
import { attribute, type Item, itemSize, MAX_ITEM_BYTES, typeOf } from "./values.ts";

/** The names of the key attributes: the partition key (`hash`) and the sort key (`range`). */
export interface Keys {
  hash: string;
  range: string;
}

export interface Index {
  name: string;
  keys: Keys;
  /** The attributes that are projected into the index besides the keys; undefined if all are. */
  attributes: readonly string[] | undefined;
}

export interface Schema {
  table: string;
  keys: Keys;
  indexes: readonly Index[];
  /** The attribute with the time to live: the time, in seconds since 1970, after which an item may be removed. */
  ttlAttribute: string;
}

export type TableSchema = Pick<
  CreateTableCommandInput,
  "AttributeDefinitions" | "KeySchema" | "GlobalSecondaryIndexes"
>;

/** The values of the partition key and the sort key of an item. */
export interface Key {
  hash: string;
  range: string;
}

const MAX_HASH_BYTES = 2048;
export const MAX_RANGE_BYTES = 1024;

/**
 * The schema of a table, from the parameters of CreateTable.
 * @throws Error if a key is not a string, or if there is no sort key. Such tables are not supported.
 */
export function readSchema(table: string, ttlAttribute: string, schema: TableSchema): Schema {
  const keysOf = (keySchema: TableSchema["KeySchema"] = []): Keys => {
    const [hash, range] = ["HASH", "RANGE"].map(
      (type) => keySchema.find(({ KeyType }) => KeyType === type)?.AttributeName,
    );
    if (!isStringKey(hash) || !isStringKey(range)) throw new Error("Keys are a string and a string.");
    return { hash, range };
  };
  const isStringKey = (name: string | undefined): name is string =>
    name !== undefined &&
    /^\w+$/.test(name) &&
    (schema.AttributeDefinitions ?? []).some(
      ({ AttributeName, AttributeType }) => AttributeName === name && AttributeType === "S",
    );
  return {
    table,
    keys: keysOf(schema.KeySchema),
    indexes: (schema.GlobalSecondaryIndexes ?? []).map(({ IndexName = "", KeySchema, Projection }) => ({
      name: IndexName,
      keys: keysOf(KeySchema),
      attributes: Projection?.ProjectionType === "ALL" ? undefined : (Projection?.NonKeyAttributes ?? []),
    })),
    ttlAttribute,
  };
}

export function findIndex({ indexes }: Schema, name: string): Index {
  const index = indexes.find((one) => one.name === name);
  if (index === undefined) throw invalid(`The table does not have the specified index: ${name}`);
  return index;
}

/** The values of an item's key attributes; undefined if one of them is missing or not a string. */
export function keyOf({ hash, range }: Keys, item: Item): Key | undefined {
  const [one, other] = [attribute(item, hash), attribute(item, range)];
  return one && other && "S" in one && "S" in other ? { hash: one.S, range: other.S } : undefined;
}

/** The key in a request. @throws DynamoDbError if `raw` is not exactly a key of the table */
export function parseKey({ keys }: Schema, raw: Item): Key {
  const key = keyOf(keys, raw);
  if (key === undefined || Object.keys(raw).length !== 2) {
    throw invalid("The provided key element does not match the schema");
  }
  assertKeySize(keys, key);
  return key;
}

function assertKeySize({ hash, range }: Keys, key: Key): void {
  for (const [name, value, most] of [
    [hash, key.hash, MAX_HASH_BYTES],
    [range, key.range, MAX_RANGE_BYTES],
  ] as const) {
    if (value === "") {
      throw invalidParameter(
        `The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
      );
    }
    if (Buffer.byteLength(value) > most) {
      throw invalidParameter(`Size of ${name} has exceeded the maximum size limit of ${most} bytes`);
    }
  }
}

/** The key of an item to store. @throws DynamoDbError if it is missing or invalid */
export function itemKey({ keys }: Schema, item: Item): Key {
  for (const name of [keys.hash, keys.range]) {
    const value = attribute(item, name);
    if (value === undefined) throw invalidParameter(`Missing the key ${name} in the item`);
    if (!("S" in value)) {
      throw invalidParameter(`Type mismatch for key ${name} expected: S actual: ${typeOf(value)}`);
    }
  }
  const key = keyOf(keys, item) as Key;
  assertKeySize(keys, key);
  return key;
}

/** Checks the size of an item. @throws DynamoDbError with this message if the item is too large */
export function assertItemSize(item: Item, message: string): void {
  if (itemSize(item) > MAX_ITEM_BYTES) throw invalid(message);
}

/** @throws DynamoDbError if the item has an invalid key value for an index */
export function assertIndexKeys({ indexes }: Schema, item: Item): void {
  for (const index of indexes) {
    for (const name of [index.keys.hash, index.keys.range]) {
      const value = attribute(item, name);
      if (value !== undefined && !("S" in value)) {
        throw invalidParameter(
          `Type mismatch for Index Key ${name} Expected: S Actual: ${typeOf(value)} IndexName: ${index.name}`,
        );
      }
      if (value?.S === "") {
        throw invalidParameter(
          `The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index.name}, IndexKey: ${name}`,
        );
      }
    }
    const key = keyOf(index.keys, item);
    if (key !== undefined) assertKeySize(index.keys, key);
  }
}

/**
 * The entry of an item in an index, with the projected attributes; undefined if the index does not contain the item.
 */
export function entryOf(
  { keys: tableKeys }: Schema,
  { keys, attributes }: Index,
  item: Item,
): Item | undefined {
  if (keyOf(keys, item) === undefined) return undefined;
  if (attributes === undefined) return item;
  const kept = new Set([tableKeys.hash, tableKeys.range, keys.hash, keys.range, ...attributes]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => kept.has(name)));
}

/** @throws DynamoDbError if `name` is not the name of the table */
export function assertTable({ table }: Schema, name: string): void {
  if (name === table) return;
  throw new DynamoDbError("ResourceNotFoundException", "Requested resource not found");
}
