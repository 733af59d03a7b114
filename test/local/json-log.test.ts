import { afterEach, expect, jest, test } from "@jest/globals";
import { RunFailure } from "../../functions/runs/failure.ts";
import { jsonLog } from "../../local/json-log.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

test("a logged fault says in which file and line it happened, and so does its cause", () => {
  const lines: string[] = [];
  jest.spyOn(console, "error").mockImplementation((line: string) => {
    lines.push(line);
  });
  const cause = new TypeError("row is undefined");
  jsonLog.error("The run failed", { error: new RunFailure("internal_error", "It failed.", { cause }) });
  const [entry = ""] = lines;
  const { error } = JSON.parse(entry);
  expect(error.stack).toMatch(/json-log\.test\.ts:\d+:\d+/);
  expect(error.cause).toMatchObject({ name: "TypeError", message: "row is undefined" });
  expect(error.cause.stack).toMatch(/json-log\.test\.ts:\d+:\d+/);
});
