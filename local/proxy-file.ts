import { readFile, stat } from "node:fs/promises";
import { ValidationError } from "../functions/contract/validate.ts";
import { type ProxyList, parseProxyList } from "../functions/egress/proxy-list.ts";
import { UsageError } from "./data-folder.ts";
import { listProblems } from "./describe-problem.ts";

/**
 * Reads the file with the upstream proxies. Warns if users other than its owner can read it.
 * @throws UsageError with all problems. It does not quote the file, which contains passwords
 */
export async function readProxyFile(path: string): Promise<ProxyList> {
  const text = await readFile(path, "utf8").catch((cause) => {
    throw new UsageError(`The file with the proxies can't be read: ${cause.message}.`, { cause });
  });
  const { mode } = await stat(path);
  // Windows has no permission bits.
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    console.error(
      `Warning: ${path} contains passwords, and other users of this machine can read or change it. Run \`chmod 600 ${path}\` to prevent that.`,
    );
  }
  try {
    return parseProxyList(text);
  } catch (cause) {
    if (!(cause instanceof ValidationError)) throw cause;
    throw new UsageError(`The proxies in ${path} can't be used:\n${listProblems(cause)}`, { cause });
  }
}
