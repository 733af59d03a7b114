// Called while functions with a browser are bundled: `node unpack-browser.ts <folder>` writes Chromium and Playwright for
// their assets.
import { createReadStream, createWriteStream } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { extract } from "tar-fs";
import { PROJECT_FOLDER } from "./project-folder.ts";

const modules = join(PROJECT_FOLDER, "node_modules");

/** The configuration of fontconfig. The path of the fonts is relative, so that the asset works in any folder. */
const FONT_CONFIG = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * Unpacks the files that `installChromium` expects in its cache folder. Otherwise, each cold start would spend two
 * seconds on unpacking. The libraries are those for Lambda's Linux, not for this machine.
 */
async function unpackChromium(output: string): Promise<void> {
  const source = join(modules, "@sparticuz", "chromium");
  const { version } = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  const folder = join(output, `chromium-${version}`);
  await mkdir(folder, { recursive: true });
  const packed = (name: string) => createReadStream(join(source, "bin", name));
  await Promise.all([
    pipeline(
      packed("chromium.br"),
      createBrotliDecompress({ chunkSize: 2 ** 21 }),
      createWriteStream(join(folder, "chromium"), { mode: 0o755 }),
    ),
    pipeline(packed("fonts.tar.br"), createBrotliDecompress(), extract(join(folder, "fonts"))),
    pipeline(packed("al2023.tar.br"), createBrotliDecompress(), extract(folder)),
  ]);
  await writeFile(join(folder, "fonts", "fonts.conf"), FONT_CONFIG);
  // At run time, only the version of the package is read, so its packed binaries are left out.
  await copy("@sparticuz/chromium", output, (path) => !path.startsWith("bin"));
}

/** Copies Playwright unbundled, because it finds its files by their location. Leaves out the trace viewer. */
const copyPlaywright = (output: string) =>
  copy("playwright-core", output, (path) => !path.startsWith(join("lib", "vite")));

async function copy(name: string, output: string, wanted: (path: string) => boolean): Promise<void> {
  const from = join(modules, name);
  const to = join(output, "node_modules", name);
  await mkdir(to, { recursive: true });
  await cp(from, to, { recursive: true, filter: (path) => wanted(relative(from, path)) });
}

const [output] = process.argv.slice(2);
if (output === undefined) throw new Error("Usage: node unpack-browser.ts <folder>");
await Promise.all([unpackChromium(output), copyPlaywright(output)]);
