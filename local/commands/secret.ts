import { referenceTo } from "../../functions/contract/secrets/secret-syntax.ts";
import { validate } from "../../functions/contract/validate.ts";
import { NewSecret, SecretTarget } from "../../functions/secrets/secret.ts";
import { type Where, withService } from "../connect.ts";
import { UsageError } from "../data/data-folder.ts";
import { changeService } from "../operator-change.ts";
import { requireAccount } from "../require-account.ts";
import { readHidden } from "../secrets/read-hidden.ts";
import { tableOf } from "../table-of.ts";
import { confirm } from "../terminal/confirm.ts";
import { print, printJson } from "../terminal/print.ts";

interface Options extends Where {
  account: string;
  json?: boolean;
}

/** Sets a secret to a value from the terminal or standard input. */
export async function setSecret(
  secretName: string,
  { account, host = [], json, ...where }: Options & { host?: string[] },
): Promise<void> {
  // The name and hosts are checked before the prompt, so that the user does not enter a secret in vain.
  validate(SecretTarget, { name: secretName, hosts: host });
  await withService(where, (table) => requireAccount(table, account, where));
  const typed = await readHidden(`Value of the secret "${secretName}": `);
  const { name, ...secret } = validate(NewSecret, { name: secretName, value: typed, hosts: host });
  const now = new Date();
  await changeService(
    where,
    (_table, secrets) => secrets.put(account, name, secret, now),
    () => ({ account, action: "secret.set", target: name }),
  );
  const entry = { name, hosts: secret.hosts, set_at: now.toISOString() };
  if (json) return printJson(entry);
  const targets =
    entry.hosts.length > 0 ? entry.hosts.join(", ") : "the hosts that a scraper's own steps visit";
  print(
    `Set the secret "${name}" of the account "${account}". Scrapers use it as ${referenceTo(name)}. It may be sent to ${targets}.`,
  );
}

/** Lists the secrets without their values. */
export async function listSecrets({ account, json, ...where }: Options): Promise<void> {
  const entries = await withService(where, async (table, secrets) => {
    await requireAccount(table, account, where);
    return secrets.list(account);
  });
  if (json) return printJson(entries);
  if (entries.length === 0) return print(`The account "${account}" has no secrets yet.`);
  const rows = entries.map(({ name, hosts, set_at }) => [
    name,
    hosts.length > 0 ? hosts.join(", ") : "those of the scraper",
    set_at,
  ]);
  print(tableOf(["name", "hosts", "set"], rows));
}

export async function removeSecret(
  name: string,
  { account, yes, json, ...where }: Options & { yes?: boolean },
): Promise<void> {
  const unknown = () => new UsageError(`The account "${account}" has no secret "${name}".`);
  await withService(where, async (table, secrets) => {
    await requireAccount(table, account, where);
    if (!(await secrets.list(account)).some((secret) => secret.name === name)) throw unknown();
  });
  await confirm(`Permanently remove the secret "${name}" of the account "${account}"?`, yes);
  const removed = await changeService(
    where,
    (_table, secrets) => secrets.remove(account, name),
    (isRemoved) => (isRemoved ? { account, action: "secret.remove", target: name } : undefined),
  );
  if (!removed) throw unknown();
  if (json) return printJson({ name, removed: true });
  print(`Removed the secret "${name}". Runs of scrapers that use it fail from now on.`);
}
