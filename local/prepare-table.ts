import { access, constants, stat } from "node:fs/promises";
import type { Log } from "../functions/log.ts";
import { type DataFolder, UsageError } from "./data/data-folder.ts";
import { checkTable, migrateTable } from "./dynamodb/table-format.ts";

/**
 * Makes sure that a service can use the table of a data folder, which it has locked: checks the table if the last service
 * did not stop cleanly, and migrates a table of an older version.
 * @throws UsageError if the table can't be used
 */
export async function prepareTable(folder: DataFolder, log: Log): Promise<void> {
  const path = folder.tablePath;
  if (await isNew(folder)) return;
  if ((await folder.readService()) !== undefined) {
    log.info("The last service did not stop cleanly, so its table is checked", { path });
    checkTable(path);
  }
  const before = migrateTable(path);
  if (before !== undefined)
    log.info("The table was migrated. Delete the previous one when you no longer need it", { before });
}

/** Whether the folder has no table yet. @throws UsageError if it has lost its table */
export async function isNew(folder: DataFolder): Promise<boolean> {
  const found = await stat(folder.tablePath).catch(() => undefined);
  if (found !== undefined && found.size > 0) {
    // SQLite opens a file without write permission, but then no request can be stored.
    await access(folder.tablePath, constants.R_OK | constants.W_OK).catch((cause) => {
      throw new UsageError(
        `${folder.tablePath} can't be used: ${cause.message}. Make sure that you can write to it.`,
        { cause },
      );
    });
    return false;
  }
  if ((await folder.readCredentials()) === undefined) return true;
  throw new UsageError(
    `${folder.tablePath} is ${found === undefined ? "missing" : "empty"}, but ${folder.credentialsPath} is there, so the folder was in use. Restore the table from a backup. If there is none, or if a version from before the first release wrote the folder, move the folder away to start with an empty one, or choose another one with --data.`,
  );
}
