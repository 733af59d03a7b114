import { expect, test } from "@jest/globals";
import { columnsOfInputs, inputProblems, stepsFor } from "../../../functions/batches/check-inputs.ts";
import { Input, type InputValues, RESERVED_NAME } from "../../../functions/contract/batches/batch.ts";
import type { StoredStep } from "../../../functions/contract/scrapers/scraper.ts";
import { validate } from "../../../functions/contract/validate.ts";

const steps: StoredStep[] = [
  { id: "open", type: "visit", url: "https://example.org/" },
  { id: "search", type: "write_input", value: "hardback" },
  { id: "books", type: "get_list", selector: "li", fields: [{ name: "title" }, { name: "input.nr" }] },
];
const scraper = { steps, pagination: { type: "none" as const } };

const problemsOf = (inputs: InputValues[], of = scraper) =>
  inputProblems(of, inputs, columnsOfInputs(inputs)).map(({ path, message }) => [path, message]);

test("other columns are carried along, beside at least one step", () => {
  expect(problemsOf([{ search: "lamp", own: "1" }, { open: "https://example.org/2" }])).toEqual([]);
  expect(problemsOf([{ own: "1" }])).toEqual([
    ["inputs", expect.stringContaining("The scraper's steps with a value are: open, search")],
  ]);
  expect(problemsOf([{ search: "lamp" }, { own: "1" }])).toEqual([["inputs[1]", "has a value for no step"]]);
});

test("names that can't be right are reported before any value", () => {
  expect(problemsOf([{ serch: "lamp", open: "no address" }])).toEqual([
    ["inputs", '"serch" is not a step; did you mean "search"?'],
  ]);
  expect(problemsOf([{ search: "lamp", books: "1" }])).toEqual([
    ["inputs", expect.stringContaining('"books" is a get_list step')],
  ]);
  expect(problemsOf([{ search: "lamp", nr: "1" }])).toEqual([
    ["inputs", 'the scraper has a field "input.nr" already. Rename "nr"'],
  ]);
  expect(problemsOf([{ search: "lamp", constructor: "1" }])).toEqual([["inputs", RESERVED_NAME]]);
  expect(() => validate(Input, JSON.parse('{ "search": "lamp", "__proto__": "1" }'))).toThrow(RESERVED_NAME);
});

test("a scraper without a step that takes a value takes no inputs", () => {
  const [, , list] = steps;
  expect(problemsOf([{ search: "lamp" }], { ...scraper, steps: list ? [list] : [] })).toEqual([
    ["inputs", expect.stringContaining("the scraper has no step of the types visit")],
  ]);
});

test("all problems of all values are listed, up to a hundred", () => {
  const inputs = Array.from({ length: 150 }, (_, index) => ({
    open: index % 2 ? "https://ok.example/" : "x",
  }));
  const problems = problemsOf(inputs);
  expect(problems).toHaveLength(75);
  expect(problems[1]?.[0]).toBe("inputs[2].open");
  const all = problemsOf(inputs.map(() => ({ open: "x" })));
  expect(all).toHaveLength(101);
  expect(all.at(-1)).toEqual(["", "and 50 more problems"]);
});

test("an address stays on the origin of a scraper that uses secrets", () => {
  const secret = {
    ...scraper,
    steps: steps.with(1, { id: "search", type: "write_input", value: "{{secret:key}}" }),
  };
  expect(problemsOf([{ open: "https://example.org/2" }, { open: "https://evil.example/" }], secret)).toEqual([
    ["inputs[1].open", "must stay on https://example.org, because the scraper uses secrets"],
  ]);
});

test("an input that is too large is refused", () => {
  expect(problemsOf([{ search: "lamp", own: "x".repeat(70_000) }])).toEqual([
    ["inputs[0]", "must be at most 65536 bytes"],
  ]);
});

test("each value replaces that of its step", () => {
  expect(stepsFor(steps, { search: "lamp", own: "1" })).toEqual([
    steps[0],
    { id: "search", type: "write_input", value: "lamp" },
    steps[2],
  ]);
});
