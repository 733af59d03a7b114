import { linkSync, renameSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { UsageError } from "../data/data-folder.ts";
import { flush, withSqliteFile } from "../data/sqlite-file.ts";
import { DamagedFile } from "../data/sqlite-problem.ts";

/** SQLite's application id of a table: "GLNR" in ASCII. It tells tables from the files of other programs. */
const APPLICATION_ID = 0x474c4e52;

/**
 * The format of the file and of the items in it. If you change the format so that older code or older tables are read
 * wrongly, add 1, add a migration from the previous format, and keep a table of the new one in test/local/tables.
 */
export const FORMAT = 1;

/** For each format, a function that changes a table of it to the next format. It runs in a transaction. */
export type Migrations = Record<number, (db: DatabaseSync) => void>;
const migrations: Migrations = {};

/** The format of a table; undefined if the file is empty. @throws UsageError if it is not a table */
export function readFormat(db: DatabaseSync, path: string): number | undefined {
  const read = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
  const [application, format] = [read("application_id"), read("user_version")];
  if (application === APPLICATION_ID) return format;
  if (application === 0 && format === 0 && read("schema_version") === 0) return undefined;
  throw new UsageError(
    `${path} is not a table of Gleaner, or a version from before the first release wrote it. Move the folder away to start with an empty one, or choose another one with --data.`,
  );
}

/** Marks a table as one of this format. */
export const writeFormat = (db: DatabaseSync, format: number): void =>
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${format}`);

/** @throws UsageError if the table has another format than this version reads */
export function assertFormat(path: string, format: number): void {
  assertNotNewer(path, format);
  if (format === FORMAT) return;
  throw new UsageError(
    `An older version of Gleaner has written ${path}. Restart the service with this version, which migrates it.`,
  );
}

/** @throws UsageError if this version can neither read nor migrate the format, because it is newer */
export function assertNotNewer(path: string, format: number): void {
  if (format <= FORMAT) return;
  throw new UsageError(
    `A newer version of Gleaner has written ${path}, and this version can't read it. Update Gleaner, go back as docs/hosting.md#go-back-to-the-previous-version describes, or use another data folder with --data.`,
  );
}

/**
 * Migrates the table at `path` to the current format, if it has an older one. No other process may use the table. The
 * migration changes a copy, which then takes the place of the table. Returns the path of the table as it was; undefined
 * if nothing was to do.
 * @throws UsageError if there is no migration from the format of the table, or if the migration fails. The table is then
 * unchanged.
 */
export function migrateTable(
  path: string,
  { format, steps }: { format: number; steps: Migrations } = { format: FORMAT, steps: migrations },
): string | undefined {
  const found = withSqliteFile(path, (db) => readFormat(db, path));
  if (found === undefined || found >= format) return undefined;
  const way = Array.from({ length: format - found }, (_, index) => steps[found + index]);
  const [copy, before] = [`${path}.new`, `${path}.format-${found}`];
  rmSync(copy, { force: true });
  try {
    withSqliteFile(path, (db) => {
      // In this mode, all of the table is in one file.
      db.exec("PRAGMA journal_mode = DELETE");
      db.prepare("VACUUM INTO ?").run(copy);
    });
    withSqliteFile(copy, (db) => change(db, way, { path, format }));
    checkTable(copy);
    flush(copy);
    rmSync(before, { force: true });
    linkSync(path, before);
    renameSync(copy, path);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
  return before;
}

function change(
  db: DatabaseSync,
  way: readonly (Migrations[number] | undefined)[],
  { path, format }: { path: string; format: number },
): void {
  db.exec("BEGIN");
  for (const step of way) {
    if (step === undefined) throw tooOld(path);
    step(db);
  }
  writeFormat(db, format);
  db.exec("COMMIT");
}

const tooOld = (path: string) =>
  new UsageError(
    `A version of Gleaner that is too old has written ${path}, and this version can't migrate it. Start the version that wrote it, or choose another folder with --data.`,
  );

/** Reads the whole table, and checks its structure. Takes about 10 s per GB. @throws DamagedFile */
export function checkTable(path: string): void {
  const check = (db: DatabaseSync) => db.prepare("PRAGMA quick_check(1)").get()?.quick_check;
  const problem = withSqliteFile(path, check, { readOnly: true });
  if (problem !== "ok") throw new DamagedFile(path, String(problem).replaceAll("\n", " "));
}
