import { Argument, type Command } from "commander";
import { command, onApi, onTarget, parsePort, YES } from "./options.ts";

const login = () => import("../commands/login.ts");
const PROFILE = ["--profile <name>", "name of the profile", "default"] as const;

export function addToolCommands(gleaner: Command): void {
  command(gleaner, "login", "check an API key that you type or pipe in, and store it with its service")
    .option("--url <url>", "base URL of the service")
    .option(...PROFILE)
    .action(async (options) => (await login()).login(options));
  command(gleaner, "logout", "remove a stored key")
    .option(...PROFILE)
    .action(async (options) => (await login()).logout(options));
  onApi(gleaner, "whoami", "show the service and the account that commands use").action(async (options) =>
    (await login()).whoami(options),
  );
  onApi(gleaner, "doctor", "check what Gleaner needs; exits with 1 if there is a problem")
    .option("--port <number>", "port that the local service is to use", parsePort, 4000)
    .option(
      "--stack <name>",
      "also check the region for this stack on AWS and, once it is deployed, the stack",
    )
    .action(async (options) => (await import("../commands/doctor.ts")).doctor(options));
  addMcp(gleaner);
  gleaner
    .command("completion")
    .description("print a script that completes commands and options")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .action(async (shell) => (await import("../commands/completion.ts")).completion(shell, gleaner));
}

function addMcp(gleaner: Command): void {
  const mcp = gleaner.command("mcp").description("let agents make and run scrapers, and read their rows");
  onTarget(
    mcp
      .command("serve", { isDefault: true })
      .description(
        "serve the Model Context Protocol on standard input and output; `gleaner mcp` does the same",
      ),
  ).action(async (options) => (await import("../commands/mcp/serve.ts")).serve(options));
  onApi(mcp, "install", "add this service to the MCP servers of a client, after asking")
    .addArgument(new Argument("<client>").choices(["claude", "claude-desktop", "cursor", "vscode"]))
    .option(...YES)
    .action(async (client, options) => (await import("../commands/mcp/install.ts")).install(client, options));
}
