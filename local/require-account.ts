import { getAccount } from "../functions/store/accounts.ts";
import type { Table } from "../functions/store/table.ts";
import { commandOn } from "./client/target.ts";
import type { Where } from "./connect.ts";
import { UsageError } from "./data/data-folder.ts";

/** Checks that an account of the service exists. @throws UsageError if it does not */
export async function requireAccount(table: Table, account: string, where: Where): Promise<void> {
  if ((await getAccount(table, account)) !== undefined) return;
  throw new UsageError(
    `There is no account "${account}". Create it with \`npx ${commandOn(where, `account create ${account}`)}\`.`,
  );
}
