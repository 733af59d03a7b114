import { execFile } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { newFolder } from "../new-folder.ts";

/* What test/jest/runner.ts reports of files whose tests fail: a runner that misses a failure makes every test worthless. */

const config = {
  rootDir: PROJECT_FOLDER,
  testRunner: "<rootDir>/test/jest/runner.ts",
  testEnvironment: "<rootDir>/test/jest/environment.ts",
  testMatch: ["<rootDir>/test/jest/faults/*.ts"],
  transform: {},
};

interface Report {
  success: boolean;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

let report: Report;
beforeAll(async () => {
  const jest = join(PROJECT_FOLDER, "node_modules", "jest", "bin", "jest.js");
  const args = [
    "--config",
    JSON.stringify(config),
    "--json",
    "--runInBand",
    "--cacheDirectory",
    await newFolder(),
  ];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [jest, ...args], { cwd: PROJECT_FOLDER, timeout: 60_000 }, (_, stdout) =>
      resolve(stdout),
    );
  });
  report = JSON.parse(output);
});

const file = (name: string) =>
  report.testResults.find((result) => result.name.endsWith(join("faults", name)));
const named = (name: string, wanted: string) =>
  file(name)
    ?.assertionResults.filter(({ status }) => status === wanted)
    .map(({ fullName }) => fullName);

test("each test that fails, and in what way", () => {
  const { message = "" } = file("tests.ts") ?? {};
  expect(named("tests.ts", "failed")).toEqual([
    "a wrong value",
    "a rejection",
    "no end",
    "an assertion too few",
    "beside others",
    "only 2 passes",
    "a hook before",
    "a hook after",
  ]);
  expect(named("tests.ts", "passed")).toEqual(["passes", "only 1 passes"]);
  expect(named("tests.ts", "pending")).toEqual(["is not run"]);
  for (const cause of [
    "Expected: 2",
    "No.",
    "timeout of 50 ms",
    "one assertion",
    "Not ready.",
    "Not clean.",
  ]) {
    expect(message).toContain(cause);
  }
});

test("errors that nobody catches fail the file whose tests pass", () => {
  expect(named("uncaught.ts", "passed")).toHaveLength(2);
  expect(file("uncaught.ts")).toMatchObject({
    status: "failed",
    message: expect.stringMatching(/Thrown by a timer\..*Never awaited\./s),
  });
});

test("a file that can't be imported fails", () => {
  expect(file("broken-import.ts")).toMatchObject({
    status: "failed",
    message: expect.stringContaining("The file breaks off."),
  });
});

test("a rejection that a test handles later is none, and each file begins with what the first one found", () => {
  expect(file("handled-later.ts")).toMatchObject({ status: "passed" });
  expect(report.success).toBe(false);
});
