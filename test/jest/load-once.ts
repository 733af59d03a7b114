import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { pathToFileURL } from "node:url";

/*
 * A Jest transformer for large packages, and for code that many tests spend their time in: the local table. Jest loads
 * every module again for each test file, and V8 begins to optimize it anew. With this transformer, Node.js loads them once
 * per worker. It is only for modules that keep no state between tests.
 */

const load = createRequire(import.meta.url);

/** Includes the version of the package, because another version may export other names. */
export function getCacheKey(source: string, path: string): string {
  const hash = createHash("sha256").update(path).update(source);
  for (const file of [import.meta.filename, findPackageJSON(pathToFileURL(path))]) {
    if (file) hash.update(readFileSync(file));
  }
  return hash.digest("hex");
}

/**
 * Returns code that loads the module with `loadPackage`, which test/jest/environment.ts sets. For a CommonJS module, the
 * code lists all exported names in an unreachable expression, so that they can be imported by name.
 */
export function process(_source: string, path: string): { code: string } {
  const names = Object.keys(load(path)).filter((name) => /^\w+$/.test(name));
  const loaded = `loadPackage(${JSON.stringify(path)})`;
  if (path.endsWith(".ts")) return { code: `export const { ${names.join(", ")} } = ${loaded};` };
  return { code: `module.exports = ${loaded};\n0 && (module.exports = { ${names.join(", ")} });` };
}
