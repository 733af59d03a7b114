import { createAccount, setLimits } from "../../functions/store/accounts.ts";
import { RATE_LIMIT } from "../../functions/store/api-keys.ts";
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

/** The limits to set; null: none, or the service's default. */
interface Limits {
  credits?: number | null;
  rate?: number | null;
}

export async function set(
  name: string,
  { credits, rate, json, ...where }: Limits & Where & { json?: boolean },
): Promise<void> {
  const limits = {
    ...(credits !== undefined && { credit_limit: credits }),
    ...(rate !== undefined && { rate_limit: rate }),
  };
  if (Object.keys(limits).length === 0) {
    throw new UsageError("Name a limit to set: --credits or --rate.");
  }
  const account = await withService(where, (table) => setLimits(table, name, limits));
  if (account === undefined) throw new UsageError(`There is no account "${name}".`);
  const { credit_limit, rate_limit, created_at } = account;
  if (json) {
    console.log(JSON.stringify({ name, credit_limit, rate_limit, created_at }, null, 2));
    return;
  }
  console.log(`The account "${name}" may use ${credit_limit ?? "any number of"} credits a month.`);
  console.log(`Each of its keys may make ${rate_limit ?? RATE_LIMIT} requests in 10 seconds.`);
}
