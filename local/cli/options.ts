import { type Command, InvalidArgumentError } from "commander";
import { defaultData } from "../data/default-data.ts";

/** Adds a command whose result can be printed as JSON. */
export const command = (parent: Command, usage: string, description: string): Command =>
  parent.command(usage).description(description).option("--json", "print the result as JSON");

/** Adds a command that calls the HTTP API. */
export const onApi = (parent: Command, usage: string, description: string): Command =>
  onTarget(command(parent, usage, description));

/** Adds the options that select the service to call. */
export const onTarget = (target: Command): Command =>
  target
    .option("--url <url>", "base URL of the service; the key is in GLEANER_KEY")
    .option("--profile <name>", "a service that `gleaner login` has stored")
    .option("--data <folder>", "data folder of the running local service (default: .gleaner)");

/** The option for the data folder. Its default is that of the environment. */
export const dataOption = () =>
  ["--data <folder>", "data folder of the local service", defaultData()] as const;

/** Adds an operator command. It needs no API key, but access to the data folder, or AWS credentials. */
export const onService = (parent: Command, usage: string, description: string): Command =>
  command(parent, usage, description)
    .option(...dataOption())
    .option(
      "--stack <name>",
      "use the service of this stack on AWS instead, in the account and region of your credentials",
    );

export const ACCOUNT = "--account <name>";

/** Adds an operator command for one account. */
export const onAccount = (parent: Command, usage: string, description: string): Command =>
  onService(parent, usage, description).option(ACCOUNT, "account to use", "default");

export const YES = ["-y, --yes", "don't ask for confirmation"] as const;

/** Collects the values of an option that can be repeated. Without the option, there is no array, and help shows no default. */
export const collect = (value: string, before: string[] = []) => [...before, value];

export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a number from 0 to 65535.");
}

export function parseDays(text: string): number {
  const days = Number(text);
  if (/^\d{1,5}$/.test(text) && days >= 2 && days <= 36_500) return days;
  throw new InvalidArgumentError("It must be a number from 2 to 36500.");
}

/** Returns a parser for whole numbers of at least `least`. */
export const wholeFrom = (least: number) => (text: string) => {
  if (/^\d{1,12}$/.test(text) && Number(text) >= least) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
};

/** A limit, or "none". Not null, because commander replaces a parsed null by an empty string. */
export type Limit = number | "none";

export function parseLimit(text: string): Limit {
  if (text === "none") return text;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, or "none".');
}

export function parsePages(text: string): number {
  if (/^[1-3]$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be 1, 2 or 3.");
}
