import { open } from "node:fs/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { answer } from "./answer.ts";
import { itemKey, readSchema, type TableSchema } from "./schema.ts";
import { TableFile } from "./table-file.ts";
import type { Item } from "./values.ts";

/** A client of DynamoDB whose table is a file. Nothing is sent, and nothing listens. */
export interface LocalDynamoDb {
  client: DynamoDBClient;
  /** Puts items, which are in normal form, all or none. */
  load(items: readonly Item[]): void;
  /** Writes what is in memory of the operating system to the disk. */
  sync(): Promise<void>;
  /** Removes up to `limit` items whose time to live is over. Returns their number. */
  removeExpired(now: Date, limit: number): number;
  close(): void;
}

/** Opens the table in a file, which is created if it doesn't exist. */
export function openLocalDynamoDb(
  path: string,
  table: string,
  tableSchema: TableSchema,
  ttlAttribute: string,
): LocalDynamoDb {
  const schema = readSchema(table, ttlAttribute, tableSchema);
  const file = new TableFile(path, schema);
  const client = new DynamoDBClient({
    // The client wants them, and nobody reads them.
    endpoint: "http://local.invalid",
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    // A signature costs CPU time.
    signer: { sign: async (request) => request },
    requestHandler: {
      async handle({ headers, body }: Request) {
        return { response: answer(schema, file, headers["x-amz-target"] ?? "", textOf(body)) };
      },
      destroy() {},
    },
  });
  return {
    client,
    load: (items) =>
      file.transaction(() => {
        for (const item of items) file.put(itemKey(schema, item), item);
      }),
    async sync() {
      const log = await open(`${path}-wal`, "r+");
      await log.datasync().finally(() => log.close());
    },
    removeExpired: (now, limit) => file.removeExpired(now.getTime(), limit),
    close() {
      client.destroy();
      file.close();
    },
  };
}

/** As much of a request as is read here. */
interface Request {
  headers: Record<string, string>;
  body: string | Uint8Array;
}

const textOf = (body: string | Uint8Array) =>
  typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
