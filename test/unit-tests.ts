import { join, relative, sep } from "node:path";
import { build } from "esbuild";

/*
 * `npm run test:unit` (jest's --filter): all tests but those that run the whole service, which lie in test/e2e, and
 * those that start a browser, which are known by their imports.
 */

const root = join(import.meta.dirname, "..");
const endToEnd = join(import.meta.dirname, "e2e") + sep;

/** The files of tests that need neither a browser nor the service. */
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
  const needBrowser = new Set(
    Object.values(metafile.outputs)
      .filter(({ imports }) => imports.some(({ path }) => path === "playwright-core"))
      .map(({ entryPoint }) => entryPoint),
  );
  return { filtered: entryPoints.filter((file) => !needBrowser.has(relative(root, file))) };
}

// What jest gets by its require().
export { unitTests as "module.exports" };
