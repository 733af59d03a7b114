import { mkdirSync, writeFileSync } from "node:fs";
import { chmod, copyFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assertNotNewer, checkTable, readFormat } from "../dynamodb/table-format.ts";
import { type DataFolder, UsageError } from "./data-folder.ts";
import { flush, withSqliteFile } from "./sqlite-file.ts";
import { DamagedFile, sqliteProblem } from "./sqlite-problem.ts";

/*
 * A backup is a copy of the table with one more SQL table: the other files of the data folder. So it is one file, and SQLite
 * finds whether it is damaged.
 */

/** What a backup contains. */
export interface BackupFacts {
  /** The size of the file. */
  bytes: number;
  /** How many encrypted secrets it has, with the keys of sessions. */
  secrets: number;
}

/**
 * Writes a backup of the data folder to a new file that only this user can read. A service may use the folder meanwhile: the
 * backup has the table as it was at one moment.
 * @throws UsageError if the file exists, if there is no table, or if the table can't be read
 */
export async function writeBackup(folder: DataFolder, path: string): Promise<BackupFacts> {
  if ((await sizeOf(path)) !== undefined)
    throw new UsageError(`${path} exists. Choose another name for the backup.`);
  if (!(await sizeOf(folder.tablePath)))
    throw new UsageError(`${folder.path} has no table to back up. Name the data folder with --data.`);
  const unfinished = `${path}.new`;
  await rm(unfinished, { force: true });
  try {
    await writeFile(unfinished, "", { mode: 0o600, flag: "wx" });
    copyTable(folder.tablePath, unfinished);
    // The files are read after the table, so that they have the key of each session in it, and the files of each run.
    const secrets = await storeFiles(folder, unfinished);
    flush(unfinished);
    const { size: bytes } = await stat(unfinished);
    await rename(unfinished, path);
    return { bytes, secrets };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/**
 * VACUUM INTO reads all in one transaction, which blocks no writer. SQLite's backup API would begin anew after each write of
 * the service.
 */
function copyTable(table: string, copy: string): void {
  withSqliteFile(table, (db) => {
    readFormat(db, table);
    db.prepare("VACUUM INTO ?").run(copy);
  });
}

/** Adds the files of the folder to the copy of its table. Returns the number of secrets. */
async function storeFiles(folder: DataFolder, copy: string): Promise<number> {
  const db = new DatabaseSync(copy);
  try {
    db.exec("BEGIN; CREATE TABLE _files (name TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT");
    const insert = db.prepare("INSERT INTO _files VALUES (?, ?)");
    let secrets = 0;
    for await (const [name, content] of folder.readFiles()) {
      insert.run(name, content);
      if (name.startsWith("secrets/")) secrets += 1;
    }
    db.exec("COMMIT");
    return secrets;
  } catch (error) {
    throw sqliteProblem(copy, error) ?? error;
  } finally {
    db.close();
  }
}

/**
 * Writes the content of a backup to a data folder, which must be empty or missing.
 * @throws UsageError if the folder has files or is in use, or if the backup is damaged or of a newer version. The folder is
 * then as it was.
 */
export async function restoreBackup(path: string, folder: DataFolder): Promise<void> {
  if (!(await sizeOf(path))) throw new UsageError(`There is no backup at ${path}. Check the name.`);
  const lock = await folder.lock();
  try {
    await assertEmpty(folder);
    await fill(folder, path);
  } catch (error) {
    await lock.remove();
    throw error;
  }
  await lock.release();
}

async function assertEmpty(folder: DataFolder): Promise<void> {
  const [name] = await folder.contents();
  if (name === undefined) return;
  throw new UsageError(
    `${folder.path} is not empty: it has ${name}. A restore overwrites nothing. Name an empty folder with --data.`,
  );
}

async function fill(folder: DataFolder, path: string): Promise<void> {
  const copy = `${folder.tablePath}.new`;
  try {
    await copyFile(path, copy);
    await chmod(copy, 0o600);
    takeFiles(folder, copy, path);
    flush(copy);
    // The table comes last: no service starts in a folder with credentials that has no table.
    await rename(copy, folder.tablePath);
  } catch (error) {
    for (const made of [copy, folder.credentialsPath, folder.secretsPath, folder.filesPath])
      await rm(made, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Writes the files of a backup to the folder, and removes them from its copy, which then is a table.
 * @param path the backup, for messages
 */
function takeFiles(folder: DataFolder, copy: string, path: string): void {
  try {
    checkTable(copy);
    withSqliteFile(copy, (db) => {
      assertNotNewer(path, readFormat(db, path) ?? 0);
      if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = '_files'").get() === undefined)
        throw new UsageError(`${path} is a table, but not a backup. \`gleaner backup\` makes one.`);
      for (const { name, content } of db
        .prepare("SELECT name, content FROM _files ORDER BY name")
        .iterate()) {
        const file = folder.fileOf(String(name));
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        writeFileSync(file, content as Uint8Array, { mode: 0o600, flush: true });
      }
      db.exec("DROP TABLE _files; VACUUM");
    });
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    throw new UsageError(`${path} is damaged, or is not a backup. Use another one.`, { cause: error });
  }
}

/** In bytes; undefined if there is no such file. */
const sizeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.size;
