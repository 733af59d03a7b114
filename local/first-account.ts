import { apiKeyId } from "../functions/accounts/api-key-format.ts";
import { createApiKey } from "../functions/accounts/create-key.ts";
import { createAccount } from "../functions/store/accounts.ts";
import { isValidApiKey } from "../functions/store/api-keys.ts";
import type { Table } from "../functions/store/table.ts";
import type { Credentials, DataFolder } from "./data/data-folder.ts";

export interface FirstAccount {
  credentials: Credentials;
  /** Whether this start created the account and its key. */
  isNew: boolean;
  /** Whether the key of the account is valid. It is not if it was revoked, or if the table is that of another folder. */
  isKeyValid: boolean;
}

/** Reads the first account and its key. The first start creates them. */
export async function firstAccount(folder: DataFolder, table: Table, now: Date): Promise<FirstAccount> {
  const known = await folder.readCredentials();
  if (known !== undefined) {
    return { credentials: known, isNew: false, isKeyValid: await isKnown(table, known, now) };
  }
  const account = "default";
  await createAccount(table, {
    name: account,
    credit_limit: null,
    rate_limit: null,
    created_at: now.toISOString(),
  });
  const { key } = await createApiKey(table, account, now);
  const credentials = { account, api_key: key };
  await folder.writeCredentials(credentials);
  return { credentials, isNew: true, isKeyValid: true };
}

async function isKnown(table: Table, { api_key: key }: Credentials, now: Date): Promise<boolean> {
  const id = apiKeyId(key);
  return id !== undefined && isValidApiKey(table, id, key, now);
}
