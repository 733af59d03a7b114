import { getAccount } from "../functions/store/accounts.ts";
import type { Table } from "../functions/store/table.ts";
import { UsageError } from "./data-folder.ts";

/** Checks that an account exists. @throws UsageError if it does not */
export async function requireAccount(table: Table, account: string): Promise<void> {
  if ((await getAccount(table, account)) !== undefined) return;
  throw new UsageError(
    `There is no account "${account}". Create it with \`npx gleaner account create ${account}\`.`,
  );
}
