import type { AccountView } from "../../functions/contract/service-routes.ts";
import { isLoopback } from "../../functions/egress/policy/is-loopback.ts";
import { Api, connect } from "../client/api.ts";
import { DEFAULT_PROFILE, profilesPath, removeProfile, saveProfile } from "../client/profiles.ts";
import { baseUrl, type Where } from "../client/target.ts";
import { wrongUse } from "../command-error.ts";
import { UsageError } from "../data/data-folder.ts";
import { readHidden } from "../secrets/read-hidden.ts";
import { ask } from "../terminal/confirm.ts";
import { note, print, printJson } from "../terminal/print.ts";

interface LoginOptions {
  url?: string;
  profile: string;
  json?: boolean;
}

/** Checks an API key by a request, and stores it with the URL of its service in a profile. */
export async function login({ url: given, profile, json }: LoginOptions): Promise<void> {
  const url = baseUrl(given ?? (await askForUrl()));
  const { protocol, hostname } = new URL(url);
  if (protocol === "http:" && !isLoopback(hostname)) {
    note(`Warning: ${url} has no TLS, so the key crosses the network unencrypted.`);
  }
  const key = (await readHidden(`API key for ${url}: `)).trim();
  const api = new Api({ url, key, from: "what you typed" });
  const account = await api.get<AccountView>("/v1/account");
  await saveProfile(profile, { url, api_key: key });
  if (json) return printJson({ profile, url, account: account.name });
  print(
    `Signed in to ${url} with the account "${account.name}". The key is in ${profilesPath()}, as profile "${profile}".`,
  );
  if (profile !== DEFAULT_PROFILE) note(`Use it with --profile ${profile}.`);
}

function askForUrl(): Promise<string> {
  if (process.stdin.isTTY) return ask("Base URL of the service: ");
  throw wrongUse(
    "There is no terminal to answer on. Give the base URL of the service with --url, and pipe the API key to standard input.",
  );
}

export async function logout({ profile, json }: { profile: string; json?: boolean }): Promise<void> {
  if (!(await removeProfile(profile))) throw new UsageError(`There is no profile "${profile}".`);
  if (json) return printJson({ profile, removed: true });
  print(`Removed the profile "${profile}". Its key stays valid: \`npx gleaner key revoke\` revokes a key.`);
}

/** Shows which service and account commands use. */
export async function whoami({ json, ...where }: Where & { json?: boolean }): Promise<void> {
  const api = await connect(where);
  const account = await api.get<AccountView>("/v1/account");
  const { url, from } = api.target;
  if (json) return printJson({ ...account, url, from });
  const { name, credits, running, rate_limit, version } = account;
  print(`Account "${name}" at ${url} (${from}), version ${version}`);
  print(
    `Credits this month: ${credits.used} (limit: ${credits.limit ?? "none"}). The count restarts at ${credits.resets_at}`,
  );
  print(`Runs in progress: ${running ?? "many"}`);
  print(`Rate limit: ${rate_limit.requests} requests in ${rate_limit.seconds} s for each key`);
}
