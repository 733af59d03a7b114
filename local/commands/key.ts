import { createApiKey } from "../../functions/accounts/create-key.ts";
import { revokeApiKey } from "../../functions/store/api-keys.ts";
import { type Where, withService } from "../connect.ts";
import { UsageError } from "../data-folder.ts";
import { requireAccount } from "../require-account.ts";

interface Options extends Where {
  json?: boolean;
}

export async function create({ account, json, ...where }: Options & { account: string }): Promise<void> {
  const { id, key, created_at } = await withService(where, async (table) => {
    await requireAccount(table, account);
    return createApiKey(table, account, new Date());
  });
  if (json) console.log(JSON.stringify({ id, account, key, created_at }, null, 2));
  else console.log(`Key ${id} of the account "${account}". It is shown this once, so keep it now:\n  ${key}`);
}

export async function revoke(id: string, { json, ...where }: Options): Promise<void> {
  const revoked = await withService(where, (table) => revokeApiKey(table, id, new Date()));
  if (revoked === undefined) throw new UsageError(`There is no key with the id "${id}".`);
  const { account, created_at, revoked_at } = revoked;
  if (json) console.log(JSON.stringify({ id, account, created_at, revoked_at }, null, 2));
  else console.log(`Revoked the key ${id} of the account "${account}". It opens nothing any more.`);
}
