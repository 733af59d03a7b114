import { Command, CommanderError } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addBatchCommands } from "./cli/batch-commands.ts";
import { addHookCommands } from "./cli/hook-commands.ts";
import { addOperatorCommands } from "./cli/operator-commands.ts";
import { collect, dataOption, parseDays, parsePort } from "./cli/options.ts";
import { addRunCommands } from "./cli/run-commands.ts";
import { addScraperCommands } from "./cli/scraper-commands.ts";
import { addToolCommands } from "./cli/tool-commands.ts";

// The code of a command is imported only when the command runs, so that `--help` is fast.

/** The exit code for invalid arguments. */
const WRONG_USE = 2;

const EXAMPLES = `
Examples:
  npx gleaner start
  npx gleaner scraper new https://shop.example.com/books
  npx gleaner run start latest --watch -o rows.xlsx

Wherever a command takes an id, the first characters of the id, "latest" and the name of a scraper work, too.`;

/** docs/hosting.md#settings describes this. */
const SETTINGS = `
Each option can also be set in the environment, such as GLEANER_ALLOW_HOST for --allow-host, or in the file of --config.`;

/** Runs the command line. Prints errors to standard error and sets the exit code. */
export async function main(argv: string[]): Promise<void> {
  try {
    await program().parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the message.
      process.exitCode = error.exitCode === 0 ? 0 : WRONG_USE;
      return;
    }
    const [{ describeProblem }, { exitCodeOf }, { redactText }, { printError }] = await Promise.all([
      import("./describe-problem.ts"),
      import("./command-error.ts"),
      import("../functions/redact.ts"),
      import("./terminal/print.ts"),
    ]);
    printError(redactText(describeProblem(error)));
    process.exitCode = exitCodeOf(error);
  }
}

/** The command-line parser with all commands, their arguments and options. */
export function program(): Command {
  const gleaner = new Command("gleaner")
    .description("Gleaner, a web-scraping service: store scrapers, run them, and get their rows.")
    .version(packageJson.version, "-V, --version", "print the version")
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("(add --help for the commands and options)")
    .exitOverride();
  addStart(gleaner);
  addScraperCommands(gleaner);
  addRunCommands(gleaner);
  addBatchCommands(gleaner);
  addHookCommands(gleaner);
  addOperatorCommands(gleaner);
  addToolCommands(gleaner);
  return gleaner;
}

function addStart(gleaner: Command): void {
  gleaner
    .command("start")
    .description("run the service on this machine; Ctrl-C stops it")
    .option("--port <number>", "port of the API; 0 uses a free one", parsePort, 4000)
    .option(...dataOption())
    .option(
      "--allow-host <host:port>",
      "a private address that scrapes and webhooks may reach, such as localhost:8080 (repeatable)",
      collect,
    )
    .optionsGroup("Options for a service that others use:")
    .option("--host <address>", "address to listen on, such as 0.0.0.0 for all; loopback by default")
    .option(
      "--trust-user-header <name>",
      "header in which your proxy names the person who has signed in, such as X-Forwarded-User",
    )
    .option("--user-roles <file>", "JSON file that says what each of these persons may do")
    .option("--trust-groups-header <name>", "header in which the proxy names the groups of the person")
    .option(
      "--trusted-proxy <address>",
      "address or network of that proxy (repeatable); loopback by default",
      collect,
    )
    .option("--name <name>", "host name under which clients reach the API (repeatable)", collect)
    .optionsGroup("More options:")
    .option(
      "--example",
      "also serve the example bookshop at http://localhost:4100, for scrapers and the console to try",
    )
    .option("--proxies <file>", "JSON file with the upstream proxies that scrapers may use")
    .option("--smtp <file>", "JSON file with the mail server that sends alerts by e-mail")
    .option(
      "--deliver-to <folder>",
      "folder in which each account has one for files with the rows of its scrapers",
    )
    .option("--public-url <url>", "address at which people open the console, for links in alerts")
    .option("--user-agent <text>", "user agent for scrapers that set none")
    .option("--run-days <number>", "days after which runs are removed; by default never", parseDays)
    .option("--metrics-port <number>", "port for Prometheus, at /metrics; 0 uses a free one", parsePort)
    .option("--config <file>", 'JSON file with options, such as {"port": 4000}')
    .addHelpText("after", SETTINGS)
    .hook("preAction", async (command) => (await import("./cli/settings.ts")).applySettings(command))
    .action(async (options) => (await import("./commands/start.ts")).start(options));
}
