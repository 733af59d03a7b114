import { type ApiKey, putApiKey, sha256 } from "../store/api-keys.ts";
import type { Table } from "../store/table.ts";
import { newApiKey } from "./api-key-format.ts";

/** Creates a key for an account. Only the return value contains the key itself. */
export async function createApiKey(
  table: Table,
  account: string,
  now: Date,
  label?: string,
): Promise<ApiKey & { key: string }> {
  const { id, key } = newApiKey();
  const apiKey: ApiKey = { id, account, label, created_at: now.toISOString() };
  await putApiKey(table, apiKey, sha256(key));
  return { ...apiKey, key };
}
