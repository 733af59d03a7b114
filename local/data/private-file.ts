import { readFile, stat } from "node:fs/promises";
import { ValidationError } from "../../functions/contract/validate.ts";
import { listProblems } from "../describe-problem.ts";
import { UsageError } from "./data-folder.ts";

/**
 * Reads a file of the operator that contains passwords or rights. Warns if users other than its owner can read it. `what`:
 * what it holds, in the plural.
 * @throws UsageError with all problems. It does not quote the file
 */
export async function readPrivateFile<T>(path: string, what: string, parse: (text: string) => T): Promise<T> {
  const text = await readFile(path, "utf8").catch((cause) => {
    throw new UsageError(`The file with the ${what} can't be read: ${cause.message}.`, { cause });
  });
  const { mode } = await stat(path);
  // Windows has no permission bits.
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    console.error(
      `Warning: other users of this machine can read or change the ${what} in ${path}. Run \`chmod 600 ${path}\` to prevent that.`,
    );
  }
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof ValidationError)) throw cause;
    throw new UsageError(`The ${what} in ${path} can't be used:\n${listProblems(cause)}`, { cause });
  }
}
