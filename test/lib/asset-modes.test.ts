import { readdir, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { App, Duration, Stack } from "aws-cdk-lib";
import { ServiceFunction } from "../../lib/service-function.ts";
import { newFolder } from "../new-folder.ts";

let folder: string;
let umask: number;

beforeEach(async () => {
  folder = await newFolder();
  umask = process.umask(0o077);
});
afterEach(async () => {
  process.umask(umask);
});

test("everybody may read a function's files, and run its programs, although whoever deploys keeps theirs private", async () => {
  // Stands for the script that adds the browser, which copies files with the modes that they have.
  const script = join(folder, "add-files.mjs");
  await writeFile(
    script,
    `import { mkdirSync, writeFileSync } from "node:fs";
    mkdirSync(process.argv[2] + "/added");
    writeFileSync(process.argv[2] + "/added/program", "", { mode: 0o777 });
    writeFileSync(process.argv[2] + "/added/data", "");`,
  );
  const outdir = join(folder, "cdk.out");
  const app = new App({
    outdir,
    context: { "aws:cdk:bundling-stacks": ["**"], "@aws-cdk/core:validateAgainstDefaultRules": false },
    // What the stack's tests check.
    builtinCloudFormationValidation: false,
  });
  new ServiceFunction(new Stack(app, "stack"), "GetHealth", {
    entry: "api/get-health",
    description: "Answers",
    timeout: Duration.seconds(1),
    memorySize: 128,
    serviceName: "test",
    logDays: 1,
    addFiles: relative(join(import.meta.dirname, "..", "..", "lib"), script),
  });
  app.synth();

  const asset = join(outdir, (await readdir(outdir)).find((name) => name.startsWith("asset.")) ?? "");
  const modes = (await readdir(asset, { recursive: true })).map(async (name) => [
    name,
    ((await stat(join(asset, name))).mode & 0o777).toString(8),
  ]);
  expect(Object.fromEntries(await Promise.all(modes))).toEqual({
    "index.js": "644",
    "index.js.map": "644",
    added: "755",
    "added/program": "755",
    "added/data": "644",
  });
});
