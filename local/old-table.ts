import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { TABLE_NAME } from "./backend.ts";
import { UsageError } from "./data-folder.ts";
import type { LocalDynamoDb } from "./dynamodb/client.ts";
import type { Item } from "./dynamodb/values.ts";

/** The package for LevelDB, which earlier versions used instead of SQLite. It is no longer a dependency. */
const READER = "classic-level";
const VERSION = "3.0.0";
const PER_TRANSACTION = 500;

/** The methods of a LevelDB database that are used here. */
interface OldDatabase {
  iterator(range: { gte: string; lt: string }): AsyncIterable<[key: string, value: string]>;
  close(): Promise<void>;
}
type Reader = { ClassicLevel: new (path: string, options: { createIfMissing: boolean }) => OldDatabase };

/**
 * Copies the table that an earlier version stored in a data folder into a file of this version. Does nothing if the
 * file exists or there is no old table. A copy that fails leaves no incomplete file in use. The old table is kept.
 * @throws UsageError if the package that reads the old table is not installed
 */
export async function moveOldTable(
  folder: string,
  tablePath: string,
  open: (path: string) => LocalDynamoDb,
): Promise<void> {
  const old = join(folder, "table");
  if (existsSync(tablePath) || !existsSync(join(old, "CURRENT"))) return;
  const database = await openOld(folder, old);
  const newPath = `${tablePath}.new`;
  await rm(newPath, { force: true });
  const table = open(newPath);
  try {
    // Earlier versions used dynalite, which stores each item as JSON. The keys begin with `item-<table>~`.
    let items: Item[] = [];
    for await (const [, value] of database.iterator({
      gte: `item-${TABLE_NAME}~`,
      lt: `item-${TABLE_NAME}\x7f`,
    })) {
      if (items.push(JSON.parse(value)) < PER_TRANSACTION) continue;
      table.load(items);
      items = [];
    }
    table.load(items);
  } finally {
    table.close();
    await database.close();
  }
  await rename(newPath, tablePath);
}

async function openOld(folder: string, old: string): Promise<OldDatabase> {
  // The name is in a variable, because the compiler can't find a package that is not installed.
  const reader: Reader | undefined = await import(READER).catch(() => undefined);
  if (reader === undefined) {
    throw new UsageError(
      `The table of ${folder} was written by an earlier version. Run \`npm install --no-save ${READER}@${VERSION}\`, and start again: the table is then moved.`,
    );
  }
  return new reader.ClassicLevel(old, { createIfMissing: false });
}
