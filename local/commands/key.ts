import { createApiKey } from "../../functions/accounts/create-key.ts";
import type { Scope } from "../../functions/contract/scope.ts";
import { type ApiKey, listApiKeys, revokeApiKey } from "../../functions/store/api-keys.ts";
import { type Where, withService } from "../connect.ts";
import { UsageError } from "../data/data-folder.ts";
import { changeService } from "../operator-change.ts";
import { requireAccount } from "../require-account.ts";
import { tableOf } from "../table-of.ts";
import { print, printJson } from "../terminal/print.ts";

interface Options extends Where {
  json?: boolean;
}

/** One line of up to 100 characters, without control characters that could affect a terminal. */
const LABEL = /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u;

/** A date, which is its first moment in UTC, or a time in UTC. */
const EXPIRY = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/;

export async function create({
  account,
  label,
  scope,
  expires,
  json,
  ...where
}: Options & { account: string; label?: string; scope: Scope; expires?: string }): Promise<void> {
  if (label !== undefined && !LABEL.test(label)) {
    throw new UsageError("A label must be one line of 1 to 100 characters.");
  }
  const now = new Date();
  const expires_at = expires === undefined ? undefined : expiryOf(expires, now);
  const made = await changeService(
    where,
    async (table) => {
      await requireAccount(table, account, where);
      return createApiKey(table, account, now, { label, scope, expires_at });
    },
    ({ id }) => ({ account, action: "key.create", target: id }),
  );
  const { id, key, created_at } = made;
  if (json) printJson({ id, account, label, scope, key, created_at, expires_at });
  else {
    const until = expires_at === undefined ? "" : ` until ${expires_at}`;
    print(
      `Key ${id} of the account "${account}", with the scope "${scope}"${until}. It is shown only once, so store it now:\n  ${key}`,
    );
  }
}

/** @throws UsageError if it is no date and time, or in the past */
function expiryOf(text: string, now: Date): string {
  const time = new Date(text);
  // JavaScript takes February 30 as March 2.
  const isDate = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 10));
  if (!EXPIRY.test(text) || !isDate)
    throw new UsageError(
      `--expires ${text} is not a date, such as 2027-01-01, or a time in UTC, such as 2027-01-01T18:00Z.`,
    );
  if (time <= now) throw new UsageError(`--expires ${text} is in the past, so nobody could use the key.`);
  return time.toISOString();
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
  const revoked = await changeService(
    where,
    (table) => revokeApiKey(table, id, new Date()),
    (key) => key && { account: key.account, action: "key.revoke", target: id },
  );
  if (revoked === undefined) throw new UsageError(`There is no key with the id "${id}".`);
  if (json) printJson(revoked);
  else print(`Revoked the key ${id} of the account "${revoked.account}". It no longer grants access.`);
}

const listed = (keys: readonly ApiKey[]) =>
  tableOf(
    ["id", "label", "scope", "created", "expires", "last used", "revoked"],
    keys.map(({ id, label, scope, created_at, expires_at, last_used_at, revoked_at }) => [
      id,
      label ?? "",
      scope,
      created_at,
      expires_at ?? "never",
      last_used_at ?? "never",
      revoked_at ?? "",
    ]),
  );
