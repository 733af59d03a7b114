import { execFile } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import { extract } from "tar-fs";

/** A browser on disk, and the environment variables that it needs to start. */
export interface ChromiumInstall {
  executablePath: string;
  env: Record<string, string>;
}

/** Whether the packed browser runs on this machine. */
export const hasPackedChromium = process.platform === "linux" && process.arch === "x64";

/** Unfinished unpackings of dead processes are removed once nothing can still be writing to them. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * The Chromium that @sparticuz/chromium carries, unpacked once per version below `cacheFolder`. Processes that
 * do this at the same time each unpack to a name of their own; the first to rename wins, so nobody ever starts
 * a half-written binary.
 */
export async function installChromium(cacheFolder: string): Promise<ChromiumInstall> {
  const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));
  const { version } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8"));
  const folder = join(cacheFolder, `chromium-${version}`);
  if (!(await exists(folder))) {
    await mkdir(cacheFolder, { recursive: true });
    await removeAbandoned(cacheFolder);
    const unfinished = await mkdtemp(join(cacheFolder, "unpacking-"));
    try {
      await unpack(join(packageFolder, "bin"), unfinished, folder);
      await rename(unfinished, folder);
    } catch (error) {
      if (!(await exists(folder))) throw error;
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  const libraries = join(folder, "lib");
  return {
    executablePath: join(folder, "chromium"),
    env: {
      FONTCONFIG_PATH: join(folder, "fonts"),
      ...((await exists(libraries)) ? { LD_LIBRARY_PATH: libraries } : {}),
    },
  };
}

async function unpack(packed: string, folder: string, finalFolder: string): Promise<void> {
  const executable = join(folder, "chromium");
  const fonts = join(folder, "fonts");
  await Promise.all([
    pipeline(
      createReadStream(join(packed, "chromium.br")),
      createBrotliDecompress({ chunkSize: 2 ** 21 }),
      createWriteStream(executable, { mode: 0o755 }),
    ),
    unpackTar(join(packed, "fonts.tar.br"), fonts),
  ]);
  await writeFile(join(fonts, "fonts.conf"), fontConfig(finalFolder));
  // A full Debian has libraries of its own, which fit it better; a bare one or Lambda has none of them.
  if (!(await starts(executable))) await unpackTar(join(packed, "al2023.tar.br"), folder);
}

/** The packed configuration names folders of Lambda; this one names where the fonts really are. */
const fontConfig = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`;

async function starts(executable: string): Promise<boolean> {
  try {
    await promisify(execFile)(executable, ["--version"], { env: {}, timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

const unpackTar = (file: string, folder: string) =>
  pipeline(createReadStream(file), createBrotliDecompress(), extract(folder));

async function removeAbandoned(cacheFolder: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    if (!name.startsWith("unpacking-")) continue;
    const path = join(cacheFolder, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
