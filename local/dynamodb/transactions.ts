import { createHash } from "node:crypto";
import * as v from "valibot";
import { addUnits, consumedCapacity, readUnits, writeUnits } from "./capacity.ts";
import { DynamoDbError, invalid } from "./errors.ts";
import { projected, readProjection } from "./reads.ts";
import { Attributes, Capacity, Names, parseRequest, Table } from "./requests.ts";
import { assertTable, type Key, parseKey, type Schema } from "./schema.ts";
import { Scope } from "./scope.ts";
import type { TableFile } from "./table-file.ts";
import { itemSize } from "./values.ts";
import {
  type Change,
  Check,
  checkWrite,
  Delete,
  deleteWrite,
  Put,
  prepare,
  putWrite,
  store,
  Updated,
  updateWrite,
  type Write,
} from "./writes.ts";

const MAX_ACTIONS = 100;
const MAX_BYTES = 4 * 1024 * 1024;
/** Reads and writes in a transaction consume twice as many capacity units as outside one. */
const FACTOR = 2;

const TransactWriteItems = v.strictObject({
  ...Capacity,
  ClientRequestToken: v.optional(v.pipe(v.string(), v.maxLength(36))),
  TransactItems: v.pipe(
    v.array(
      v.strictObject({
        Put: v.optional(v.strictObject(Put)),
        Update: v.optional(v.strictObject({ ...Updated, UpdateExpression: v.string() })),
        Delete: v.optional(v.strictObject(Delete)),
        ConditionCheck: v.optional(v.strictObject(Check)),
      }),
    ),
    v.minLength(1),
    v.maxLength(MAX_ACTIONS),
  ),
});
type Action = v.InferOutput<typeof TransactWriteItems>["TransactItems"][number];

/** Does all writes, or none. A second request with the same client request token, such as a retry, changes nothing. */
export function transactWriteItems(schema: Schema, file: TableFile, input: unknown): object {
  const request = parseRequest(TransactWriteItems, input);
  const writes = request.TransactItems.map((action) => writeOf(schema, action));
  assertDistinct(writes);
  const { ClientRequestToken: token, TransactItems } = request;
  const changes = file.transaction(() => {
    if (token !== undefined && isRepeated(file, token, TransactItems)) {
      return writes.map(({ key }): Change => ({ before: file.get(key), after: file.get(key) }));
    }
    return writeAll(file, writes);
  });
  const units = changes.map(({ before, after }) => writeUnits(schema, before, after));
  const consumed = consumedCapacity(schema, request.ReturnConsumedCapacity, addUnits(units, FACTOR));
  return { ConsumedCapacity: consumed && [consumed] };
}

function writeOf(schema: Schema, { Put, Update, Delete, ConditionCheck }: Action): Write {
  const writes = [
    Put && putWrite(schema, Put),
    Update && updateWrite(schema, Update),
    Delete && deleteWrite(schema, Delete),
    ConditionCheck && checkWrite(schema, ConditionCheck),
  ].filter((write) => write !== undefined);
  const [write] = writes;
  if (write !== undefined && writes.length === 1) return write;
  throw invalid("TransactItems can only contain one of Check, Put, Update or Delete");
}

function assertDistinct(actions: readonly { key: Key }[]): void {
  if (new Set(actions.map(({ key }) => JSON.stringify([key.hash, key.range]))).size === actions.length)
    return;
  throw invalid("Transaction request cannot include multiple operations on one item");
}

function isRepeated(file: TableFile, token: string, actions: readonly Action[]): boolean {
  const digest = createHash("sha256").update(JSON.stringify(actions)).digest("base64");
  const known = file.digestOf(token, Date.now());
  if (known !== undefined && known !== digest) {
    throw new DynamoDbError(
      "IdempotentParameterMismatchException",
      "The provided client token was used with other parameters",
    );
  }
  file.keepToken(token, digest, Date.now());
  return known !== undefined;
}

/**
 * Prepares all writes, and stores them only if none fails.
 * @throws DynamoDbError with the reason for each failed write
 */
function writeAll(file: TableFile, writes: readonly Write[]): Change[] {
  const attempts = writes.map((write) => attempt(() => prepare(file, write)));
  const reasons = attempts.map(({ error }) => reasonOf(error));
  if (attempts.some(({ error }) => error !== undefined)) {
    throw new DynamoDbError(
      "TransactionCanceledException",
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(", ")}]`,
      { CancellationReasons: reasons },
    );
  }
  const changes = attempts.flatMap(({ change }) => change ?? []);
  const bytes = changes.reduce((sum, { after }) => sum + (after ? itemSize(after) : 0), 0);
  if (bytes > MAX_BYTES) throw invalid("Collection size of items in the transaction exceeds 4 MB");
  for (const [at, change] of changes.entries()) store(file, (writes[at] as Write).key, change);
  return changes;
}

function attempt(work: () => Change): { change?: Change; error?: DynamoDbError } {
  try {
    return { change: work() };
  } catch (error) {
    if (error instanceof DynamoDbError) return { error };
    throw error;
  }
}

function reasonOf(error: DynamoDbError | undefined): { Code: string; Message?: string; Item?: unknown } {
  if (error === undefined) return { Code: "None" };
  const Code =
    error.type === "ConditionalCheckFailedException" ? "ConditionalCheckFailed" : "ValidationError";
  return { Code, Message: error.message, ...error.fields };
}

const TransactGetItems = v.strictObject({
  ...Capacity,
  TransactItems: v.pipe(
    v.array(
      v.strictObject({
        Get: v.strictObject({
          ...Table,
          ...Names,
          Key: Attributes,
          ProjectionExpression: v.optional(v.string()),
        }),
      }),
    ),
    v.minLength(1),
    v.maxLength(MAX_ACTIONS),
  ),
});

export function transactGetItems(schema: Schema, file: TableFile, input: unknown): object {
  const request = parseRequest(TransactGetItems, input);
  const gets = request.TransactItems.map(({ Get }) => {
    assertTable(schema, Get.TableName);
    const paths = readProjection(Get.ProjectionExpression, new Scope(Get.ExpressionAttributeNames));
    return { key: parseKey(schema, Get.Key), paths };
  });
  assertDistinct(gets);
  const found = file.transaction(() => gets.map(({ key, paths }) => ({ item: file.get(key), paths })));
  const units = found.map(({ item }) => readUnits(item ? itemSize(item) : 0, true));
  const consumed = consumedCapacity(schema, request.ReturnConsumedCapacity, {
    table: units.reduce((sum, one) => sum + one * FACTOR, 0),
    indexes: new Map(),
  });
  return {
    Responses: found.map(({ item, paths }) => ({ Item: item && projected(item, paths) })),
    ConsumedCapacity: consumed && [consumed],
  };
}
