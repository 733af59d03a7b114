import { type Command, Option } from "commander";
import { KEY_SCOPES } from "../../functions/contract/scope.ts";
import {
  ACCOUNT,
  collect,
  command,
  dataOption,
  onAccount,
  onApi,
  onService,
  parseLimit,
  wholeFrom,
  YES,
} from "./options.ts";

const backup = () => import("../commands/backup.ts");
const account = () => import("../commands/account.ts");
const key = () => import("../commands/key.ts");
const secret = () => import("../commands/secret.ts");
const session = () => import("../commands/session.ts");
const webhook = () => import("../commands/webhook.ts");

/**
 * Adds the commands for operators. Most of them need no API key, because they access the service's storage directly.
 */
export function addOperatorCommands(gleaner: Command): void {
  addAccountCommands(gleaner);
  addKeyCommands(gleaner);
  addAuditCommand(gleaner);
  addSecretCommands(gleaner);
  addSessionCommands(gleaner);
  addWebhookCommands(gleaner);
  addBackupCommands(gleaner);
}

function addAccountCommands(gleaner: Command): void {
  const parent = gleaner.command("account").description("manage accounts");
  onService(parent, "create <name>", "create an account").action(async (name, options) =>
    (await account()).create(name, options),
  );
  onService(parent, "set <name>", "set limits of an account")
    .option("--credits <number>", "credits a month; none: no limit", parseLimit)
    .option("--rate <number>", "requests that each key may make in 10 seconds; none: the default", parseLimit)
    .option("--storage <MB>", "MB that its runs may store; none: the default", parseLimit)
    .action(async (name, options) => (await account()).set(name, options));
  onService(parent, "list", "list all accounts with their limits; reads the whole table").action(
    async (options) => (await account()).list(options),
  );
  onService(
    parent,
    "show <name>",
    "show an account: limits, credits of this month, runs in progress, keys",
  ).action(async (name, options) => (await account()).show(name, options));
  onService(parent, "delete <name>", "delete an account with its keys, scrapers, runs and secrets")
    .option(...YES)
    .action(async (name, options) => (await account()).remove(name, options));
}

function addKeyCommands(gleaner: Command): void {
  const parent = gleaner.command("key").description("manage API keys");
  onService(parent, "create", "create an API key and show it once")
    .requiredOption(ACCOUNT, "account of the key")
    .option("--label <text>", "name of the key in lists, such as its user")
    .addOption(
      new Option("--scope <scope>", "what it permits; each scope includes those before it")
        .choices(KEY_SCOPES)
        .default("write"),
    )
    .option("--expires <date>", "when it stops to be valid, in UTC, such as 2027-01-01 (default: never)")
    .action(async (options) => (await key()).create(options));
  onAccount(
    parent,
    "list",
    "list the account's API keys, newest first, with their scopes and the times of creation, expiry, last use and revocation",
  ).action(async (options) => (await key()).list(options));
  onService(parent, "revoke <id>", "revoke an API key at once").action(async (id, options) =>
    (await key()).revoke(id, options),
  );
}

function addAuditCommand(gleaner: Command): void {
  onAccount(gleaner, "audit", "list who changed what in an account, newest first")
    .option("--limit <number>", "how many changes to list", wholeFrom(1), 50)
    .action(async (options) => (await import("../commands/audit.ts")).audit(options));
}

function addSecretCommands(gleaner: Command): void {
  const parent = gleaner
    .command("secret")
    .description("manage secrets, the values that scrapers use as {{secret:name}}");
  onAccount(parent, "set <name>", "set a secret to the value that you type or pipe in")
    .option(
      "--host <host>",
      "a host that may get the secret (repeatable); by default those that the scraper's own steps visit",
      collect,
    )
    .action(async (name, options) => (await secret()).setSecret(name, options));
  onAccount(parent, "list", "list the account's secrets, without their values").action(async (options) =>
    (await secret()).listSecrets(options),
  );
  onAccount(parent, "remove <name>", "remove a secret")
    .option(...YES)
    .action(async (name, options) => (await secret()).removeSecret(name, options));
}

function addSessionCommands(gleaner: Command): void {
  const parent = gleaner.command("session").description("manage sign-ins that scrapers keep from run to run");
  onApi(
    parent,
    "sign-in <name> <url>",
    "open a browser, wait until you have signed in, and store its cookies for scrapers",
  )
    .option("--browser <path>", "the program of the browser; by default, Google Chrome")
    .action(async (name, url, options) => (await session()).signIn(name, url, options));
  onApi(parent, "list", "list the account's sessions, without their cookies").action(async (options) =>
    (await session()).list(options),
  );
  onApi(
    parent,
    "check <name>",
    "open the first pages of the scrapers that use a session; exits with 1 if it is signed out",
  ).action(async (name, options) => (await session()).check(name, options));
  onApi(parent, "delete <name>", "delete a session")
    .option(...YES)
    .action(async (name, options) => (await session()).remove(name, options));
}

function addWebhookCommands(gleaner: Command): void {
  const parent = gleaner
    .command("webhook")
    .description("manage webhook secrets, show delivery attempts, resend webhooks");
  onAccount(parent, "secret", "show the secrets that sign the account's webhooks, newest first").action(
    async (options) => (await webhook()).showSecrets(options),
  );
  onAccount(parent, "rotate", "create a new secret; the previous one stays valid until the next rotation")
    .option(...YES)
    .action(async (options) => (await webhook()).rotateSecret(options));
  onApi(
    parent,
    "attempts <run-id>",
    "show the newest attempts to deliver a run's webhook, at most 20",
  ).action(async (id, options) => (await webhook()).showAttempts(id, options));
  onApi(parent, "resend <run-id>", "send a finished run's webhook again").action(async (id, options) =>
    (await webhook()).resend(id, options),
  );
}

function addBackupCommands(gleaner: Command): void {
  command(gleaner, "backup <file>", "write the data folder to one file; the service may run meanwhile")
    .option(...dataOption())
    .action(async (file, options) => (await backup()).backup(file, options));
  command(gleaner, "restore <file>", "write a backup to a data folder that is empty or missing")
    .option(...dataOption())
    .action(async (file, options) => (await backup()).restore(file, options));
}
