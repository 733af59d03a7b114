import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ConsoleFiles } from "../../console/build/files.ts";

/** The folder with the console in the npm package, next to the bundle of the service. */
const PACKED = fileURLToPath(new URL("console/", import.meta.url));
/** A URL instead of an import that a bundler follows, because the npm package has neither the source nor esbuild. */
const BUILD = new URL("../../console/build/build.ts", import.meta.url).href;

/** Reads the files of the console from the npm package. In a clone of the repository, builds them. */
export async function consoleFiles(): Promise<ConsoleFiles> {
  if (existsSync(PACKED)) return readFolder(PACKED);
  const { buildConsole }: typeof import("../../console/build/build.ts") = await import(BUILD);
  return (await buildConsole()).files;
}

async function readFolder(folder: string): Promise<ConsoleFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  return new Map(
    await Promise.all(
      files.map(async (path) => {
        const name = path.slice(folder.length).replaceAll("\\", "/").replace(/^\/+/, "");
        return [name, await readFile(path)] as const;
      }),
    ),
  );
}
