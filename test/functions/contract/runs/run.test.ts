import { expect, test } from "@jest/globals";
import { CreateRunRequest } from "../../../../functions/contract/runs/run.ts";
import { ValidationError, validate } from "../../../../functions/contract/validate.ts";

const problemsOf = (steps: unknown) => {
  try {
    validate(CreateRunRequest, { scraper_id: "x", steps });
  } catch (error) {
    if (error instanceof ValidationError) return error.problems;
    throw error;
  }
  return [];
};

test.each<[string, unknown, string, RegExp]>([
  ["a value that is not a string", [{ id: "search", value: 3 }], "steps[0].value", /string/],
  ["a value of nested arrays", [{ id: "search", value: [[[]]] }], "steps[0].value", /string/],
  ["an id that is too long", [{ id: "x".repeat(101), value: "" }], "steps[0].id", /at most 100/],
  ["not an array", "x", "steps", /array/],
])("%s is invalid", (_, steps, path, message) => {
  expect(problemsOf(steps)).toEqual([{ path, message: expect.stringMatching(message) }]);
});

test("too many overrides are one problem, even if all are invalid", () => {
  expect(problemsOf(Array.from({ length: 300_000 }, () => ({})))).toEqual([
    { path: "steps", message: "must have at most 200" },
  ]);
});

test("a lone surrogate is invalid", () => {
  const given = { scraper_id: "x", webhook_url: "https://example.org/\ud800" };
  expect(() => validate(CreateRunRequest, given)).toThrow(/webhook_url: must be valid Unicode/);
});
