import { join, relative, sep } from "node:path";
import { build } from "esbuild";

/*
 * `npm run test:unit` (jest's --filter): the tests that need one process alone. Those that run the whole service lie in
 * test/e2e. Those that start a browser, a second engine of tables, a command or a build are known by their imports.
 */

/** Modules that start other processes. */
const STARTERS = ["playwright-core", "node:child_process", "esbuild"];

const root = join(import.meta.dirname, "..");
const endToEnd = join(import.meta.dirname, "e2e") + sep;

/** The files of tests that start no other process. */
async function unitTests(files: readonly string[]): Promise<{ filtered: string[] }> {
  const entryPoints = files.filter((file) => !file.startsWith(endToEnd));
  const { metafile } = await build({
    entryPoints,
    absWorkingDir: root,
    outdir: "unit-tests",
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const starters = new Set(
    Object.values(metafile.outputs)
      .filter(({ imports }) => imports.some(({ path }) => STARTERS.includes(path)))
      .map(({ entryPoint }) => entryPoint),
  );
  return { filtered: entryPoints.filter((file) => !starters.has(relative(root, file))) };
}

// What jest gets by its require().
export { unitTests as "module.exports" };
