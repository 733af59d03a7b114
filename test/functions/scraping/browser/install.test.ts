import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, utimes, watch } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { newFolder } from "../../../new-folder.ts";

const run = promisify(execFile);
const script = join(import.meta.dirname, "../../../../bin/after-install.js");
const into = (folder: string) => ({ env: { ...process.env, XDG_CACHE_HOME: folder } });
const install = (folder: string) => run(process.execPath, [script], into(folder));

test("installations at the same time, after one that was killed, unpack a whole browser, and leave nothing else", async () => {
  const cache = await newFolder();
  const folder = join(cache, "gleaner");
  await mkdir(folder);
  const changes = watch(folder)[Symbol.asyncIterator]();
  const killed = spawn(process.execPath, [script], into(cache));
  const begun = await changes.next();
  killed.kill("SIGKILL");
  await once(killed, "exit");
  await changes.return?.();
  const [half = ""] = await readdir(folder);
  expect(half).toBe(begun.value?.filename);
  // What may still be written to is not removed.
  await utimes(join(folder, half), 0, 0);

  const outputs = await Promise.all([install(cache), install(cache)]);
  expect(outputs).toEqual([
    { stdout: "", stderr: "" },
    { stdout: "", stderr: "" },
  ]);
  const [browser = "", ...rest] = await readdir(folder);
  expect(rest).toEqual([]);
  expect((await run(join(folder, browser, "chromium"), ["--version"])).stdout).toMatch(/Chrom/);
});

test("where nothing can be written, the installation says that the first run unpacks the browser, and succeeds", async () => {
  expect((await install("/dev/null")).stdout).toMatch(/^The browser is not unpacked yet.*ENOTDIR.*\n$/);
});
