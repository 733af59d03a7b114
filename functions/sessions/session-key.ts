import { randomBytes } from "node:crypto";
import type { SecretReader } from "../secrets/secret.ts";

/**
 * The name under which the key of an account's sessions is stored with its secrets. No user's secret can have it. The
 * reader of secrets creates it when it is first asked for.
 */
export const SESSION_KEY = ".session-key";

const KEY_BYTES = 32;

/** A new key, as the value of a secret. */
export const newSessionKey = () => ({ value: randomBytes(KEY_BYTES).toString("base64"), hosts: [] });

/** The key that encrypts the account's sessions. */
export async function sessionKey(read: SecretReader, account: string): Promise<Buffer> {
  const key = (await read(account, [SESSION_KEY])).get(SESSION_KEY);
  if (key === undefined) throw new Error("The account has no key for its sessions.");
  return Buffer.from(key.value, "base64");
}
