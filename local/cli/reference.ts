import type { Argument, Command, Option } from "commander";
import { EXIT } from "../command-error.ts";

const exitCodes: Record<keyof typeof EXIT, string> = {
  ok: "done",
  failed: "the operation failed: a run failed, a definition has problems, or files differ",
  wrongUse: "the command, an option or an argument is wrong",
  notSignedIn: "there is no API key, or the service refused it",
  notFound: "the account has no such scraper or run",
  notReached: "the service does not run, can't be reached or is unavailable",
  limit: "the rate limit is reached, or the account has no credits left",
  interrupted: "interrupted by Ctrl-C",
};

/** The reference of the command line, in Markdown. */
export function cliReference(gleaner: Command): string {
  return `# Command-line reference

\`npm run cli-reference\` makes this page from the code. [command-line.md](command-line.md) explains how to use the commands.
Run them as \`npx gleaner\`. [command-line.md](command-line.md#name-scrapers-runs-and-batches) says what you can write in
place of an id.

${gleaner.commands.map((command) => section(command)).join("\n")}
## Exit codes

| code | means |
|---|---|
${Object.entries(EXIT)
  .map(([name, code]) => `| ${code} | ${exitCodes[name as keyof typeof EXIT]} |`)
  .join("\n")}
`;
}

function section(command: Command): string {
  if (command.commands.length === 0) return leaf(command, 2);
  return `## gleaner ${command.name()}

${sentence(command.description())}

${command.commands.map((child) => leaf(child, 3)).join("\n")}`;
}

function leaf(command: Command, level: number): string {
  const names = pathOf(command);
  const usage = [names, "[options]", ...command.registeredArguments.map(argumentOf)].join(" ");
  return `${"#".repeat(level)} ${names}

\`\`\`text
${usage}
\`\`\`

${sentence(command.description())}

| option | meaning |
|---|---|
${command.options.map(row).join("\n")}
`;
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

function argumentOf(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "..." : "");
  return argument.required ? `<${name}>` : `[${name}]`;
}

function row({ flags, description, defaultValue, argChoices, mandatory }: Option): string {
  const hasDefault =
    defaultValue !== undefined && !(Array.isArray(defaultValue) && defaultValue.length === 0);
  const facts = [
    ...(mandatory ? ["required"] : []),
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(", ")}`]),
    ...(hasDefault ? [`default: ${defaultValue}`] : []),
  ];
  return `| \`${flags}\` | ${description}${facts.length > 0 ? ` (${facts.join("; ")})` : ""} |`;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
