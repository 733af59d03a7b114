import * as v from "valibot";
import { consumedCapacity, readUnits } from "./capacity.ts";
import { type Condition, holds, parseCondition } from "./condition.ts";
import { invalid } from "./errors.ts";
import { parseProjection } from "./expression-parser.ts";
import { keyCondition } from "./key-condition.ts";
import { type Path, project } from "./paths.ts";
import { Attributes, Capacity, Names, Placeholders, parseRequest, Table } from "./requests.ts";
import { assertTable, entryOf, findIndex, type Index, keyOf, parseKey, type Schema } from "./schema.ts";
import { Scope } from "./scope.ts";
import type { Range, TableFile } from "./table-file.ts";
import { type Item, itemSize } from "./values.ts";

/** The maximum size of the items that one Query or Scan reads, in bytes. */
const MAX_PAGE_BYTES = 1024 * 1024;

const GetItem = v.strictObject({
  ...Table,
  ...Names,
  ...Capacity,
  Key: Attributes,
  ConsistentRead: v.optional(v.boolean(), false),
  ProjectionExpression: v.optional(v.string()),
});

export function getItem(schema: Schema, file: TableFile, input: unknown): object {
  const request = parseRequest(GetItem, input);
  assertTable(schema, request.TableName);
  const key = parseKey(schema, request.Key);
  const paths = readProjection(request.ProjectionExpression, new Scope(request.ExpressionAttributeNames));
  const item = file.get(key);
  const units = readUnits(item ? itemSize(item) : 0, request.ConsistentRead);
  return {
    Item: item && projected(item, paths),
    ConsumedCapacity: consumedCapacity(schema, request.ReturnConsumedCapacity, {
      table: units,
      indexes: new Map(),
    }),
  };
}

/**
 * Parses a ProjectionExpression. It must be the last expression of the request that is parsed, because this also checks
 * that all names and values are used.
 */
export function readProjection(text: string | undefined, scope: Scope): Path[] | undefined {
  const paths = text === undefined ? undefined : parseProjection(text, scope);
  scope.assertAllUsed();
  return paths;
}

export const projected = (item: Item, paths: readonly Path[] | undefined): Item =>
  paths ? project(item, paths) : item;

const Page = {
  ...Table,
  ...Placeholders,
  ...Capacity,
  IndexName: v.optional(v.string()),
  FilterExpression: v.optional(v.string()),
  ProjectionExpression: v.optional(v.string()),
  Limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  ExclusiveStartKey: v.optional(Attributes),
  ConsistentRead: v.optional(v.boolean(), false),
  Select: v.optional(
    v.picklist(["ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT"]),
  ),
};
const Scan = v.strictObject(Page);
const Query = v.strictObject({
  ...Page,
  KeyConditionExpression: v.string(),
  ScanIndexForward: v.optional(v.boolean(), true),
});
type PageRequest = v.InferOutput<typeof Scan>;

export function query(schema: Schema, file: TableFile, input: unknown): object {
  const request = parseRequest(Query, input);
  const scope = new Scope(request.ExpressionAttributeNames, request.ExpressionAttributeValues);
  const condition = parseCondition("KeyConditionExpression", request.KeyConditionExpression, scope);
  const index = indexOf(schema, request);
  const selected = keyCondition(condition, (index ?? schema).keys);
  return readPage(schema, file, request, scope, {
    ...selected,
    index,
    isForward: request.ScanIndexForward,
    after: startOf(schema, index, request.ExclusiveStartKey, selected.hash),
  });
}

export function scan(schema: Schema, file: TableFile, input: unknown): object {
  const request = parseRequest(Scan, input);
  const scope = new Scope(request.ExpressionAttributeNames, request.ExpressionAttributeValues);
  const index = indexOf(schema, request);
  return readPage(schema, file, request, scope, {
    index,
    hash: undefined,
    bounds: [],
    isForward: true,
    after: startOf(schema, index, request.ExclusiveStartKey),
  });
}

