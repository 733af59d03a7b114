import { batchGetItem, batchWriteItem } from "./batches.ts";
import { DynamoDbError } from "./errors.ts";
import { getItem, query, scan } from "./reads.ts";
import type { Schema } from "./schema.ts";
import type { TableFile } from "./table-file.ts";
import { transactGetItems, transactWriteItems } from "./transactions.ts";
import { deleteItem, putItem, updateItem } from "./writes.ts";

const operations: Record<string, (schema: Schema, file: TableFile, input: unknown) => object> = {
  GetItem: getItem,
  PutItem: putItem,
  UpdateItem: updateItem,
  DeleteItem: deleteItem,
  Query: query,
  Scan: scan,
  BatchGetItem: batchGetItem,
  BatchWriteItem: batchWriteItem,
  TransactGetItems: transactGetItems,
  TransactWriteItems: transactWriteItems,
};

export interface DynamoDbResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

const jsonResponse = (statusCode: number, body: object): DynamoDbResponse => ({
  statusCode,
  headers: { "content-type": "application/x-amz-json-1.0" },
  body: Buffer.from(JSON.stringify(body)),
});

/** The response to a request of a DynamoDB client. `target` is its x-amz-target header, `body` its JSON. */
export function respond(schema: Schema, file: TableFile, target: string, body: string): DynamoDbResponse {
  const [api, name = ""] = target.split(".");
  const operation = api === "DynamoDB_20120810" && Object.hasOwn(operations, name) && operations[name];
  try {
    if (!operation) throw new DynamoDbError("UnknownOperationException", `${target} is not supported`);
    return jsonResponse(200, operation(schema, file, JSON.parse(body)));
  } catch (error) {
    return errorResponse(error);
  }
}

/** SQLite's result codes for a file that can't be used at the moment: SQLITE_BUSY, _LOCKED, _IOERR and _FULL. */
const UNAVAILABLE = new Set([5, 6, 10, 13]);

function errorResponse(error: unknown): DynamoDbResponse {
  if (error instanceof DynamoDbError) {
    const { type, message, fields } = error;
    return jsonResponse(400, { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, ...fields });
  }
  const { errcode, message } = error as Error & { errcode?: number };
  if (errcode === undefined) throw error;
  // The low byte of an extended result code is the primary code. The client retries after both statuses, as with
  // DynamoDB.
  return UNAVAILABLE.has(errcode & 0xff)
    ? jsonResponse(503, { __type: "ServiceUnavailable", message: `The table can't be used: ${message}` })
    : jsonResponse(500, { __type: "InternalServerError", message: `The table can't be used: ${message}` });
}
