import { getAccount } from "../functions/store/accounts.ts";
import type { Table } from "../functions/store/table.ts";
import { UsageError } from "./data-folder.ts";

/** @throws UsageError if there is no such account */
export async function requireAccount(table: Table, account: string): Promise<void> {
  if ((await getAccount(table, account)) !== undefined) return;
  throw new UsageError(
    `There is no account "${account}". Create it with \`npx gleaner account create ${account}\`.`,
  );
}
