import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildConsole } from "./build.ts";

/** Builds the console and writes its files to a folder. */
export async function writeConsole(folder: string): Promise<void> {
  for (const [path, content] of (await buildConsole()).files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
}