function indexOf(schema: Schema, request: PageRequest): Index | undefined {
  assertTable(schema, request.TableName);
  const index = request.IndexName === undefined ? undefined : findIndex(schema, request.IndexName);
  if (index !== undefined && request.ConsistentRead) {
    throw invalid("Consistent reads are not supported on global secondary indexes");
  }
  if (index?.attributes !== undefined && request.Select === "ALL_ATTRIBUTES") {
    throw invalid(
      `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
  }
  return index;
}

/** The key values of the ExclusiveStartKey, in the order of `Range.after`. @throws DynamoDbError if it is invalid */
function startOf(
  schema: Schema,
  index: Index | undefined,
  start: Item | undefined,
  hash?: string,
): string[] | undefined {
  if (start === undefined) return undefined;
  const keys = [...(index ? [index.keys] : []), schema.keys];
  const values = keys.map((one) => keyOf(one, start));
  const names = new Set(keys.flatMap((one) => [one.hash, one.range]));
  const [first] = values;
  if (values.includes(undefined) || Object.keys(start).length !== names.size) {
    throw invalid("The provided starting key is invalid");
  }
  if (hash !== undefined && first?.hash !== hash) {
    throw invalid("The provided starting key is outside query boundaries based on provided conditions");
  }
  return values.flatMap((key) => (key ? [key.hash, key.range] : []));
}

function readPage(schema: Schema, file: TableFile, request: PageRequest, scope: Scope, range: Range): object {
  const { FilterExpression: text, Limit = Number.POSITIVE_INFINITY, Select } = request;
  const filter = text === undefined ? undefined : parseCondition("FilterExpression", text, scope);
  const paths = readProjection(request.ProjectionExpression, scope);
  assertSelect(Select, paths);
  const page = collect(schema, file, range, filter, Limit);
  const units = readUnits(page.bytes, request.ConsistentRead);
  return {
    Items: Select === "COUNT" ? undefined : page.items.map((item) => projected(item, paths)),
    Count: page.items.length,
    ScannedCount: page.scanned,
    LastEvaluatedKey: page.last && project(page.last, keyPaths(schema, range.index)),
    ConsumedCapacity: consumedCapacity(schema, request.ReturnConsumedCapacity, {
      table: range.index ? 0 : units,
      indexes: new Map(range.index ? [[range.index.name, units]] : []),
    }),
  };
}

function assertSelect(select: string | undefined, paths: readonly Path[] | undefined): void {
  if (select === undefined || (select === "SPECIFIC_ATTRIBUTES") === (paths !== undefined)) return;
  throw invalid(`Cannot specify the ProjectionExpression when choosing to get ${select}`);
}

const keyPaths = (schema: Schema, index: Index | undefined): Path[] =>
  [schema.keys, ...(index ? [index.keys] : [])].flatMap(({ hash, range }): Path[] => [[hash], [range]]);

/**
 * Reads items until the limit or the maximum size of a page is reached. `last` is the last item that was read if there
 * may be more, or else undefined. `bytes` is the size of all items read, also of those that the filter removes.
 */
function collect(
  schema: Schema,
  file: TableFile,
  range: Range,
  filter: Condition | undefined,
  limit: number,
) {
  const items: Item[] = [];
  let [scanned, bytes] = [0, 0];
  let last: Item | undefined;
  for (const stored of file.read(range)) {
    const item = range.index ? (entryOf(schema, range.index, stored) ?? stored) : stored;
    const size = itemSize(item);
    if (scanned > 0 && bytes + size > MAX_PAGE_BYTES) return { items, scanned, bytes, last };
    scanned += 1;
    bytes += size;
    last = item;
    if (filter === undefined || holds(filter, item)) items.push(item);
    if (scanned >= limit) return { items, scanned, bytes, last };
  }
  return { items, scanned, bytes, last: undefined };
}
