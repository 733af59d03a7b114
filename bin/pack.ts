import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeConsole } from "../console/build/write.ts";

/*
 * Runs before `npm pack` and, with `--undo`, after it. Writes a bundle to dist, because Node.js does not strip types
 * below node_modules. Replaces package.json by a manifest for the package, and restores it afterwards. The repository's
 * own manifest has no `bin`, because otherwise each `npx gleaner` would first install the repository into its cache,
 * which takes 0.4 s.
 */
const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const manifestPath = pathOf("package.json");
/** Dependencies that the code does not import: the package of the browser, which is only unpacked. */
const NOT_IMPORTED = ["@sparticuz/chromium"];
/** What `bin/gleaner.js` requires. The repository's own manifest does not say so: see `bin/lockfile.ts`. */
const NODE = ">=22.21";
const keptPath = pathOf(".pack/package.json");

if (process.argv.includes("--undo")) await restore();
else await prepare();

async function prepare(): Promise<void> {
  // An earlier `npm pack` may have been interrupted before it restored the manifest.
  await restore();
  const text = await readFile(manifestPath, "utf8");
  const { name, version, description, license, type, dependencies } = JSON.parse(text);
  const manifest = {
    ...{ name, version, description, license, type, engines: { node: NODE }, ...repository() },
    bin: { gleaner: "dist/gleaner.js" },
    files: ["dist", "docs", "examples/*.json", "openapi.json", "CHANGELOG.md", "SECURITY.md"],
    dependencies: await usedOf(dependencies),
  };
  await mkdir(pathOf(".pack"), { recursive: true });
  await writeFile(keptPath, text);
  await writeFile(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** In a workflow of GitHub: where the package comes from. npm compares it with the provenance. */
function repository(): object {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path } = process.env;
  return server && path ? { repository: { type: "git", url: `git+${server}/${path}.git` } } : {};
}

/** Writes the bundle, and returns the dependencies that it needs, with their versions. */
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

/** Writes the bundle and the console's files to dist, and returns the external modules that the bundle imports. */
async function bundle(): Promise<string[]> {
  await rm(pathOf("dist"), { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [pathOf("bin/gleaner.js")],
    outdir: pathOf("dist"),
    bundle: true,
    // With splitting, each command still loads only its own code.
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    legalComments: "none",
    metafile: true,
  });
  // The example shop reads these files from the folder of its code.
  for (const name of ["shop.css", "shop.js", "favicon.svg"]) {
    await copyFile(pathOf(`examples/shop/${name}`), pathOf(`dist/${name}`));
  }
  await writeConsole(pathOf("dist/console"));
  return Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path }) => path),
  );
}
