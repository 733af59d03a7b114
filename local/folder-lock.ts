import { DatabaseSync } from "node:sqlite";

/** The result code of SQLite for a file that another process has locked. */
const SQLITE_BUSY = 5;
/** A command line that looks whether the service runs holds the file for less than a millisecond. */
const WAIT_MS = 250;

/**
 * Locks a file for this process until `release` or the end of the process, however it ends: the operating system releases
 * the lock with the process. Undefined if another process has locked it.
 */
export function lockFile(path: string): { release(): void } | undefined {
  const db = new DatabaseSync(path, { timeout: WAIT_MS });
  try {
    db.exec("BEGIN EXCLUSIVE");
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Whether a process has locked a file that exists. */
export function isLocked(path: string): boolean {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    db.exec("PRAGMA schema_version");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    db.close();
  }
}

const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === SQLITE_BUSY;
