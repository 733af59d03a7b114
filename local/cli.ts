import { Command, InvalidArgumentError } from "commander";

/*
 * Each command loads its own code when it runs: `--help` answers at once.
 */

/** Runs the command line. Problems that a person can solve are printed as they are; the exit code is 1. */
export async function main(argv: string[]): Promise<void> {
  try {
    await program().parseAsync(argv);
  } catch (error) {
    const [{ describeProblem }, { redactText }] = await Promise.all([
      import("./describe-problem.ts"),
      import("../functions/redact.ts"),
    ]);
    console.error(redactText(describeProblem(error)));
    process.exitCode = 1;
  }
}

const DATA = ["--data <folder>", "folder in which the local service keeps everything", ".gleaner"] as const;
const STACK = [
  "--stack <name>",
  "work on the service of this stack on AWS instead, as cdk.outputs.json tells",
] as const;
const JSON_OUTPUT = ["--json", "print the stored object as JSON"] as const;
const ACCOUNT = ["--account <name>", "account to work on", "default"] as const;

/** Adds a command that works on a service, on this machine or on AWS. */
const onService = (parent: Command, usage: string, description: string): Command =>
  parent
    .command(usage)
    .description(description)
    .option(...DATA)
    .option(...STACK);

/** The same for what belongs to one account. */
const onAccount = (parent: Command, usage: string, description: string): Command =>
  onService(parent, usage, description).option(...ACCOUNT);

/** The command line: every command with its arguments and options. */
export function program(): Command {
  const gleaner = new Command("gleaner")
    .description("Web-scraping service: stored scrapers, runs over a small REST API, rows.")
    .showHelpAfterError("(add --help for the commands and options)");

  gleaner
    .command("start")
    .description("run the whole service on this machine until it is stopped")
    .option("--port <number>", "port of the API; 0 takes a free one", parsePort, 4000)
    .option(...DATA)
    .option(
      "--allow-host <host:port>",
      "a private address that scrapes and webhooks may reach (repeatable)",
      collect,
      [],
    )
    .option("--proxies <file>", "JSON file with the upstream proxies that scrapers may ask for")
    .option("--user-agent <text>", "what scrapers' browsers call themselves, where a scraper does not say")
    .action(async (options) => (await import("./commands/start.ts")).start(options));

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

  const run = gleaner.command("run").description("look at runs");
  onAccount(run, "show <id>", "show how a run ended and, when it failed, what the page looked like")
    .option("--screenshot <file>", "write the screenshot of a failed run to this file (JPEG)")
    .option(...JSON_OUTPUT)
    .action(async (id, options) => (await import("./commands/run.ts")).show(id, options));

  const account = gleaner.command("account").description("manage accounts");
  onService(account, "create <name>", "create an account")
    .option(...JSON_OUTPUT)
    .action(async (name, options) => (await import("./commands/account.ts")).create(name, options));

  const key = gleaner.command("key").description("manage API keys");
  onService(key, "create", "create an API key; it is shown this once")
    .requiredOption(ACCOUNT[0], "account that the key opens")
    .option("--label <text>", "what to call the key in lists, such as who uses it")
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import("./commands/key.ts")).create(options));
  onAccount(
    key,
    "list",
    "list the account's API keys, newest first: when each was made, last used and revoked",
  )
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import("./commands/key.ts")).list(options));
  onService(key, "revoke <id>", "revoke an API key at once")
    .option(...JSON_OUTPUT)
    .action(async (id, options) => (await import("./commands/key.ts")).revoke(id, options));

  const secret = gleaner
    .command("secret")
    .description("manage what scrapers name as {{secret:name}} and no run ever shows");
  onAccount(secret, "set <name>", "set a secret to what is typed or piped in")
    .option(
      "--host <host>",
      "a host that it may go to (repeatable); without it, those that the scraper's own steps visit",
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

  const webhook = gleaner.command("webhook").description("webhook secrets, attempts, sending again");
  onAccount(webhook, "secret", "show the secrets that sign the account's webhooks, the newest first")
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import("./commands/webhook.ts")).showSecrets(options));
  onAccount(webhook, "rotate", "make a new secret; the one before it stays valid until the next rotation")
    .option(...JSON_OUTPUT)
    .action(async (options) => (await import("./commands/webhook.ts")).rotateSecret(options));
  onAccount(webhook, "attempts <run-id>", "show every attempt at a run's webhook")
    .option(...JSON_OUTPUT)
    .action(async (id, options) => (await import("./commands/webhook.ts")).showAttempts(id, options));
  onAccount(webhook, "resend <run-id>", "send a finished run's webhook again")
    .option(...JSON_OUTPUT)
    .action(async (id, options) => (await import("./commands/webhook.ts")).resend(id, options));
  return gleaner;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("It has to be a number from 0 to 65535.");
}

const collect = (value: string, before: string[]) => [...before, value];
