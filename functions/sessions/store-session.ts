import type { SessionState } from "../contract/sessions/session.ts";
import { putSession } from "../store/sessions.ts";
import type { Table } from "../store/table.ts";
import { hostsOf, seal } from "./seal.ts";

/** What a sealed state is bound to: it is of no use under another name, or in place of a newer one. */
export const boundTo = (account: string, name: string, savedAt: string): string[] => [account, name, savedAt];

/**
 * Encrypts a state, and stores it.
 * @param before as for `putSession` of the store
 * @throws StateTooLarge
 */
export async function storeSession(
  { table, now }: { table: Table; now: () => Date },
  {
    account,
    name,
    state,
    key,
    before,
  }: { account: string; name: string; state: SessionState; key: Buffer; before: number | "any" },
): Promise<{ hosts: string[]; saved_at: string; version: number | undefined }> {
  const saved_at = now().toISOString();
  const sealed = await seal(state, key, boundTo(account, name, saved_at));
  const hosts = hostsOf(state);
  const version = await putSession(table, account, { name, sealed, hosts, saved_at }, before);
  return { hosts, saved_at, version };
}
