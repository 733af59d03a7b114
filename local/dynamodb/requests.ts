import * as v from "valibot";
import { invalid } from "./errors.ts";
import { type Item, parseItem } from "./values.ts";

/*
 * The supported fields of requests. A request with another field is rejected, so that no field is silently ignored.
 * This applies above all to DynamoDB's legacy parameters, which expressions have replaced.
 */

export const Table = { TableName: v.string() };

/** An item or a key. */
export const Attributes = v.pipe(
  v.custom<object>(
    (raw) => typeof raw === "object" && raw !== null && !Array.isArray(raw),
    "It must be a map",
  ),
  v.transform((raw): Item => parseItem(raw)),
);

export const Names = { ExpressionAttributeNames: v.optional(v.record(v.string(), v.string())) };
export const Placeholders = {
  ...Names,
  ExpressionAttributeValues: v.optional(v.record(v.string(), v.unknown())),
};
export const Capacity = { ReturnConsumedCapacity: v.optional(v.picklist(["NONE", "TOTAL", "INDEXES"])) };

/** Validates a request. @throws DynamoDbError if it is invalid */
export function parseRequest<S extends v.GenericSchema>(schema: S, request: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, request, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw invalid(`${v.getDotPath(issue) ?? "The request"}: ${issue.message}`);
}
