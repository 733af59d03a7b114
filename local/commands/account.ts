import { SESSION_KEY } from "../../functions/sessions/session-key.ts";
import { createAccount, getAccount, listAccounts, setLimits } from "../../functions/store/accounts.ts";
import { listApiKeys, RATE_LIMIT } from "../../functions/store/api-keys.ts";
import { creditsUsed, monthOf } from "../../functions/store/credits.ts";
import { deleteAccount } from "../../functions/store/delete-account.ts";
import { countAllRuns } from "../../functions/store/runs/statuses.ts";
import { STORAGE_LIMIT, storedBytes } from "../../functions/store/storage.ts";
import type { Limit } from "../cli/options.ts";
import { commandOn } from "../client/target.ts";
import { CommandError, EXIT } from "../command-error.ts";
import { type Where, withService } from "../connect.ts";
import { DataFolder, UsageError } from "../data/data-folder.ts";
import { changeService } from "../operator-change.ts";
import { tableOf } from "../table-of.ts";
import { confirm } from "../terminal/confirm.ts";
import { print, printJson } from "../terminal/print.ts";
import { counted } from "./run/progress.ts";

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

export async function create(name: string, { json, ...where }: Where & { json?: boolean }): Promise<void> {
  if (!NAME.test(name)) {
    throw new UsageError(
      `"${name}" is not a valid account name. Use 1 to 63 lowercase letters, digits and hyphens, starting with a letter or digit.`,
    );
  }
  const limits = { credit_limit: null, rate_limit: null, storage_limit: null };
  const account = { name, ...limits, created_at: new Date().toISOString() };
  const created = await changeService(
    where,
    (table) => createAccount(table, account),
    (isNew) => (isNew ? { account: name, action: "account.create", target: null } : undefined),
  );
  if (!created) throw new UsageError(`The account "${name}" already exists.`);
  print(
    json
      ? JSON.stringify(account, null, 2)
      : `Created the account "${name}". Create a key for it with \`npx ${commandOn(where, `key create --account ${name}`)}\`.`,
  );
}

/** The limits to set. "none" means no credit limit, or the default of the service for the others. */
interface Limits {
  credits?: Limit;
  rate?: Limit;
  /** In MB. */
  storage?: Limit;
}

const BYTES_PER_MB = 1_000_000;
const inMb = (bytes: number | null = null) => Math.round((bytes ?? STORAGE_LIMIT) / BYTES_PER_MB);

const stored = (limit: Limit) => (limit === "none" ? null : limit);

export async function set(
  name: string,
  { credits, rate, storage, json, ...where }: Limits & Where & { json?: boolean },
): Promise<void> {
  const limits = {
    ...(credits !== undefined && { credit_limit: stored(credits) }),
    ...(rate !== undefined && { rate_limit: stored(rate) }),
    ...(storage !== undefined && {
      storage_limit: storage === "none" ? null : storage * BYTES_PER_MB,
    }),
  };
  if (Object.keys(limits).length === 0) {
    throw new UsageError("Name a limit to set: --credits, --rate or --storage.");
  }
  const account = await changeService(
    where,
    (table) => setLimits(table, name, limits),
    (changed) => changed && { account: name, action: "account.set", target: null },
  );
  if (account === undefined) throw unknown(name);
  const { credit_limit, rate_limit, storage_limit = null, created_at } = account;
  if (json) {
    console.log(JSON.stringify({ name, credit_limit, rate_limit, storage_limit, created_at }, null, 2));
    return;
  }
  console.log(`The account "${name}" may use ${credit_limit ?? "any number of"} credits a month.`);
  console.log(`Each of its keys may make ${rate_limit ?? RATE_LIMIT} requests in 10 seconds.`);
  console.log(`Its runs may store ${inMb(storage_limit)} MB.`);
}

