import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";

const run = promisify(execFile);
const script = join(import.meta.dirname, "unpack-process.ts");

test("processes that unpack the browser at the same time get one that is whole, and leave nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gleaner-unpack-"));
  try {
    const started = await Promise.all([0, 1].map(() => run(process.execPath, [script, folder])));
    const [path = "", other] = started.map(({ stdout }) => stdout.trim());
    expect(other).toBe(path);
    expect((await run(path, ["--version"])).stdout).toMatch(/Chrom/);
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^chromium-/)]);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 60_000);
