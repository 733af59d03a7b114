import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../lib/project-folder.ts";
import { "module.exports" as unitTests } from "./unit-tests.ts";

const files = globSync("test/**/*.test.ts", { cwd: PROJECT_FOLDER, exclude: ["**/node_modules/**"] });
const { filtered } = await unitTests(files.map((file) => join(PROJECT_FOLDER, file)));
const isUnitTest = (file: string) => filtered.includes(join(PROJECT_FOLDER, file));

test("tests of the whole service are no unit tests", () => {
  const ofService = files.filter((file) => file.startsWith("test/e2e/"));
  expect(ofService.length).toBeGreaterThan(0);
  expect(ofService.filter(isUnitTest)).toEqual([]);
});

test("tests that start a browser are no unit tests", () => {
  const starts = files.filter((file) =>
    /from ".*\/(?:harness|engine-and-site|browsers)\.ts"/.test(
      readFileSync(join(PROJECT_FOLDER, file), "utf8"),
    ),
  );
  expect(starts.length).toBeGreaterThan(10);
  expect(starts.filter(isUnitTest)).toEqual([]);
});

test.each(["functions/store/store", "lib/aws-cli", "docs/dependencies"])(
  "%s, which starts other processes, is no unit test",
  (name) => {
    expect(isUnitTest(`test/${name}.test.ts`)).toBe(false);
  },
);

test.each(["workers/credits", "secrets/hide", "scraping/politeness/robots"])("%s is a unit test", (name) => {
  expect(isUnitTest(`test/functions/${name}.test.ts`)).toBe(true);
});
