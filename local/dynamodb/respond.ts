import { DamagedFile, isTemporary, sqliteProblem } from "../data/sqlite-problem.ts";
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
    // What is stored in a damaged file may be lost, and what is read from it may be wrong.
    if (file.damage !== undefined) throw file.damage;
    if (!operation) throw new DynamoDbError("UnknownOperationException", `${target} is not supported`);
    return jsonResponse(200, operation(schema, file, JSON.parse(body)));
  } catch (error) {
    return errorResponse(file, error);
  }
}

function errorResponse(file: TableFile, error: unknown): DynamoDbResponse {
  if (error instanceof DynamoDbError) {
    const { type, message, fields } = error;
    return jsonResponse(400, { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, ...fields });
  }
  const problem = error instanceof DamagedFile ? error : sqliteProblem(file.path, error);
  if (problem === undefined) throw error;
  if (problem instanceof DamagedFile) file.damage = problem;
  // The client retries after both statuses, as with DynamoDB.
  return isTemporary(error)
    ? jsonResponse(503, { __type: "ServiceUnavailable", message: problem.message })
    : jsonResponse(500, { __type: "InternalServerError", message: problem.message });
}
