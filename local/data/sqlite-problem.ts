import { UsageError } from "./data-folder.ts";

const NOT_WRITABLE = "Make sure that it is a file, and that you can write to it and to its folder.";
const IN_USE = "Another process uses it: stop that process, or try again later.";

/** What the user can do, by SQLite's primary result code: https://sqlite.org/rescode.html. */
const advice: Record<number, string> = {
  /* SQLITE_PERM */ 3: NOT_WRITABLE,
  /* SQLITE_BUSY */ 5: IN_USE,
  /* SQLITE_LOCKED */ 6: IN_USE,
  /* SQLITE_READONLY */ 8: NOT_WRITABLE,
  /* SQLITE_IOERR */ 10: "Check its disk.",
  /* SQLITE_FULL */ 13: "Free some space on its disk.",
  /* SQLITE_CANTOPEN */ 14: NOT_WRITABLE,
};
/** SQLITE_BUSY, _LOCKED, _IOERR and _FULL. */
const TEMPORARY = new Set([5, 6, 10, 13]);
/** SQLITE_CORRUPT and _NOTADB. */
const DAMAGED = new Set([11, 26]);

/** The primary code is the low byte of an extended result code. 0: the error is not of SQLite. */
const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

/** A file is damaged. */
export class DamagedFile extends UsageError {
  constructor(path: string, reason: string, cause?: unknown) {
    super(
      `${path} is damaged: ${reason}. Restore it from a backup. Without a backup, move the data folder away to start with an empty one, or choose another one with --data.`,
      { cause },
    );
  }
}

/** An error of SQLite, with the path of the file and what the user can do; undefined if it is another error. */
export function sqliteProblem(path: string, error: unknown): UsageError | undefined {
  const code = codeOf(error);
  if (code === 0) return undefined;
  const { message } = error as Error;
  if (DAMAGED.has(code)) return new DamagedFile(path, message, error);
  const what = advice[code] ?? "If the error persists, restore the file from a backup.";
  return new UsageError(`${path} can't be used: ${message}. ${what}`, { cause: error });
}

/** Whether SQLite's error is about a file that can't be used at the moment. */
export const isTemporary = (error: unknown): boolean => TEMPORARY.has(codeOf(error));

/** Runs `work` on the SQLite file at `path`. @throws UsageError in place of SQLite's errors */
export function onSqliteFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw sqliteProblem(path, error) ?? error;
  }
}
