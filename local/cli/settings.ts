import { readFile } from "node:fs/promises";
import { type Command, InvalidArgumentError, type Option } from "commander";
import leven from "leven";
import { wrongUse } from "../command-error.ts";
import { collect } from "./options.ts";

const PREFIX = "GLEANER_";
/** A variable that differs from a setting in at most this many characters is a mistyped setting. */
const MISTYPED = 2;

/** The value of an option, outside of the command line. */
interface Setting {
  /** The variable or file, for messages. Values are never in messages, because some files hold passwords. */
  from: string;
  value: unknown;
}

/** The environment variable of an option, such as GLEANER_ALLOW_HOST for `--allow-host`. */
export const variableOf = (option: Option): string =>
  `${PREFIX}${option.name().toUpperCase().replaceAll("-", "_")}`;

/**
 * Sets the options that the command line does not set: from the environment, or else from the file that `--config` or
 * GLEANER_CONFIG names.
 * @throws CommandError if there is a setting that no option has, or one whose value is invalid
 */
export async function applySettings(command: Command, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const options = new Map(command.options.map((option) => [option.name(), option]));
  apply(command, options, ofEnvironment(options, env), "env");
  const path: string | undefined = command.getOptionValue("config");
  if (path !== undefined) apply(command, options, await ofFile(options, path), "config");
}

type Options = ReadonlyMap<string, Option>;
type Settings = ReadonlyMap<string, Setting>;

function apply(command: Command, options: Options, settings: Settings, source: "env" | "config"): void {
  for (const [name, setting] of settings) {
    const option = options.get(name) as Option;
    const key = option.attributeName();
    // All settings are checked, also those that others override.
    const value = parse(option, setting);
    const before = command.getOptionValueSource(key);
    if (before === undefined || before === "default") command.setOptionValueWithSource(key, value, source);
  }
}

/** An empty variable counts as none: compose files can't leave one out. */
function ofEnvironment(options: Options, env: NodeJS.ProcessEnv): Settings {
  const settings = new Map<string, Setting>();
  const names = new Map([...options].map(([name, option]) => [variableOf(option), name]));
  for (const [variable, text] of Object.entries(env)) {
    const name = names.get(variable);
    if (name === undefined) refuseMistyped(variable, [...names.keys()]);
    else if (text) settings.set(name, { from: variable, value: fromText(options.get(name) as Option, text) });
  }
  return settings;
}

/** Other variables of this prefix are ignored: Kubernetes sets such ones for a service that is called "gleaner". */
function refuseMistyped(variable: string, names: readonly string[]): void {
  if (!variable.startsWith(PREFIX)) return;
  const name = nearest(variable, names);
  if (leven(variable, name) > MISTYPED) return;
  throw wrongUse(`${variable} is not a setting. Did you mean ${name}?`);
}

function fromText(option: Option, text: string): unknown {
  if (option.isBoolean()) return { 1: true, true: true, 0: false, false: false }[text] ?? text;
  return isRepeatable(option) ? text.split(",").map((part) => part.trim()) : text;
}

async function ofFile(options: Options, path: string): Promise<Settings> {
  const names = [...options.keys()].filter((name) => name !== "config");
  return new Map(
    Object.entries(await readObject(path)).map(([name, value]) => {
      if (names.includes(name)) return [name, { from: `"${name}" in ${path}`, value }];
      throw wrongUse(`"${name}" in ${path} is not a setting. Did you mean "${nearest(name, names)}"?`);
    }),
  );
}

async function readObject(path: string): Promise<object> {
  const text = await readFile(path, "utf8").catch((cause) => {
    throw wrongUse(`The config file can't be read: ${cause.message}.`);
  });
  const content = asJson(text);
  if (typeof content === "object" && content !== null && !Array.isArray(content)) return content;
  throw wrongUse(`${path} must contain a JSON object, such as {"port": 4000}.`);
}

/** Undefined if the text is not JSON. */
function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parse(option: Option, { from, value }: Setting): unknown {
  if (option.isBoolean()) {
    if (typeof value === "boolean") return value;
    throw wrongUse(`${from} must be true or false.`);
  }
  const values = isRepeatable(option) && Array.isArray(value) ? value : [value];
  if (!values.every(isText)) {
    throw wrongUse(`${from} must be ${isRepeatable(option) ? "a list of texts" : "a text or a number"}.`);
  }
  try {
    return values.reduce<unknown>(
      (before, one) => option.parseArg?.(String(one), before as never) ?? String(one),
      undefined,
    );
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw wrongUse(`${from} is invalid. ${error.message}`);
  }
}

const isText = (value: unknown) => (typeof value === "string" && value !== "") || typeof value === "number";
const isRepeatable = (option: Option) => option.parseArg === collect;

const nearest = (name: string, names: readonly string[]): string =>
  names.reduce((best, one) => (leven(name, one) < leven(name, best) ? one : best));
