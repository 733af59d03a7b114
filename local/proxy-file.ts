import { readFile, stat } from "node:fs/promises";
import { ValidationError } from "../functions/contract/validate.ts";
import { type ProxyList, parseProxyList } from "../functions/egress/proxy-list.ts";
import { UsageError } from "./data-folder.ts";
import { listProblems } from "./describe-problem.ts";

/**
 * Reads the file with the upstream proxies, and warns where others than its owner may read it too.
 * @throws UsageError that lists every problem and repeats nothing of the file
 */
export async function readProxyFile(path: string): Promise<ProxyList> {
  const text = await readFile(path, "utf8").catch((cause) => {
    throw new UsageError(`The file ${path} with the proxies can't be read: ${cause.code}.`, { cause });
  });
  const { mode } = await stat(path);
  // Windows has no such bits.
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    console.error(
      `Warning: ${path} holds passwords, and others on this machine may read or change it. \`chmod 600 ${path}\` keeps it to you.`,
    );
  }
  try {
    return parseProxyList(text);
  } catch (cause) {
    if (!(cause instanceof ValidationError)) throw cause;
    throw new UsageError(`The proxies in ${path} can't be used:\n${listProblems(cause)}`, { cause });
  }
}
