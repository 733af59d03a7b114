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
    "run-commands.ts",
    "hook-commands.ts",
    "hook-words.ts",
    "operator-commands.ts",
    "scraper-commands.ts",
    "tool-commands.ts",
  ]);
});
