import { readFile, writeFile } from "node:fs/promises";

/*
 * Removes `engines` from package-lock.json. npm compares them with the Node.js that runs npm, and would warn of each
 * package on an older one, although scripts and npx use the Node.js that the project installs.
 */
const path = new URL("../package-lock.json", import.meta.url);
const lockfile = JSON.parse(await readFile(path, "utf8"));
for (const locked of Object.values<{ engines?: unknown }>(lockfile.packages)) delete locked.engines;
await writeFile(path, `${JSON.stringify(lockfile, null, 2)}\n`);
