import { type ApiKey, putApiKey, sha256 } from "../store/api-keys.ts";
import type { Table } from "../store/table.ts";
import { newApiKey } from "./api-key-format.ts";

/** Creates a key for an account; by default, one that permits everything and never expires. Only the return value contains the key itself. */
export async function createApiKey(
  table: Table,
  account: string,
  now: Date,
  { label, scope = "write", expires_at }: Partial<Pick<ApiKey, "label" | "scope" | "expires_at">> = {},
): Promise<ApiKey & { key: string }> {
  const { id, key } = newApiKey();
  const apiKey: ApiKey = { id, account, label, scope, created_at: now.toISOString(), expires_at };
  await putApiKey(table, apiKey, sha256(key));
  return { ...apiKey, key };
}
