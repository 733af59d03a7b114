import { open } from "node:fs/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { respond } from "./respond.ts";
import { readSchema, type TableSchema } from "./schema.ts";
import { TableFile } from "./table-file.ts";

/** A DynamoDB client whose table is a file. It runs in this process and uses no network. */
export interface LocalDynamoDb {
  client: DynamoDBClient;
  /** Flushes the last writes to the disk, so that they survive a power failure. */
  sync(): Promise<void>;
  /** Removes up to `limit` items whose time to live has expired. Returns their number. */
  removeExpired(now: Date, limit: number): number;
  /** Whether a read or a write has found that the file is damaged. Then all requests fail. */
  isDamaged(): boolean;
  close(): void;
}

/** Steps of each request that cost CPU time, and add nothing here: descriptions for a log, headers and a signature. */
const ONLY_FOR_AWS = [
  "loggerMiddleware",
  "getUserAgentMiddleware",
  "hostHeaderMiddleware",
  "recursionDetectionMiddleware",
  "httpSigningMiddleware",
];

/** Opens the table in the file at `path`. Creates the file if it does not exist. */
export function openLocalDynamoDb(
  path: string,
  table: string,
  tableSchema: TableSchema,
  ttlAttribute: string,
): LocalDynamoDb {
  const schema = readSchema(table, ttlAttribute, tableSchema);
  const file = new TableFile(path, schema);
  const client = new DynamoDBClient({
    // The client requires these values, but they are not used.
    endpoint: "http://local.invalid",
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    requestHandler: {
      async handle({ headers, body }: Request) {
        return { response: respond(schema, file, headers["x-amz-target"] ?? "", textOf(body)) };
      },
      destroy() {},
    },
  });
  for (const name of ONLY_FOR_AWS) client.middlewareStack.remove(name);
  return {
    client,
    async sync() {
      const log = await open(`${path}-wal`, "r+");
      await log.datasync().finally(() => log.close());
    },
    removeExpired: (now, limit) => file.removeExpired(now.getTime(), limit),
    isDamaged: () => file.damage !== undefined,
    close() {
      client.destroy();
      file.close();
    },
  };
}

/** The parts of a request that are used here. */
interface Request {
  headers: Record<string, string>;
  body: string | Uint8Array;
}

const textOf = (body: string | Uint8Array) =>
  typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
