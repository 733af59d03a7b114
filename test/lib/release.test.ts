import { globSync } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { releaseNotes } from "../../lib/release-notes.ts";

const CHANGELOG = `# Changelog

## [0.2.0] - 2026-12-01

### Added

- Two.

## [0.1.0] - Unreleased

- One.

## [0.0.1] - 2026-01-01
`;

test("the notes of a release are its section of the changelog", () => {
  expect(releaseNotes(CHANGELOG, "v0.2.0", "0.2.0")).toBe("### Added\n\n- Two.");
});

test.each([
  ["a tag of another version", "v0.2.1", "0.2.0", "Tag the commit v0.2.0."],
  ["a version without a section", "v0.3.0", "0.3.0", 'has no section "## [0.3.0] - DATE"'],
  ["a section without a date", "v0.1.0", "0.1.0", 'says "## [0.1.0] - Unreleased"'],
  ["an empty section", "v0.0.1", "0.0.1", "is empty"],
])("%s can't be released", (_, tag, version, message) => {
  expect(() => releaseNotes(CHANGELOG, tag, version)).toThrow(message);
});

const workflows = globSync(join(PROJECT_FOLDER, ".github/workflows/*.yml"));
test.each(workflows)("%s uses actions by their full version, and may only read by default", async (file) => {
  const text = await readFile(file, "utf8");
  const uses = text.split("\n").filter((line) => /^\s*(- )?uses:/.test(line));
  expect(uses.length).toBeGreaterThan(0);
  for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  expect(text).toMatch(/^permissions:\n {2}contents: read\n(?! )/m);
});

test("the files that a release is made of are there", async () => {
  const text = await readFile(join(PROJECT_FOLDER, ".github/workflows/release.yml"), "utf8");
  const files = new Set(text.match(/\b(?:bin|local\/host)\/[\w./-]+\w|\.ci\/run/g));
  expect([...files].sort()).toEqual([
    ".ci/run",
    "bin/release-notes.ts",
    "local/host/Dockerfile",
    "local/host/compose.yaml",
    "local/host/grafana-dashboard.json",
    "local/host/smoke-test.sh",
  ]);
  for (const file of files) await access(join(PROJECT_FOLDER, file));
});
