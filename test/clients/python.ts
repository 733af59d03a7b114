import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";

/*
 * Builds the Python package in clients/python, installs it into a temporary folder with what its tests need, and checks its
 * style, its types and its behavior against a service of this checkout.
 */

const PACKAGE = join(PROJECT_FOLDER, "clients", "python");
/** The oldest Python of the package. */
const OLDEST = "3.10";

const folder = mkdtempSync(join(tmpdir(), "gleaner-python-"));
const python = join(folder, "venv", "bin", "python");
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" };
try {
  const [major, minor] = OLDEST.split(".");
  run("python3", "-c", `import sys; sys.exit(sys.version_info < (${major}, ${minor}))`);
  run("python3", "-m", "venv", join(folder, "venv"));
  run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, PACKAGE);
  const [wheel = ""] = readdirSync(folder).filter((name) => name.endsWith(".whl"));
  run(python, "-m", "pip", "install", "--quiet", `${join(folder, wheel)}[pandas,test]`);
  run(python, "-m", "ruff", "check", "--no-cache", ".");
  run(python, "-m", "ruff", "format", "--no-cache", "--check", ".");
  run(python, "-m", "mypy", "--cache-dir", join(folder, "mypy"));
  run(python, "-m", "pytest", "--quiet");
  console.log("The Python client works.");
} catch (error) {
  console.log(`FAILED: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** @throws Error if the command fails */
function run(command: string, ...args: string[]): void {
  console.log(`$ ${[command, ...args].join(" ")}`);
  const { status, error } = spawnSync(command, args, { cwd: PACKAGE, env, stdio: "inherit" });
  if (error !== undefined || status !== 0) {
    const reason = error?.message ?? `exited with status ${status}`;
    throw new Error(
      `${command} ${args.slice(0, 2).join(" ")}: ${reason}. This check needs Python ${OLDEST} or later.`,
    );
  }
}
