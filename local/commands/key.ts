import { createApiKey } from "../../functions/accounts/create-key.ts";
import { type ApiKey, listApiKeys, revokeApiKey } from "../../functions/store/api-keys.ts";
import { type Where, withService } from "../connect.ts";
import { UsageError } from "../data-folder.ts";
import { requireAccount } from "../require-account.ts";
import { tableOf } from "../table-of.ts";
import { print, printJson } from "../terminal/print.ts";

interface Options extends Where {
  json?: boolean;
}

/** One line of up to 100 characters, without control characters that could affect a terminal. */
const LABEL = /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u;

export async function create({
  account,
  label,
  json,
  ...where
}: Options & { account: string; label?: string }): Promise<void> {
  if (label !== undefined && !LABEL.test(label)) {
    throw new UsageError("A label must be one line of 1 to 100 characters.");
  }
  const made = await withService(where, async (table) => {
    await requireAccount(table, account, where);
    return createApiKey(table, account, new Date(), label);
  });
  const { id, key, created_at } = made;
  if (json) printJson({ id, account, label, key, created_at });
  else print(`Key ${id} of the account "${account}". It is shown only once, so store it now:\n  ${key}`);
}

export async function list({ account, json, ...where }: Options & { account: string }): Promise<void> {
  const keys = await withService(where, async (table) => {
    await requireAccount(table, account, where);
    return listApiKeys(table, account);
  });
  if (json) printJson(keys);
  else if (keys.length === 0) print(`The account "${account}" has no keys yet.`);
  else print(listed(keys));
}

export async function revoke(id: string, { json, ...where }: Options): Promise<void> {
  const revoked = await withService(where, (table) => revokeApiKey(table, id, new Date()));
  if (revoked === undefined) throw new UsageError(`There is no key with the id "${id}".`);
  if (json) printJson(revoked);
  else print(`Revoked the key ${id} of the account "${revoked.account}". It no longer grants access.`);
}

const listed = (keys: readonly ApiKey[]) =>
  tableOf(
    ["id", "label", "created", "last used", "revoked"],
    keys.map(({ id, label, created_at, last_used_at, revoked_at }) => [
      id,
      label ?? "",
      created_at,
      last_used_at ?? "never",
      revoked_at ?? "",
    ]),
  );
