import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { BatchStatus, InputStatus } from "../../../../functions/contract/batches/batch.ts";
import { RunStatus } from "../../../../functions/contract/runs/run-status.ts";
import { statusWord, statusWords } from "../../../../functions/contract/runs/status-words.ts";
import { PROJECT_FOLDER } from "../../../../lib/project-folder.ts";

/* The words for the status of a run, an input and a batch: the same in the console, the command line and the API. */

const WORDS = [
  "Waiting",
  "Running",
  "Stopping",
  "Successful",
  "Check rows",
  "Stopped",
  "Failed",
  "Finished",
] as const;
const error = (code: string) => ({ code, message: "It is down.", step: null });
const warning = { code: "field_empty", message: "No row has a price.", step: 1 };
const plain = { error: null, warnings: [], stopping: false };

test("there is one word for each status, and the API's statuses are these words", () => {
  expect(Object.values(statusWords).map(({ word }) => word)).toEqual(WORDS);
  for (const status of [...RunStatus.options, ...InputStatus.options, ...BatchStatus.options])
    expect(statusWord({ status, ...plain } as Parameters<typeof statusWord>[0]).word.toLowerCase()).toBe(
      status,
    );
});

test.each([
  ["Running", { ...plain, status: "running" }],
  ["Stopping", { ...plain, status: "running", stopping: true }],
  ["Successful", { ...plain, status: "successful" }],
  ["Check rows", { ...plain, status: "successful", warnings: [warning] }],
  ["Failed", { ...plain, status: "failed", error: error("http_error") }],
  ["Failed", { ...plain, status: "failed", error: error("http_error"), warnings: [warning] }],
  ["Stopped", { ...plain, status: "failed", error: error("stopped") }],
] as const)("%s", (word, run) => {
  expect(statusWord({ ...run, warnings: [...run.warnings] }).word).toBe(word);
});

test("nothing else of the console and the command line has these words for a status", () => {
  const files = ["console", "local"].flatMap((folder) =>
    readdirSync(join(PROJECT_FOLDER, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  // The other words have a second meaning: the heading of a column, or what a program is doing.
  const words = /["`>](Successful|Check rows|Stopped)\b|"stopped"/;
  const found = files.filter((name) => words.test(readFileSync(join(PROJECT_FOLDER, name), "utf8")));
  expect(found).toEqual([]);
});
