import { Argument, type Command } from "commander";
import { command, onApi, parsePort } from "./options.ts";

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
  onApi(gleaner, "whoami", "show which service and account commands use").action(async (options) =>
    (await login()).whoami(options),
  );
  onApi(gleaner, "doctor", "check what Gleaner needs; exits with 1 if there is a problem")
    .option("--port <number>", "port that the local service is to use", parsePort, 4000)
    .action(async (options) => (await import("../commands/doctor.ts")).doctor(options));
  gleaner
    .command("completion")
    .description("print a script that completes commands and options")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .action(async (shell) => (await import("../commands/completion.ts")).completion(shell, gleaner));
}
