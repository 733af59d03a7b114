declare module "dynalite" {
  import type { Server } from "node:http";

  /** A DynamoDB server; closing it closes its store. */
  export default function dynalite(options: { path?: string; createTableMs?: number }): Server;
}

/** The internal module that writes items. */
declare module "dynalite/db/index.js" {
  export type Item = Record<string, unknown>;
  export type Write = { type: "put"; key: string; value: Item } | { type: "del"; key: string };

  export interface StoredTable {
    TableName: string;
    LocalSecondaryIndexes?: object[];
    GlobalSecondaryIndexes?: object[];
  }

  export interface Store {
    getItemDb(table: string): {
      batch(writes: { map(name: (write: Write) => Write): Write[] }, done: (error?: unknown) => void): void;
    };
  }

  const db: {
    createKey(item: Item, table: StoredTable): string;
    getIndexActions(
      indexes: object[],
      before: Item | undefined,
      after: Item | undefined,
      table: StoredTable,
    ): {
      puts: { index: string; key: string; item: Item }[];
      deletes: { index: string; key: string }[];
    };
    /** Called before an item is written or deleted. */
    updateIndexes(
      store: Store,
      table: StoredTable,
      before: Item | undefined,
      after: Item | undefined,
      done: (error?: unknown) => void,
    ): void;
  };
  export default db;
}
