import * as v from "valibot";
import { consumedCapacity, writeUnits } from "./capacity.ts";
import { type Condition, holds, parseCondition } from "./condition.ts";
import { DynamoDbError } from "./errors.ts";
import { project } from "./paths.ts";
import { Attributes, Capacity, Placeholders, parseRequest, Table } from "./requests.ts";
import {
  assertIndexKeys,
  assertItemSize,
  assertTable,
  itemKey,
  type Key,
  parseKey,
  type Schema,
} from "./schema.ts";
import { Scope } from "./scope.ts";
import type { TableFile } from "./table-file.ts";
import { applyUpdate, changedPaths, parseUpdate, type Update } from "./update.ts";
import type { Item } from "./values.ts";

/** A write with a validated request. It is not done yet. */
export interface Write {
  key: Key;
  condition: Condition | undefined;
  /** Whether the error for a failed condition contains the item. */
  returnsOld: boolean;
  /** Called before the condition is checked. @throws DynamoDbError if the item has an invalid key value for an index */
  validate?(): void;
  /** Returns the item after the write; undefined if the write deletes it. */
  change(before: Item | undefined): Item | undefined;
}

/** The item before and after a write; undefined if there is none. */
export interface Change {
  before: Item | undefined;
  after: Item | undefined;
}

const Conditional = {
  ...Table,
  ...Placeholders,
  ConditionExpression: v.optional(v.string()),
  ReturnValuesOnConditionCheckFailure: v.optional(v.picklist(["NONE", "ALL_OLD"])),
};
export const Put = { ...Conditional, Item: Attributes };
export const Delete = { ...Conditional, Key: Attributes };
export const Updated = { ...Conditional, Key: Attributes, UpdateExpression: v.optional(v.string()) };
export const Check = { ...Delete, ConditionExpression: v.string() };

type ConditionalRequest = v.InferOutput<v.StrictObjectSchema<typeof Conditional, undefined>>;
type PutRequest = v.InferOutput<v.StrictObjectSchema<typeof Put, undefined>>;
type DeleteRequest = v.InferOutput<v.StrictObjectSchema<typeof Delete, undefined>>;
type UpdateRequest = v.InferOutput<v.StrictObjectSchema<typeof Updated, undefined>>;

const scopeOf = (request: ConditionalRequest) =>
  new Scope(request.ExpressionAttributeNames, request.ExpressionAttributeValues);

/**
 * The condition of a write. It must be the last expression of the request that is parsed, because this also checks that
 * all names and values are used.
 */
function conditionOf(request: ConditionalRequest, scope = scopeOf(request)) {
  const { ConditionExpression: text } = request;
  const condition = text === undefined ? undefined : parseCondition("ConditionExpression", text, scope);
  scope.assertAllUsed();
  return { condition, returnsOld: request.ReturnValuesOnConditionCheckFailure === "ALL_OLD" };
}

export function putWrite(schema: Schema, request: PutRequest): Write {
  assertTable(schema, request.TableName);
  const key = itemKey(schema, request.Item);
  assertItemSize(request.Item, "Item size has exceeded the maximum allowed size");
  return {
    key,
    ...conditionOf(request),
    validate: () => assertIndexKeys(schema, request.Item),
    change: () => request.Item,
  };
}

export function deleteWrite(schema: Schema, request: DeleteRequest): Write {
  assertTable(schema, request.TableName);
  return { key: parseKey(schema, request.Key), ...conditionOf(request), change: () => undefined };
}

/** A condition check of a transaction. It changes nothing, but the transaction fails if the condition is false. */
export const checkWrite = (schema: Schema, request: DeleteRequest): Write => ({
  ...deleteWrite(schema, request),
  change: (before) => before,
});

export function updateWrite(schema: Schema, request: UpdateRequest): Write & { update: Update | undefined } {
  assertTable(schema, request.TableName);
  const { Key, UpdateExpression: text } = request;
  const scope = scopeOf(request);
  const keyNames = [schema.keys.hash, schema.keys.range];
  const update = text === undefined ? undefined : parseUpdate(text, scope, keyNames);
  return {
    key: parseKey(schema, Key),
    ...conditionOf(request, scope),
    update,
    change(before = Key) {
      const after = update ? applyUpdate(update, before) : before;
      assertIndexKeys(schema, after);
      assertItemSize(after, "Item size to update has exceeded the maximum allowed size");
      return after;
    },
  };
}

/** Computes the change of a write, without storing it. @throws DynamoDbError if the condition is false */
export function prepare(file: TableFile, { key, condition, returnsOld, validate, change }: Write): Change {
  validate?.();
  const before = file.get(key);
  if (condition !== undefined && !holds(condition, before ?? {})) {
    throw new DynamoDbError(
      "ConditionalCheckFailedException",
      "The conditional request failed",
      returnsOld && before ? { Item: before } : {},
    );
  }
  return { before, after: change(before) };
}

export function store(file: TableFile, key: Key, { before, after }: Change): void {
  if (after === before) return;
  if (after === undefined) file.delete(key);
  else file.put(key, after);
}

const execute = (file: TableFile, write: Write): Change =>
  file.transaction(() => {
    const change = prepare(file, write);
    store(file, write.key, change);
    return change;
  });

const OldOrNothing = { ReturnValues: v.optional(v.picklist(["NONE", "ALL_OLD"])) };
const PutItem = v.strictObject({ ...Put, ...Capacity, ...OldOrNothing });
const DeleteItem = v.strictObject({ ...Delete, ...Capacity, ...OldOrNothing });
const UpdateItem = v.strictObject({
  ...Updated,
  ...Capacity,
  ReturnValues: v.optional(v.picklist(["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"])),
});

export function putItem(schema: Schema, file: TableFile, input: unknown): object {
  const request = parseRequest(PutItem, input);
  return replaced(schema, request, execute(file, putWrite(schema, request)));
}

export function deleteItem(schema: Schema, file: TableFile, input: unknown): object {
  const request = parseRequest(DeleteItem, input);
  return replaced(schema, request, execute(file, deleteWrite(schema, request)));
}

const replaced = (
  schema: Schema,
  request: { ReturnValues?: string | undefined; ReturnConsumedCapacity?: string | undefined },
  { before, after }: Change,
) => ({
  Attributes: request.ReturnValues === "ALL_OLD" ? before : undefined,
  ConsumedCapacity: consumedCapacity(
    schema,
    request.ReturnConsumedCapacity,
    writeUnits(schema, before, after),
  ),
});

export function updateItem(schema: Schema, file: TableFile, input: unknown): object {
  const request = parseRequest(UpdateItem, input);
  const write = updateWrite(schema, request);
  const { before, after } = execute(file, write);
  const [when, part] = [request.ReturnValues?.split("_")[1], request.ReturnValues?.split("_")[0]];
  const item = when === "OLD" ? before : when === "NEW" ? after : undefined;
  const paths = part === "UPDATED" && write.update ? changedPaths(write.update) : undefined;
  const Attributes = item && (paths ? project(item, paths) : item);
  return {
    Attributes: Attributes && Object.keys(Attributes).length > 0 ? Attributes : undefined,
    ConsumedCapacity: consumedCapacity(
      schema,
      request.ReturnConsumedCapacity,
      writeUnits(schema, before, after),
    ),
  };
}
