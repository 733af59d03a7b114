import { Command, InvalidArgumentError } from "commander";
import packageJson from "../package.json" with { type: "json" };

// Each command loads its code when it runs, so that `--help` is fast.

/** Runs the command line. Prints errors to standard error and sets the exit code 1. */
export async function main(argv: string[]): Promise<void> {
  try {
    await program().parseAsync(argv);
  } catch (error) {
    const [{ describeProblem }, { redactText }, { printError }] = await Promise.all([
      import("./describe-problem.ts"),
      import("../functions/redact.ts"),
      import("./print.ts"),
    ]);
    printError(redactText(describeProblem(error)));
    process.exitCode = 1;
  }
}

const DATA = ["--data <folder>", "data folder of the local service", ".gleaner"] as const;
const STACK = [
  "--stack <name>",
  "use the service of this stack on AWS instead, in the account and region of your credentials",
] as const;
const JSON_OUTPUT = ["--json", "print the stored object as JSON"] as const;
const ACCOUNT = ["--account <name>", "account to use", "default"] as const;

/** Adds a command that uses a service on this machine or on AWS. */
const onService = (parent: Command, usage: string, description: string): Command =>
  parent
    .command(usage)
    .description(description)
    .option(...DATA)
    .option(...STACK);

/** Adds a command that uses one account of such a service. */
const onAccount = (parent: Command, usage: string, description: string): Command =>
  onService(parent, usage, description).option(...ACCOUNT);

/** The command line: every command with its arguments and options. */
export function program(): Command {
  const gleaner = new Command("gleaner")
    .description("Web-scraping service: stored scrapers, runs over a small REST API, rows.")
    .version(packageJson.version, "-V, --version", "print the version")
    .showHelpAfterError("(add --help for the commands and options)");
  addStart(gleaner);
  addScraperCommands(gleaner);
  addRunCommands(gleaner);
  addAccountCommands(gleaner);
  addKeyCommands(gleaner);
  addSecretCommands(gleaner);
  addWebhookCommands(gleaner);
  return gleaner;
}

function addStart(gleaner: Command): void {
  gleaner
    .command("start")
    .description("run the whole service on this machine until it is stopped")
    .option("--port <number>", "port of the API; 0 takes a free one", parsePort, 4000)
    .option("--host <address>", "address to listen on, such as 0.0.0.0 for all; loopback by default")
    .option("--name <name>", "host name under which clients reach the API (repeatable)", collect, [])
    .option(...DATA)
    .option(
      "--allow-host <host:port>",
      "a private address that scrapes and webhooks may reach (repeatable)",
      collect,
      [],
    )
    .option("--proxies <file>", "JSON file with the upstream proxies that scrapers may use")
    .option("--user-agent <text>", "user agent of scrapers that set none")
    .option("--run-days <number>", "days after which runs are removed; by default never", parseDays)
    .action(async (options) => (await import("./commands/start.ts")).start(options));
}

function addScraperCommands(gleaner: Command): void {
  const scraper = gleaner.command("scraper").description("store, list and delete scrapers");
  onAccount(
    scraper,
    "put <file>",
    "store the scraper that a JSON file defines; one with an id replaces that scraper",
  )
    .option(...JSON_OUTPUT)
    .action(async (file, options) => (await import("./commands/scraper.ts")).putScraperFile(file, options));
  onAccount(scraper, "list", "list the account's scrapers, newest first")
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import("./commands/scraper.ts")).listAllScrapers(options));
  onAccount(scraper, "delete <id>", "delete a scraper and its schedule; its runs stay").action(
    async (id, options) => (await import("./commands/scraper.ts")).deleteScraperOf(id, options),
  );
}

function addRunCommands(gleaner: Command): void {
  const run = gleaner.command("run").description("show runs");
  onAccount(run, "show <id>", "show how a run ended and, if it failed, what the page looked like")
    .option("--screenshot <file>", "write the screenshot of a failed run to this file (JPEG)")
    .option(...JSON_OUTPUT)
    .action(async (id, options) => (await import("./commands/run.ts")).show(id, options));
}

function addAccountCommands(gleaner: Command): void {
  const account = gleaner.command("account").description("manage accounts");
  onService(account, "create <name>", "create an account")
    .option(...JSON_OUTPUT)
    .action(async (name, options) => (await import("./commands/account.ts")).create(name, options));
  onService(account, "set <name>", "set limits of an account")
    .option("--credits <number>", "credits a month; none: no limit", parseLimit)
    .option("--rate <number>", "requests of each key in 10 seconds; none: the default", parseLimit)
    .option(...JSON_OUTPUT)
    .action(async (name, options) => (await import("./commands/account.ts")).set(name, options));
}

function addKeyCommands(gleaner: Command): void {
  const key = gleaner.command("key").description("manage API keys");
  onService(key, "create", "create an API key and show it once")
    .requiredOption(ACCOUNT[0], "account of the key")
    .option("--label <text>", "name of the key in lists, such as who uses it")
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import("./commands/key.ts")).create(options));
  onAccount(
    key,
    "list",
    "list the account's API keys, newest first: when each was created, last used and revoked",
  )
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import("./commands/key.ts")).list(options));
  onService(key, "revoke <id>", "revoke an API key at once")
    .option(...JSON_OUTPUT)
    .action(async (id, options) => (await import("./commands/key.ts")).revoke(id, options));
}

function addSecretCommands(gleaner: Command): void {
  const secret = gleaner
    .command("secret")
    .description("manage the values that scrapers use as {{secret:name}}, which no run shows");
  onAccount(secret, "set <name>", "set a secret to the value that you type or pipe in")
    .option(
      "--host <host>",
      "a host that may get the secret (repeatable); by default those that the scraper's own steps visit",
      collect,
      [],
    )
    .option(...JSON_OUTPUT)
    .action(async (name, options) => (await import("./commands/secret.ts")).setSecret(name, options));
  onAccount(secret, "list", "list the account's secrets, without their values")
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import("./commands/secret.ts")).listSecrets(options));
  onAccount(secret, "remove <name>", "remove a secret").action(async (name, options) =>
    (await import("./commands/secret.ts")).removeSecret(name, options),
  );
}

function addWebhookCommands(gleaner: Command): void {
  const webhook = gleaner
    .command("webhook")
    .description("manage webhook secrets, show delivery attempts, resend webhooks");
  onAccount(webhook, "secret", "show the secrets that sign the account's webhooks, newest first")
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import("./commands/webhook.ts")).showSecrets(options));
  onAccount(webhook, "rotate", "create a new secret; the previous one stays valid until the next rotation")
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import("./commands/webhook.ts")).rotateSecret(options));
  onAccount(webhook, "attempts <run-id>", "show every attempt to deliver a run's webhook")
    .option(...JSON_OUTPUT)
    .action(async (id, options) => (await import("./commands/webhook.ts")).showAttempts(id, options));
  onAccount(webhook, "resend <run-id>", "send a finished run's webhook again")
    .option(...JSON_OUTPUT)
    .action(async (id, options) => (await import("./commands/webhook.ts")).resend(id, options));
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a number from 0 to 65535.");
}

function parseDays(text: string): number {
  const days = Number(text);
  if (/^\d{1,5}$/.test(text) && days >= 2 && days <= 36_500) return days;
  throw new InvalidArgumentError("It must be a number from 2 to 36500.");
}

function parseLimit(text: string): number | null {
  if (text === "none") return null;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, or "none".');
}

const collect = (value: string, before: string[]) => [...before, value];
