import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildConsole } from "../console/build/build.ts";

/*
 * Makes what `npm pack` packs, and undoes it afterwards: a bundle, because Node.js does not strip types below node_modules,
 * and a manifest of its own. With a `bin` in the repository's manifest, `npx gleaner` would first install the repository
 * into its cache each time, which takes 0.4 s.
 */
const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const manifestPath = pathOf("package.json");
/** The browser, which is unpacked. */
const NOT_IMPORTED = ["@sparticuz/chromium"];
const keptPath = pathOf(".pack/package.json");

if (process.argv.includes("--undo")) await restore();
else await prepare();

async function prepare(): Promise<void> {
  // Of an earlier `npm pack` that was interrupted.
  await restore();
  const text = await readFile(manifestPath, "utf8");
  const { name, version, description, license, type, engines, dependencies } = JSON.parse(text);
  const manifest = {
    ...{ name, version, description, license, type, engines },
    bin: { gleaner: "dist/gleaner.js" },
    files: ["dist", "docs", "examples/*.json", "openapi.json", "CHANGELOG.md", "SECURITY.md"],
    dependencies: await usedOf(dependencies),
  };
  await mkdir(pathOf(".pack"), { recursive: true });
  await writeFile(keptPath, text);
  await writeFile(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The dependencies that the bundle needs. */
async function usedOf(dependencies: Record<string, string>): Promise<Record<string, string>> {
  const imported = (await bundle()).filter((path) => !path.startsWith("node:"));
  const names = [...new Set([...imported.map(packageOf), ...NOT_IMPORTED])].sort();
  return Object.fromEntries(
    names.map((name) => {
      const version = dependencies[name];
      if (version === undefined) throw new Error(`dist imports ${name}, which is not in dependencies.`);
      return [name, version];
    }),
  );
}

function packageOf(path: string): string {
  return path.split("/", path.startsWith("@") ? 2 : 1).join("/");
}

async function restore(): Promise<void> {
  if (existsSync(keptPath)) await rename(keptPath, manifestPath);
}

/** Writes dist with the console's files, and returns what its code imports. */
async function bundle(): Promise<string[]> {
  await rm(pathOf("dist"), { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [pathOf("bin/gleaner.js")],
    outdir: pathOf("dist"),
    bundle: true,
    // Each command still loads its own code alone.
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    legalComments: "none",
    metafile: true,
  });
  // The example shop reads them next to its code.
  for (const name of ["shop.css", "shop.js", "favicon.svg"]) {
    await copyFile(pathOf(`examples/shop/${name}`), pathOf(`dist/${name}`));
  }
  for (const [path, content] of (await buildConsole()).files) {
    const target = pathOf(`dist/console/${path}`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  return Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path }) => path),
  );
}