export async function list({ json, ...where }: Where & { json?: boolean }): Promise<void> {
  const found = await withService(where, listAccounts);
  const accounts = found.map((account) => ({ ...account, storage_limit: account.storage_limit ?? null }));
  if (json) return printJson(accounts);
  if (accounts.length === 0) return print("There are no accounts.");
  const rows = accounts.map(({ name, credit_limit, rate_limit, storage_limit, created_at }) => [
    name,
    credit_limit === null ? "no limit" : String(credit_limit),
    String(rate_limit ?? RATE_LIMIT),
    String(inMb(storage_limit)),
    created_at,
  ]);
  print(tableOf(["name", "credits a month", "requests in 10 s", "MB of runs", "created"], rows));
}

export async function show(name: string, { json, ...where }: Where & { json?: boolean }): Promise<void> {
  const shown = await withService(where, async (table) => {
    const account = await getAccount(table, name);
    if (account === undefined) throw unknown(name);
    const { credit_limit, rate_limit, storage_limit = null, created_at } = account;
    const stored_bytes = await storedBytes(table, name);
    const credits_used = await creditsUsed(table, name, monthOf(new Date()));
    const running = await countAllRuns(table, name, "running");
    const keys = (await listApiKeys(table, name)).filter(({ revoked_at }) => revoked_at === undefined).length;
    const limits = { credit_limit, rate_limit, storage_limit };
    return { name, ...limits, created_at, credits_used, stored_bytes, running, keys };
  });
  if (json) return printJson(shown);
  const { credit_limit, rate_limit, storage_limit, created_at, credits_used, stored_bytes, running, keys } =
    shown;
  print(`Account "${name}", created ${created_at}`);
  print(`Credits this month: ${credits_used} (limit: ${credit_limit ?? "none"})`);
  print(`Requests of each key in 10 seconds: ${rate_limit ?? RATE_LIMIT}`);
  print(`Storage of its runs: ${inMb(stored_bytes)} MB (limit: ${inMb(storage_limit)} MB)`);
  print(`Runs in progress: ${running}`);
  print(`Keys: ${keys}`);
}

export async function remove(
  name: string,
  { yes, json, ...where }: Where & { yes?: boolean; json?: boolean },
): Promise<void> {
  const own = where.stack === undefined ? await new DataFolder(where.data).readCredentials() : undefined;
  if (own?.account === name) {
    throw new UsageError(
      `The service in ${where.data} needs the account "${name}". To delete all that it has, stop the service and delete the folder.`,
    );
  }
  await withService(where, async (table) => {
    if ((await getAccount(table, name)) === undefined) throw unknown(name);
  });
  await confirm(`Permanently delete the account "${name}" with its keys, scrapers, runs and secrets?`, yes);
  const result = await changeService(
    where,
    (table, secrets) =>
      deleteAccount(table, name, new Date(), async () => {
        for (const secret of await secrets.list(name)) await secrets.remove(name, secret.name);
        await secrets.remove(name, SESSION_KEY);
      }),
    (end) =>
      // Also a deletion that only began has deleted the keys and the scrapers.
      end === "deleted" || (end !== "unknown" && end.isBegun)
        ? { account: name, action: "account.delete", target: null }
        : undefined,
  );
  if (result === "unknown") throw unknown(name);
  if (result !== "deleted") throw inProgress(name, result);
  if (json) printJson({ name });
  else print(`Deleted the account "${name}" with all that it had.`);
}

const unknown = (name: string) => new UsageError(`There is no account "${name}".`);

function inProgress(name: string, { running, isBegun }: { running: number; isBegun: boolean }): CommandError {
  const runs = `The account "${name}" has ${counted(running, "run")} in progress`;
  return new CommandError(
    EXIT.failed,
    isBegun
      ? `${runs}, which began meanwhile. Its keys and scrapers are deleted already. Repeat the command when the runs have ended, within an hour.`
      : `${runs}. Nothing was deleted. Wait for them, or stop them with \`npx gleaner run stop\` and a key of the account.`,
  );
}
