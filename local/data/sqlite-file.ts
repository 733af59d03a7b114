import { closeSync, fsyncSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { onSqliteFile } from "./sqlite-problem.ts";

/** Runs `work` on a SQLite file, and closes it. @throws UsageError in place of SQLite's errors */
export function withSqliteFile<T>(path: string, work: (db: DatabaseSync) => T, { readOnly = false } = {}): T {
  return onSqliteFile(path, () => {
    const db = new DatabaseSync(path, { readOnly });
    try {
      return work(db);
    } finally {
      db.close();
    }
  });
}

/** Writes a file to the disk, so that it survives a power failure. */
export function flush(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}
