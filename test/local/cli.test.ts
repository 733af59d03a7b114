import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { program } from "../../local/cli.ts";

const GLEANER = join(PROJECT_FOLDER, "bin", "gleaner.js");

test("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(join(PROJECT_FOLDER, "package.json"), "utf8"));
  const { stdout } = await promisify(execFile)(process.execPath, [GLEANER, "--version"]);
  expect(stdout).toBe(`${version}\n`);
});

test("an old Node.js is told what to install", async () => {
  const old = 'Object.defineProperty(process, "versions", { value: { node: "22.20.0" } });';
  const preload = `data:text/javascript,${encodeURIComponent(old)}`;
  const started = promisify(execFile)(process.execPath, ["--import", preload, GLEANER, "--version"]);
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^Gleaner needs Node\.js 22\.21 or newer, .* https:\/\/nodejs\.org\./),
  });
});

test("the help of start begins with the options that people need first", () => {
  const help = program()
    .commands.find((command) => command.name() === "start")
    ?.helpInformation();
  expect([...(help ?? "").matchAll(/^ {2}(-\S+)/gm)].map(([, flag]) => flag).slice(0, 4)).toEqual([
    "--port",
    "--data",
    "--allow-host",
    "-h,",
  ]);
  expect(help).not.toContain("default: []");
});

test("start takes its options from the environment, too", async () => {
  const env = { ...process.env, GLEANER_PORTS: "4001" };
  await expect(promisify(execFile)(process.execPath, [GLEANER, "start"], { env })).rejects.toMatchObject({
    code: 2,
    stderr: "GLEANER_PORTS is not a setting. Did you mean GLEANER_PORT?\n",
  });
});

test("each command that works on a data folder takes the one of the environment", async () => {
  const env = { ...process.env, GLEANER_DATA: join(PROJECT_FOLDER, "missing"), GLEANER_URL: "" };
  for (const command of [
    ["key", "list"],
    ["scraper", "list"],
  ]) {
    const started = promisify(execFile)(process.execPath, [GLEANER, ...command], { env });
    await expect(started).rejects.toMatchObject({
      stderr: expect.stringContaining(`No service is running on the data folder ${env.GLEANER_DATA}`),
    });
  }
});

test("--help loads no command's code", async () => {
  const trace = `
    import { registerHooks } from "node:module";
    registerHooks({
      load(url, context, next) {
        console.error(url);
        return next(url, context);
      },
    });
  `;
  const preload = `data:text/javascript,${encodeURIComponent(trace)}`;
  const { stderr } = await promisify(execFile)(process.execPath, ["--import", preload, GLEANER, "--help"]);
  const own = stderr.split("\n").filter((url) => url.startsWith("file:") && !url.includes("/node_modules/"));
  expect(own.map((url) => url.slice(url.lastIndexOf("/") + 1))).toEqual([
    "gleaner.js",
    "cli.ts",
    "package.json",
    "batch-commands.ts",
    "options.ts",
    "default-data.ts",
    "run-commands.ts",
    "hook-commands.ts",
    "hook-words.ts",
    "operator-commands.ts",
    "scope.ts",
    "scraper-commands.ts",
    "tool-commands.ts",
  ]);
});
