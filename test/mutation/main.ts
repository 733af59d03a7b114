import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { installLibraries } from "../install-libraries.ts";
import { areas } from "./areas.ts";

/*
 * Mutation tests: changes the source in one place after another, and runs the tests that must notice. What they don't notice
 * has no test. `npm run test:mutation -- overrides credits`; without names, all areas.
 */

const { positionals } = parseArgs({ allowPositionals: true, options: {} });
const folder = import.meta.dirname;
const results = join(folder, "results");
const unknown = positionals.filter((name) => !(name in areas));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. There are: ${Object.keys(areas).join(", ")}.`);
  process.exit(2);
}
// Stryker says nothing of a pattern that no file matches. After a file, it may have lines: `file.ts:10-80`.
const isMissing = (pattern: string) => globSync(pattern.replace(/:[\d:-]+$/, "")).length === 0;
const missing = Object.values(areas).flatMap(({ mutate }) => mutate.filter(isMissing));
if (missing.length > 0) {
  console.error(`No file matches ${missing.join(", ")}.`);
  process.exit(2);
}
installLibraries(folder);
mkdirSync(results, { recursive: true });

/** What Stryker does not have to copy. */
const ignorePatterns = [
  "test/widgets/node_modules",
  "test/mutation",
  "bench",
  "docs",
  "cdk.out",
  ".stryker-tmp",
];
const table = new Table({
  head: ["area", "noticed", "not noticed", "score"],
  style: { head: [], border: [] },
});
for (const [name, { mutate, ...how }] of Object.entries(areas)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const report = join(results, `${name.replaceAll(" ", "-")}.json`);
  const config = join(results, "stryker.config.json");
  const options = {
    ...("pages" in how
      ? { testRunner: "pages", plugins: [join(folder, "pages-runner.ts")], ...how }
      : { testRunner: "command", commandRunner: how }),
    ...{ mutate, ignorePatterns, coverageAnalysis: "off", warnings: { unknownOptions: false } },
    ...{
      concurrency: 2,
      timeoutMS: 20_000,
      reporters: ["json", "progress", "clear-text"],
      allowConsoleColors: false,
    },
    // Stryker would read tsconfig.json with a JavaScript API that TypeScript 7 does not have.
    tsconfigFile: "none",
    ...{ jsonReporter: { fileName: report }, tempDirName: ".stryker-tmp", checkers: [] },
  };
  writeFileSync(config, JSON.stringify(options, null, 2));
  const { status } = spawnSync(join(folder, "node_modules", ".bin", "stryker"), ["run", config], {
    stdio: "inherit",
    // Each change starts the tests anew, in a process of its own.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), "gleaner-compile-cache"), ...process.env },
  });
  if (status !== 0) process.exit(status ?? 1);
  table.push([name, ...scoreOf(report)]);
}
console.log(table.toString());

/** How many changes the tests noticed, how many they did not, and the share of the first in percent. */
function scoreOf(report: string): [number, number, string] {
  const { files } = JSON.parse(readFileSync(report, "utf8")) as {
    files: Record<string, { mutants: { status: string }[] }>;
  };
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length;
  const noticed = count("Killed", "Timeout");
  const missed = count("Survived", "NoCoverage");
  return [noticed, missed, ((100 * noticed) / (noticed + missed)).toFixed(1)];
}
