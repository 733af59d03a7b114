import { DatabaseSync } from "node:sqlite";

/** SQLite's result code for a file that another process has locked. */
const SQLITE_BUSY = 5;
/** How long to wait for the lock, in ms. `isLocked` in another process holds a shared lock for less than 1 ms. */
const WAIT_MS = 250;

/**
 * Locks a file for this process. The lock ends with `release`, or with the process, even if that is killed: the
 * operating system releases it. Returns undefined if another process has locked the file.
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

/** Whether a process has locked the file. The file must exist. */
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
