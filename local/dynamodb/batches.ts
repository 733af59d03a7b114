import * as v from "valibot";
import { addUnits, consumedCapacity, readUnits, writeUnits } from "./capacity.ts";
import { invalid } from "./errors.ts";
import { projected, readProjection } from "./reads.ts";
import { Attributes, Capacity, Names, parseRequest } from "./requests.ts";
import { assertTable, type Key, parseKey, type Schema } from "./schema.ts";
import { Scope } from "./scope.ts";
import type { TableFile } from "./table-file.ts";
import { type Item, itemSize } from "./values.ts";
import { deleteWrite, prepare, putWrite, store } from "./writes.ts";

const MAX_GETS = 100;
const MAX_WRITES = 25;
/** The maximum size of the items of one BatchGetItem, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

const KeysAndAttributes = v.strictObject({
  ...Names,
  Keys: v.pipe(v.array(Attributes), v.minLength(1), v.maxLength(MAX_GETS)),
  ConsistentRead: v.optional(v.boolean(), false),
  ProjectionExpression: v.optional(v.string()),
});
const BatchGetItem = v.strictObject({
  ...Capacity,
  RequestItems: v.record(v.string(), KeysAndAttributes),
});

export function batchGetItem(schema: Schema, file: TableFile, input: unknown): object {
  const { RequestItems, ReturnConsumedCapacity } = parseRequest(BatchGetItem, input);
  const request = onlyTable(schema, RequestItems);
  const keys = request.Keys.map((raw) => parseKey(schema, raw));
  assertDistinct(keys);
  const paths = readProjection(request.ProjectionExpression, new Scope(request.ExpressionAttributeNames));
  const found: Item[] = [];
  let [bytes, units, read] = [0, 0, 0];
  for (const key of keys) {
    const item = file.get(key);
    const size = item ? itemSize(item) : 0;
    if (bytes + size > MAX_BYTES) break;
    bytes += size;
    units += readUnits(size, request.ConsistentRead);
    read += 1;
    if (item) found.push(projected(item, paths));
  }
  const consumed = consumedCapacity(schema, ReturnConsumedCapacity, { table: units, indexes: new Map() });
  const left = request.Keys.slice(read);
  return {
    Responses: { [schema.table]: found },
    UnprocessedKeys: left.length > 0 ? { [schema.table]: { ...request, Keys: left } } : {},
    ConsumedCapacity: consumed && [consumed],
  };
}

const WriteRequest = v.strictObject({
  PutRequest: v.optional(v.strictObject({ Item: Attributes })),
  DeleteRequest: v.optional(v.strictObject({ Key: Attributes })),
});
const BatchWriteItem = v.strictObject({
  ...Capacity,
  RequestItems: v.record(v.string(), v.pipe(v.array(WriteRequest), v.minLength(1), v.maxLength(MAX_WRITES))),
});

export function batchWriteItem(schema: Schema, file: TableFile, input: unknown): object {
  const { RequestItems, ReturnConsumedCapacity } = parseRequest(BatchWriteItem, input);
  const TableName = schema.table;
  const writes = onlyTable(schema, RequestItems).map(({ PutRequest, DeleteRequest }) => {
    if (PutRequest && !DeleteRequest) return putWrite(schema, { TableName, ...PutRequest });
    if (DeleteRequest && !PutRequest) return deleteWrite(schema, { TableName, ...DeleteRequest });
    throw invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one");
  });
  assertDistinct(writes.map(({ key }) => key));
  const changes = file.transaction(() =>
    writes.map((write) => {
      const change = prepare(file, write);
      store(file, write.key, change);
      return change;
    }),
  );
  const units = changes.map(({ before, after }) => writeUnits(schema, before, after));
  const consumed = consumedCapacity(schema, ReturnConsumedCapacity, addUnits(units));
  return { UnprocessedItems: {}, ConsumedCapacity: consumed && [consumed] };
}

/** The requests for the table of the schema. @throws DynamoDbError if there are requests for another table */
function onlyTable<T>(schema: Schema, requests: Record<string, T>): T {
  const [[name, request] = ["", undefined], ...others] = Object.entries(requests);
  for (const [table] of [[name], ...others]) assertTable(schema, table as string);
  return request as T;
}

function assertDistinct(keys: readonly Key[]): void {
  if (new Set(keys.map(({ hash, range }) => JSON.stringify([hash, range]))).size === keys.length) return;
  throw invalid("Provided list of item keys contains duplicates");
}
