import { join, relative, sep } from "node:path";
import { build } from "esbuild";

/*
 * `npm run test:unit` (jest's --filter): the tests that need one process alone. Those that run the whole service lie in
 * test/e2e. Those that start a browser, a second engine of tables, a command or a build are known by the files that
 * they import. Files are imported as a whole: what starts a process has a file of its own.
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
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const isStarter = (output: string, seen = new Set<string>()): boolean =>
    !seen.has(output) &&
    seen.add(output) &&
    metafile.outputs[output]?.imports.some(({ path, external }) =>
      external ? STARTERS.includes(path) : isStarter(path, seen),
    ) === true;
  const starters = new Set(
    Object.entries(metafile.outputs).flatMap(([output, { entryPoint }]) =>
      entryPoint && isStarter(output) ? [entryPoint] : [],
    ),
  );
  return { filtered: entryPoints.filter((file) => !starters.has(relative(root, file))) };
}

// What jest gets by its require().
export { unitTests as "module.exports" };
