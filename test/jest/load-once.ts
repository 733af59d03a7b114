import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { pathToFileURL } from "node:url";

/*
 * Jest loads every module again for each test file, and compiles it without a cache. For large packages, that takes
 * longer than the tests. Node loads these packages once per worker; they keep no state between tests.
 */

const load = createRequire(import.meta.url);

/** Another version of the package may export other names. */
export function getCacheKey(source: string, path: string): string {
  const hash = createHash("sha256").update(path).update(source);
  for (const file of [import.meta.filename, findPackageJSON(pathToFileURL(path))]) {
    if (file) hash.update(readFileSync(file));
  }
  return hash.digest("hex");
}

/**
 * Code that gets the package from Node by `loadPackage`, which test/jest/environment.ts sets. Modules can import the
 * names that the code lists.
 */
export function process(_source: string, path: string): { code: string } {
  const names = Object.keys(load(path)).filter((name) => /^\w+$/.test(name));
  return {
    code: `module.exports = loadPackage(${JSON.stringify(path)});\n0 && (module.exports = { ${names.join(", ")} });`,
  };
}
