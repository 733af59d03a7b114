import { expect, test } from "@jest/globals";
import { ScraperDefinition } from "../../../functions/contract/scrapers/scraper.ts";
import { ValidationError, validate } from "../../../functions/contract/validate.ts";

const visit = { type: "visit", url: "https://shop.test/" };

function problemsOf(definition: unknown): string[] {
  try {
    validate(ScraperDefinition, definition);
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}

test("10,000 steps, and 10,000 fields", () => {
  expect(problemsOf({ name: "Many", steps: Array(10_000).fill(visit) })).toEqual([
    "steps: must have at most 200 steps",
  ]);
  const fields = Array.from({ length: 10_000 }, (_, n) => ({ name: `f${n}` }));
  const list = { type: "get_list", selector: "p", fields };
  expect(problemsOf({ name: "Wide", steps: [visit, list] })).toEqual([
    "steps[1].fields: must have at most 1000 fields",
  ]);
});

test("10,000 wrong fields are neither all told nor all looked at", () => {
  const list = { type: "get_list", selector: "p", fields: Array(1_000).fill({}) };
  const problems = problemsOf({ name: "Wrong", steps: [visit, ...Array(10).fill(list)] });
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toBe(": and at least 900 more problems");
});

test.each([
  ["steps", { name: "Many", steps: Array(300_000).fill({}) }, "steps: must have at most 200 steps"],
  [
    "fields",
    { name: "Many", steps: [visit, { type: "get_list", selector: "p", fields: Array(300_000).fill({}) }] },
    "steps[1].fields: must have at most 1000 fields",
  ],
  [
    "names of a key",
    {
      name: "Many",
      steps: [
        visit,
        { type: "get_list", selector: "p", fields: [{ name: "a" }], key: Array(300_000).fill(0) },
      ],
    },
    "steps[1].key: must name at most 1000 fields",
  ],
])("the number of %s is checked before the items", (_, definition, problem) => {
  expect(problemsOf(definition)).toEqual([problem]);
});

test("what is no object, or no list, is said so", () => {
  expect(problemsOf(null)).toEqual([": must be an object, not null"]);
  expect(problemsOf({ name: "x", steps: 1, pagination: null })).toEqual([
    "steps: must be an array, not 1",
    "pagination: must be an object, not null",
  ]);
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
  "%s is no field, and no type",
  (name) => {
    const odd = JSON.parse(
      `{"name":"x","steps":[{"type":"visit","url":"https://shop.test/","${name}":{}}],"${name}":{}}`,
    );
    expect(problemsOf(odd)).toEqual([
      `steps[0].${name}: is not a known field here`,
      `${name}: is not a known field here`,
    ]);
    expect(problemsOf({ name: "x", steps: [JSON.parse(`{"type":"${name}"}`)] })).toEqual([
      expect.stringMatching(/^steps\[0\]\.type: must be one of/),
    ]);
  },
);

test.each(["__proto__", "constructor", "prototype"])(
  "a field or a header named %s is not left out silently",
  (name) => {
    const expected = JSON.parse(`{"filled":{"${name}":1}}`);
    const list = { type: "get_list", selector: "p", fields: [{ name }] };
    const headers = JSON.parse(`{"${name}":"x"}`);
    expect(problemsOf({ name: "x", steps: [visit, list], expect: expected, headers })).toEqual([
      "headers: must not have the names __proto__, constructor, prototype",
      "expect.filled: must not have the names __proto__, constructor, prototype",
    ]);
  },
);

test.each([
  ["lists in lists", { name: "x", steps: JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) }],
  ["a name", { name: "x".repeat(1e7), steps: [visit] }],
  ["an address", { name: "x", steps: [{ type: "visit", url: `https://shop.test/${"x".repeat(1e7)}` }] }],
  ["an interval", { name: "x", steps: [visit], schedule: { interval: `1 day${" ".repeat(1e6)}s` } }],
  [
    "a template",
    {
      name: "x",
      steps: [visit],
      pagination: { type: "url_template", url: `https://x/${"{page}".repeat(1e6)}` },
    },
  ],
])("too much of %s", (_, definition) => {
  const problems = problemsOf(definition);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.length).toBeLessThan(300);
});
