import { describe, expect, test } from "@jest/globals";
import type { Pagination, StoredStep } from "../../../functions/contract/scrapers/scraper.ts";
import { ValidationError } from "../../../functions/contract/validate.ts";
import { overrideProblems, overrideSteps } from "../../../functions/runs/overrides.ts";

const steps: StoredStep[] = [
  { id: "open", type: "visit", url: "https://example.org/" },
  { id: "search", type: "write_input", value: "tea", field_name: "Search" },
  { id: "sort", type: "select_dropdown", value: "price" },
  { id: "more", type: "click", field_name: "More" },
];

/** A scraper with these steps. */
const scraperOf = (steps: StoredStep[], pagination: Pagination = { type: "none" }) => ({ steps, pagination });

const problemsOf = (overrides: Parameters<typeof overrideSteps>[1]) => {
  try {
    overrideSteps(scraperOf(steps), overrides);
  } catch (error) {
    if (error instanceof ValidationError) return error.problems;
    throw error;
  }
  return [];
};

test("overrides apply by id, and everything else stays", () => {
  const overridden = overrideSteps(scraperOf(steps), [
    { id: "sort", value: "name" },
    { id: "open", type: "visit", url: "https://example.org/sale" },
    { id: "search", value: "" },
  ]);
  expect(overridden).toEqual([
    { id: "open", type: "visit", url: "https://example.org/sale" },
    { id: "search", type: "write_input", value: "", field_name: "Search" },
    { id: "sort", type: "select_dropdown", value: "name" },
    steps[3],
  ]);
  expect(steps[0]).toEqual({ id: "open", type: "visit", url: "https://example.org/" });
});

describe("a wrong override is refused", () => {
  test.each([
    ["an unknown id", { id: "nope", value: "x" }, "steps[0].id", /no step with the id "nope"/],
    [
      "a type that can't be overridden",
      { id: "more", value: "x" },
      "steps[0].id",
      /^"more" is a click step; only (visit|write_input|select_dropdown)(, (visit|write_input|select_dropdown))+ steps/,
    ],
    [
      "a contradicting type",
      { id: "open", type: "click", url: "https://a.org" },
      "steps[0].type",
      /visit step/,
    ],
    [
      "no url",
      { id: "open", value: "https://a.org" },
      "steps[0].url",
      /^is required to override a visit step$/,
    ],
    [
      "no value",
      { id: "search", url: "https://a.org" },
      "steps[0].value",
      /^is required to override a write_input/,
    ],
    ["an invalid url", { id: "open", url: "ftp://a.org" }, "steps[0].url", /http/],
    [
      "a value beside the url",
      { id: "open", url: "https://a.org", value: "x" },
      "steps[0].value",
      /visit step, which has only a url/,
    ],
    [
      "a url beside the value",
      { id: "search", url: "https://a.org", value: "x" },
      "steps[0].url",
      /write_input step, which has only a value/,
    ],
    ["null", { id: "search", value: null }, "steps[0].value", /required/],
    ["an id of Object.prototype", { id: "__proto__", value: "x" }, "steps[0].id", /no step/],
  ])("%s", (_, override, path, message) => {
    expect(problemsOf([override])).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  test("with all problems of all overrides, including a repeated id", () => {
    const problems = problemsOf([{ id: "open" }, { id: "open", url: "https://a.org" }, { id: "more" }]);
    expect(problems.map(({ path }) => path)).toEqual(["steps[0].url", "steps[1].id", "steps[2].id"]);
    expect(problems[1]?.message).toBe('must not override the step "open" more than once');
  });

  test("among others that are not given, with its index", () => {
    const found = overrideProblems(scraperOf(steps), [undefined, { id: "nope" }]);
    expect(found).toEqual([{ path: "steps[1].id", message: expect.stringContaining("no step") }]);
  });

  test("that exceeds the maximum size of a run", () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ ...steps[1], id: `s${index}` }) as StoredStep);
    const overrides = many.map(({ id }) => ({ id, value: "é".repeat(5_000) }));
    expect(() => overrideSteps(scraperOf(many), overrides)).toThrow(
      expect.objectContaining({
        problems: [{ path: "steps", message: expect.stringContaining("at most 300000 bytes") }],
      }),
    );
    expect(overrideSteps(scraperOf(many), overrides.slice(0, 10))).toHaveLength(50);
  });
});

describe("secrets", () => {
  const withSecret: StoredStep[] = [
    { id: "open", type: "visit", url: "https://shop.example/login" },
    { id: "password", type: "write_input", value: "{{secret:password}}" },
    { id: "sort", type: "select_dropdown", value: "price" },
  ];
  const problems = (
    steps: StoredStep[],
    override: Parameters<typeof overrideSteps>[1][number],
    pagination?: Pagination,
  ) => {
    try {
      overrideSteps(scraperOf(steps, pagination), [override]);
      return [];
    } catch (error) {
      return (error as ValidationError).problems;
    }
  };

  test.each([
    { id: "open", url: "https://example.org/?a={{secret:password}}" },
    { id: "search", value: "{{secret:password}}" },
    { id: "search", value: "{{ secret:password" },
    { id: "sort", value: "{{secret:password}}" },
  ])("can't be used in a request: %j", (override) => {
    expect(problems(steps, override)).toEqual([
      expect.objectContaining({ message: "must not refer to a secret; only stored scrapers can" }),
    ]);
  });

  test.each([
    "https://evil.example/login",
    "http://shop.example/login",
    "https://shop.example:8443/login",
    "https://shop.example.evil.example/",
  ])("can't be sent to another origin: %s", (url) => {
    expect(problems(withSecret, { id: "open", url })).toEqual([
      {
        path: "steps[0].url",
        message: "must stay on https://shop.example, because the scraper uses secrets",
      },
    ]);
    expect(problems(steps, { id: "open", url })).toEqual([]);
  });

  test("of a url_template can't be sent to another origin either", () => {
    const pagination: Pagination = {
      type: "url_template",
      url: "https://shop.example/list/{page}?key={{secret:key}}",
    };
    const override = { id: "open", url: "https://evil.example/" };
    expect(problems(steps, override, pagination)).toEqual([
      {
        path: "steps[0].url",
        message: "must stay on https://example.org, because the scraper uses secrets",
      },
    ]);
    expect(problems(steps, { id: "open", url: "https://example.org/sale" }, pagination)).toEqual([]);
  });

  test.each([
    { headers: { "X-Key": "{{secret:key}}" } },
    { cookies: [{ name: "sid", value: "{{secret:key}}" }] },
    { http_credentials: { username: "me", password: "{{secret:key}}" } },
  ])("of %j can't be sent to another origin either", (access) => {
    const scraper = { ...scraperOf(steps), ...access };
    expect(overrideProblems(scraper, [{ id: "open", url: "https://evil.example/" }])).toEqual([
      {
        path: "steps[0].url",
        message: "must stay on https://example.org, because the scraper uses secrets",
      },
    ]);
  });

  test("do not affect other overrides", () => {
    expect(problems(withSecret, { id: "open", url: "https://shop.example/other?page=2" })).toEqual([]);
    expect(problems(withSecret, { id: "sort", value: "name" })).toEqual([]);
    expect(problems(withSecret, { id: "password", value: "https://example.org/" })).toEqual([]);
  });
});
