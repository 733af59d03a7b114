import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import Table from "cli-table3";

/*
 * `npm run test:slow`: the tests that take too long for each change. They run before a release, each night, and for changes
 * of the engine. All of them run, also if one fails.
 */
const commands: [name: string, script: string, ...args: string[]][] = [
  ["real time, large and hostile pages", "jest", "--testMatch", "**/test/**/*.slow.test.ts"],
  ["properties, with random seeds", "jest", ...propertyTests()],
  ["all pages", "test:pages", "--all"],
  ["all pages, slowed down", "test:pages", "--all", "--slow"],
  ["all pages, engine auto", "test:pages", "--engine", "auto"],
  ["all pages, resumed after the first rows", "test:pages", "--resume", "1"],
  ["all pages, resumed after the second rows", "test:pages", "--resume", "2"],
  ["all pages, up to half of their rows", "test:pages", "--half"],
  ["all pages, in a single process", "test:pages", "--single-process"],
  ["all pages, in real time", "test:pages", "--clock", "real", "--jobs", "24"],
  ["widgets", "test:widgets", "--slow"],
  ["hostile pages", "hostile"],
  ["malformed requests to the API", "fuzz"],
  ["malformed requests to the proxy", "fuzz:egress"],
  ["random pages", "fuzz:pages"],
  ["Python client", "check:python"],
  ["n8n nodes", "check:n8n"],
];

/** The files that use fast-check. */
function propertyTests(): string[] {
  return globSync("test/**/*.test.ts").filter((file) =>
    readFileSync(file, "utf8").includes("/fast-check.ts"),
  );
}

const table = new Table({ head: ["tests", "result", "seconds"], style: { head: [], border: [] } });
const results = commands.map(([name, script, ...args]) => {
  console.log(`\n${name}: npm run ${script} -- ${args.join(" ")}`);
  const started = Date.now();
  const { status } = spawnSync("npm", ["run", script, "--", ...args], {
    stdio: "inherit",
    env: { ...process.env, RANDOM_SEEDS: "1" },
  });
  table.push([name, status === 0 ? "passed" : "FAILED", ((Date.now() - started) / 1000).toFixed(0)]);
  return status === 0;
});
console.log(table.toString());
const passed = results.filter((isPassed) => isPassed).length;
console.log(`${passed} passed, ${results.length - passed} failed`);
process.exit(passed === results.length ? 0 : 1);
