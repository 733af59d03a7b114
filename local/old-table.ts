import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { TABLE_NAME } from "./backend.ts";
import { UsageError } from "./data-folder.ts";
import type { LocalDynamoDb } from "./dynamodb/client.ts";
import type { Item } from "./dynamodb/values.ts";

/** What earlier versions had in place of SQLite. It isn't installed any more. */
const READER = "classic-level";
const VERSION = "3.0.0";
const PER_TRANSACTION = 500;

/** As much of a LevelDB database as is used here. */
interface OldDatabase {
  iterator(range: { gte: string; lt: string }): AsyncIterable<[key: string, value: string]>;
  close(): Promise<void>;
}
type Reader = { ClassicLevel: new (path: string, options: { createIfMissing: boolean }) => OldDatabase };

/**
 * Moves the table of a data folder of an earlier version into a file of this one, as a whole or not at all. The old table
 * stays.
 * @throws UsageError if the old table can't be read here
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
    // dynalite wrote each item as JSON, below such a key.
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
  // By a variable: the compiler doesn't know a package that isn't installed.
  const reader: Reader | undefined = await import(READER).catch(() => undefined);
  if (reader === undefined) {
    throw new UsageError(
      `The table of ${folder} was written by an earlier version. Run \`npm install --no-save ${READER}@${VERSION}\`, and start again: the table is then moved.`,
    );
  }
  return new reader.ClassicLevel(old, { createIfMissing: false });
}
