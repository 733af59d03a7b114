import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const FOLDER = import.meta.dirname;
const STAMP = join(FOLDER, "node_modules", ".installed");

/** Installs the libraries as package-lock.json has them, unless that is what is there. */
export function installLibraries(): void {
  const wanted = createHash("sha256")
    .update(readFileSync(join(FOLDER, "package-lock.json")))
    .digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  console.error("Installing the libraries of test/widgets; this takes a minute.");
  execFileSync("npm", ["ci"], { cwd: FOLDER, stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(STAMP, wanted);
}
