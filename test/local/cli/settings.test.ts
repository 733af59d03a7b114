import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { Command, Option } from "commander";
import { collect } from "../../../local/cli/options.ts";
import { applySettings, variableOf } from "../../../local/cli/settings.ts";
import { program } from "../../../local/cli.ts";
import { newFolder } from "../../new-folder.ts";

const folder = await newFolder();
const file = join(folder, "gleaner.json");

const startOf = (gleaner: Command) =>
  gleaner.commands.find((command) => command.name() === "start") as Command;

/** The options of `start` with these arguments, this environment and this config file. */
async function optionsOf(args: string[], env: Record<string, string>, content?: unknown) {
  const start = startOf(program());
  // A command of its own: what its hooks and its action do is not wanted here.
  const parsed = start.options.reduce((command, option) => command.addOption(option), start.createCommand());
  parsed.exitOverride().parse(args, { from: "user" });
  if (content === undefined) await applySettings(parsed, env);
  else {
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    await applySettings(parsed, { ...env, GLEANER_CONFIG: file });
  }
  return parsed.opts();
}

/** Two values that an option can have: as texts, and as what the service gets. */
function samplesOf(option: Option): { texts: [string, string]; values: [unknown, unknown] } {
  if (option.isBoolean()) return { texts: ["true", "false"], values: [true, false] };
  if (option.parseArg === collect) return { texts: ["a:1,b:2", "c:3"], values: [["a:1", "b:2"], ["c:3"]] };
  if (option.flags.includes("<number>")) return { texts: ["90", "91"], values: [90, 91] };
  return { texts: ["one", "other"], values: ["one", "other"] };
}

const options = startOf(program()).options.filter((option) => option.name() !== "config");

describe.each(options.map((option) => ({ name: option.name(), option })))("--$name", ({ name, option }) => {
  const { texts, values } = samplesOf(option);
  const key = option.attributeName();
  const variable = variableOf(option);

  test("can be set in the environment, and in the config file", async () => {
    expect((await optionsOf([], { [variable]: texts[0] }))[key]).toEqual(values[0]);
    expect((await optionsOf([], {}, { [name]: values[0] }))[key]).toEqual(values[0]);
  });

  test("is taken from the command line, else from the environment, else from the file", async () => {
    expect((await optionsOf([], { [variable]: texts[1] }, { [name]: values[0] }))[key]).toEqual(values[1]);
    const argument = option.isBoolean() ? `--${name}` : `--${name}=one`;
    const expected = option.isBoolean() ? true : option.parseArg === collect ? ["one"] : "one";
    if (option.flags.includes("<number>")) {
      expect((await optionsOf([`--${name}=7`], { [variable]: "8" }, { [name]: 9 }))[key]).toBe(7);
    } else {
      const set = await optionsOf([argument], { [variable]: texts[1] }, { [name]: values[1] });
      expect(set[key]).toEqual(expected);
    }
  });

  test("an empty variable sets nothing", async () => {
    expect((await optionsOf([], { [variable]: "" }))[key]).toEqual((await optionsOf([], {}))[key]);
  });

  test("an object, which may hold passwords, is refused, and not quoted", async () => {
    const refused = optionsOf([], {}, { [name]: { password: "hunter2" } });
    await expect(refused).rejects.toThrow(`"${name}" in ${file} must be `);
    await expect(refused).rejects.not.toThrow("hunter2");
  });
});

test.each([
  [
    "an invalid number",
    [],
    { GLEANER_PORT: "tcp://10.0.0.1:4000" },
    undefined,
    "GLEANER_PORT is invalid. It must be a number from 0 to 65535.",
  ],
  [
    "an invalid number that the command line overrides",
    ["--port", "1"],
    {},
    { port: "80a" },
    `"port" in ${file} is invalid. It must be a number from 0 to 65535.`,
  ],
  [
    "neither true nor false",
    [],
    { GLEANER_EXAMPLE: "yes" },
    undefined,
    "GLEANER_EXAMPLE must be true or false.",
  ],
  [
    "a list for an option that is not repeatable",
    [],
    {},
    { port: [1, 2] },
    `"port" in ${file} must be a text or a number.`,
  ],
  [
    "a mistyped variable",
    [],
    { GLEANER_ALLOW_HOSTS: "a:1" },
    undefined,
    "GLEANER_ALLOW_HOSTS is not a setting. Did you mean GLEANER_ALLOW_HOST?",
  ],
  [
    "a mistyped name in the file",
    [],
    {},
    { runDays: 3 },
    `"runDays" in ${file} is not a setting. Did you mean "run-days"?`,
  ],
  ["the file itself", [], {}, { config: "other.json" }, `"config" in ${file} is not a setting.`],
  [
    "a file that is not JSON",
    [],
    {},
    "password: hunter2",
    `${file} must contain a JSON object, such as {"port": 4000}.`,
  ],
  ["a list as the file", [], {}, [], `${file} must contain a JSON object, such as {"port": 4000}.`],
  [
    "a missing file",
    [],
    { GLEANER_CONFIG: join(folder, "missing") },
    undefined,
    "The config file can't be read: ENOENT",
  ],
] as const)("%s is refused", async (_, args, env, content, message) => {
  await expect(optionsOf([...args], { ...env } as Record<string, string>, content)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(message),
  });
});

test("variables that other programs set, and those of commands, are no settings", async () => {
  const others = {
    GLEANER_URL: "http://localhost",
    GLEANER_KEY: "glr_1",
    GLEANER_SECRETS_KEY: "a",
    GLEANER_TRACE: "1",
    GLEANER_SERVICE_HOST: "10.0.0.1",
    GLEANER_PORT_4000_TCP: "tcp://10.0.0.1:4000",
  };
  expect(await optionsOf([], others)).toEqual(await optionsOf([], {}));
});
