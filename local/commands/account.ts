import { createAccount } from "../../functions/store/accounts.ts";
import { type Where, withService } from "../connect.ts";
import { UsageError } from "../data-folder.ts";
import { print } from "../print.ts";

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

export async function create(name: string, { json, ...where }: Where & { json?: boolean }): Promise<void> {
  if (!NAME.test(name)) {
    throw new UsageError(
      `"${name}" is not a valid account name. Use 1 to 63 lowercase letters, digits and hyphens, starting with a letter or digit.`,
    );
  }
  const account = { name, credit_limit: null, rate_limit: null, created_at: new Date().toISOString() };
  const created = await withService(where, (table) => createAccount(table, account));
  if (!created) throw new UsageError(`The account "${name}" already exists.`);
  print(
    json
      ? JSON.stringify(account, null, 2)
      : `Created the account "${name}". Create a key for it with \`npx gleaner key create --account ${name}\`.`,
  );
}
